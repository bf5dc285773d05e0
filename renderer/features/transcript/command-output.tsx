import { lazy, memo, Suspense, useEffect } from 'react';
import { runStrings } from '../../shared/run-strings.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useLive } from '../../app/live.ts';
import { outputOf } from './output-entries.ts';
import { leaveTerminal, takeTerminal, useOwnsTerminal } from './open-rows.ts';
import { OutputText } from './output-text.tsx';
import { withoutAnsi } from '../../shared/ansi.ts';

const Terminal = lazy(() => import('./terminal.tsx'));
const ROWS = 24;
/** Output is all there is of a command: more of it is shown than of one call among others. */
const MANY = { lines: 80, characters: 16_000 };

interface Props {
  readonly runId: string;
  readonly first: number;
  readonly last: number;
  /** The command still runs and this is the end of its output. */
  readonly live: boolean;
}

/** The text of output that is over; only read while it is drawn as text. */
function Ended({ id, runId, first, last }: Omit<Props, 'live'> & { readonly id: string }) {
  const text = useLive((state) => outputOf(state.transcripts.get(runId), first, last));
  return (
    <OutputText
      id={id}
      runId={runId}
      first={first}
      last={last}
      text={text.replace(/\n+$/, '')}
      live={false}
      bounds={MANY}
    />
  );
}

/** Output of a `command` run: in the terminal while it comes, then as text. */
export const CommandOutput = memo(function CommandOutput({ runId, first, last, live }: Props) {
  const id = `${runId}/g${first}`;
  const owns = useOwnsTerminal(id);
  useEffect(() => {
    if (!live) return;
    takeTerminal(id);
    return () => {
      leaveTerminal(id);
    };
  }, [id, live]);
  return (
    <div role="group" className="tool" aria-label={runStrings.transcript.output}>
      <div className="tool-head is-still">
        <Icon name="terminal" />
        <span>{runStrings.transcript.output}</span>
        <span className="grow" />
        <CopyButton
          name={runStrings.transcript.copyOutput}
          text={() => withoutAnsi(outputOf(useLive.getState().transcripts.get(runId), first, last))}
        />
      </div>
      <div className="tool-body is-terminal">
        {live && owns ? (
          <Suspense fallback={<div className="terminal-box" style={{ height: ROWS * 17 }} />}>
            <Terminal runId={runId} first={first} last={last} rows={ROWS} />
          </Suspense>
        ) : (
          <Ended id={id} runId={runId} first={first} last={last} />
        )}
      </div>
    </div>
  );
});
