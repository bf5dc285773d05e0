import { memo } from 'react';
import type { Entry, EntryMeta } from '../../../core/protocol/entry.ts';
import { entryText } from '../../app/export.ts';
import { useEntry } from '../../app/live-rows.ts';
import { inspectStrings } from '../../shared/inspect-strings.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { BoundedText } from '../../ui/bounded-text.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { CommandOutput } from './command-output.tsx';
import type { TranscriptItem } from './items.ts';
import { NoticeRow, ReasoningRow, TextRow, UserRow } from './message-rows.tsx';
import { PlanRow, SubagentRow } from './outside-rows.tsx';
import { ReadsRow } from './reads-row.tsx';
import { ToolCard } from './tool-card.tsx';

const KNOWN = new Set(['user', 'text', 'reasoning', 'tool_call', 'output', 'notice', 'plan', 'subagent']);
/** Entries with a copy of their own; output has its button in its place. */
const COPIED: ReadonlySet<string> = new Set(['user', 'text', 'reasoning', 'tool_call', 'notice']);
const isKnown = (meta: Entry['meta']): meta is EntryMeta => KNOWN.has(meta.type);

function Known({
  id,
  entry,
  meta,
  live,
}: {
  readonly id: string;
  readonly entry: Entry;
  readonly meta: EntryMeta;
  readonly live: boolean;
}) {
  switch (meta.type) {
    case 'user':
      return <UserRow entry={entry} meta={meta} />;
    case 'text':
      return <TextRow id={id} entry={entry} live={live} />;
    case 'reasoning':
      return <ReasoningRow id={id} entry={entry} meta={meta} live={live} />;
    case 'tool_call':
      return <ToolCard id={id} entry={entry} call={meta} />;
    case 'output':
      return <CommandOutput runId={entry.run_id} first={entry.entry} last={entry.entry} live={live} />;
    case 'notice':
      return <NoticeRow entry={entry} meta={meta} />;
    case 'plan':
      return <PlanRow meta={meta} />;
    case 'subagent':
      return <SubagentRow id={id} entry={entry} meta={meta} />;
  }
}

function EntryRow({
  runId,
  number,
  live,
}: {
  readonly runId: string;
  readonly number: number;
  readonly live: boolean;
}) {
  const entry = useEntry(runId, number);
  if (entry === undefined) return null;
  const { meta } = entry;
  const id = `${runId}/e${number}`;
  if (isKnown(meta)) {
    const known = <Known id={id} entry={entry} meta={meta} live={live && !entry.ended} />;
    if (!COPIED.has(meta.type)) return known;
    return (
      <div className="entry">
        {known}
        <CopyButton name={inspectStrings.export.copyEntry} text={() => entryText(entry)} className="entry-copy" />
      </div>
    );
  }
  return (
    <div role="group" className="message" aria-label={runStrings.transcript.unknown(visibleText(meta.type))}>
      <div className="message-head">{runStrings.transcript.unknown(visibleText(meta.type))}</div>
      <BoundedText text={entry.text} />
    </div>
  );
}

/** One row of the transcript; it reads its own entries, so that a delta draws it alone. `live`: the run may add to it. */
export const ItemRow = memo(function ItemRow({
  runId,
  item,
  live,
}: {
  readonly runId: string;
  readonly item: TranscriptItem;
  readonly live: boolean;
}) {
  switch (item.type) {
    case 'entry':
      return <EntryRow runId={runId} number={item.first} live={live} />;
    case 'reads':
      return <ReadsRow runId={runId} first={item.first} last={item.last} />;
    case 'output':
      return <CommandOutput runId={runId} first={item.first} last={item.last} live={live} />;
  }
});
