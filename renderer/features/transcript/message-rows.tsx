import { memo } from 'react';
import type { Entry, EntryMeta } from '../../../core/protocol/entry.ts';
import { formatTime } from '../../shared/format.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { boundedHead } from '../../shared/text-bounds.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { BoundedText } from '../../ui/bounded-text.tsx';
import { Fold } from './fold.tsx';
import { setRowOpen, useRowOpen } from './open-rows.ts';
import { reasoningTitle, reasoningPreview } from './message-words.ts';

type UserMeta = Extract<EntryMeta, { type: 'user' }>;
type ReasoningMeta = Extract<EntryMeta, { type: 'reasoning' }>;
type NoticeMeta = Extract<EntryMeta, { type: 'notice' }>;

const ORIGIN_ICONS: Readonly<Record<UserMeta['origin'], IconName>> = {
  goal: 'end',
  message: 'right',
  steer: 'steer',
  follow_up: 'queue',
  completion: 'delegate',
  notice: 'info',
  repair: 'retry',
};

/** What was said to the model, with where it came from. */
export const UserRow = memo(function UserRow({ entry, meta }: { readonly entry: Entry; readonly meta: UserMeta }) {
  return (
    <div
      role="group"
      className="message"
      data-origin={meta.origin}
      aria-label={runStrings.transcript.origins[meta.origin]}
    >
      <div className="message-head">
        <Icon name={ORIGIN_ICONS[meta.origin]} size={12} />
        <span className="font-med">{runStrings.transcript.origins[meta.origin]}</span>
        <span className="grow" />
        <span>{formatTime(entry.at)}</span>
      </div>
      <BoundedText text={entry.text} />
    </div>
  );
});

/** Answers longer than this are cut until asked for: Markdown of that size would hold up the page. */
const LARGEST = { lines: 2000, characters: 80_000 };

/** What the model said. */
export const TextRow = memo(function TextRow({
  id,
  entry,
  live,
}: {
  readonly id: string;
  readonly entry: Entry;
  readonly live: boolean;
}) {
  const all = useRowOpen(id, false);
  const bounded = all ? { text: entry.text, hiddenCharacters: 0 } : boundedHead(entry.text, LARGEST);
  const partial = 'partial' in entry.meta && entry.meta.partial === true;
  return (
    <>
      <Markdown text={bounded.text} live={live && bounded.hiddenCharacters === 0} />
      {bounded.hiddenCharacters > 0 && (
        <button
          type="button"
          className="show-more"
          onClick={() => {
            setRowOpen(id, true);
          }}
        >
          {runStrings.characters(bounded.hiddenCharacters)}
        </button>
      )}
      {partial && (
        <p className="mt-1 flex items-center gap-2 text-11 text-warn">
          <Icon name="warning" size={12} />
          {runStrings.transcript.partial}
        </p>
      )}
    </>
  );
});

/** The model's reasoning, folded. */
export const ReasoningRow = memo(function ReasoningRow({
  id,
  entry,
  meta,
  live,
}: {
  readonly id: string;
  readonly entry: Entry;
  readonly meta: ReasoningMeta;
  readonly live: boolean;
}) {
  return (
    <Fold id={id} title={reasoningTitle(meta.seconds, live)} detail={reasoningPreview(entry.text, live)}>
      {() =>
        entry.text.trim() === '' ? (
          <p className="text-ink-3">{runStrings.transcript.noReasoning}</p>
        ) : (
          <BoundedText text={entry.text} bounds={{ lines: 400, characters: 40_000 }} className="text-ink-2" />
        )
      }
    </Fold>
  );
});

const LEVELS = { info: 'text-ink-3', warning: 'text-warn', error: 'text-bad-text' } as const;

/** What Espalier has to say about the run itself. */
export const NoticeRow = memo(function NoticeRow({
  entry,
  meta,
}: {
  readonly entry: Entry;
  readonly meta: NoticeMeta;
}) {
  return (
    <p className={`notice ${LEVELS[meta.level]}`} role="note">
      <Icon name={meta.level === 'info' ? 'info' : 'warning'} />
      <span className="min-w-0 select-text break-words">{visibleText(entry.text)}</span>
    </p>
  );
});
