import { memo } from 'react';
import type { Entry, EntryMeta } from '../../../core/protocol/entry.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { BoundedText } from '../../ui/bounded-text.tsx';
import { Fold } from './fold.tsx';

type PlanMeta = Extract<EntryMeta, { type: 'plan' }>;
type SubagentMeta = Extract<EntryMeta, { type: 'subagent' }>;

const words = runStrings.transcript;
const MARKS = { pending: '○', in_progress: '◐', completed: '●' } as const;

/** The plan of an agent, as it stands. */
export const PlanRow = memo(function PlanRow({ meta }: { readonly meta: PlanMeta }) {
  return (
    <div role="group" className="message" aria-label={words.plan}>
      <div className="message-head">{words.plan}</div>
      <ul className="text-ink-2">
        {meta.steps.map(({ text, status }, at) => (
          <li key={at} className={status === 'completed' ? 'text-ink-3' : undefined}>
            <span aria-label={words.planStatus[status]}>{MARKS[status]}</span> {visibleText(text)}
          </li>
        ))}
      </ul>
    </div>
  );
});

/** An agent inside of the run's own agent: seen, and not controlled by us. */
export const SubagentRow = memo(function SubagentRow({
  id,
  entry,
  meta,
}: {
  readonly id: string;
  readonly entry: Entry;
  readonly meta: SubagentMeta;
}) {
  return (
    <div role="group" aria-label={words.subagent(visibleText(meta.title))}>
      <Fold id={id} title={words.subagent(visibleText(meta.title))} detail={words.subagentStatus[meta.status]}>
        {() => <BoundedText text={entry.text} bounds={{ lines: 400, characters: 40_000 }} className="text-ink-2" />}
      </Fold>
      <p className="flex items-center gap-2 text-11 text-ink-3">
        <Icon name="info" size={12} />
        {words.seenInside}
      </p>
    </div>
  );
});
