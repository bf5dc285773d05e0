import { memo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Entry } from '../../../core/protocol/entry.ts';
import { useLive } from '../../app/live.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { BoundedText } from '../../ui/bounded-text.tsx';
import { Fold } from './fold.tsx';
import { entriesBetween } from './output-entries.ts';
import { setRowOpen, useRowOpen } from './open-rows.ts';
import { isToolCall, lookOf, readTarget, readWords, type ToolCall } from './tool-look.ts';

function ReadLine({ id, entry, call }: { readonly id: string; readonly entry: Entry; readonly call: ToolCall }) {
  const open = useRowOpen(id, false);
  return (
    <>
      <button
        type="button"
        className="read-line"
        aria-expanded={open}
        onClick={() => {
          setRowOpen(id, !open);
        }}
      >
        <Icon name={lookOf(call).icon} size={12} />
        <span className="flex-none">{call.name}</span>
        <code className="el">{visibleText(readTarget(call))}</code>
      </button>
      {open && (
        <div className="read-result">
          <BoundedText
            text={entry.text === '' ? runStrings.transcript.noResult : entry.text}
            className="font-mono text-11 text-ink-2"
          />
        </div>
      )}
    </>
  );
}

/** Calls that only read, one after another, as one line. */
export const ReadsRow = memo(function ReadsRow({
  runId,
  first,
  last,
}: {
  readonly runId: string;
  readonly first: number;
  readonly last: number;
}) {
  const entries = useLive(useShallow((state) => entriesBetween(state.transcripts.get(runId), first, last)));
  const calls = entries.flatMap((entry) => (isToolCall(entry.meta) ? [{ entry, call: entry.meta }] : []));
  const running = calls.at(-1)?.call.status === 'running';
  const { title, detail } = readWords(calls.map(({ call }) => call));
  return (
    <Fold
      id={`${runId}/g${first}`}
      title={running && calls.length === 1 ? runStrings.transcript.reading : title}
      detail={visibleText(detail)}
    >
      {() =>
        calls.map(({ entry, call }) => (
          <ReadLine key={entry.entry} id={`${runId}/r${entry.entry}`} entry={entry} call={call} />
        ))
      }
    </Fold>
  );
});
