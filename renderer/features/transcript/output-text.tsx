import { lazy, Suspense } from 'react';
import { runStrings } from '../../shared/run-strings.ts';
import { boundedTail, type Bounds } from '../../shared/text-bounds.ts';
import { AnsiText } from '../../ui/ansi-text.tsx';
import { leaveTerminal, takeTerminal, useOwnsTerminal } from './open-rows.ts';
import { useShownWhole } from '../../ui/revealed.ts';

const Terminal = lazy(() => import('./terminal.tsx'));

/** The end of an output that is shown before the rest is asked for. */
const FEW: Bounds = { lines: 12, characters: 4000 };
/** Above this many characters an output is only shown whole in the terminal, which draws what is in view. */
const INLINE = 20_000;
/** The most that is drawn as text when somebody was led into it. */
const WHOLE: Bounds = { lines: 10_000, characters: 200_000 };
const ROWS = 20;
/** A text that scrolls in its own box can be reached with the keyboard. */
const SCROLLS = { tabIndex: 0, role: 'group', 'aria-label': runStrings.transcript.output } as const;

interface OutputProps {
  readonly id: string;
  readonly runId: string;
  readonly first: number;
  readonly last: number;
  readonly text: string;
  readonly live: boolean;
  readonly bounds?: Bounds;
}

/** Output of a command as text, its end first; whole in the one terminal of the page. */
export function OutputText({ id, runId, first, last, text, live, bounds = FEW }: OutputProps) {
  const terminal = useOwnsTerminal(id);
  const [all, showAll] = useShownWhole();
  const shown = boundedTail(text, all ? WHOLE : bounds);
  if (terminal) {
    return (
      <>
        <Suspense fallback={<div className="terminal-box" style={{ height: ROWS * 17 }} />}>
          <Terminal runId={runId} first={first} last={last} rows={ROWS} />
        </Suspense>
        <button
          type="button"
          className="show-more"
          onClick={() => {
            leaveTerminal(id);
          }}
        >
          {runStrings.showLess}
        </button>
      </>
    );
  }
  return (
    <>
      {shown.hiddenCharacters > 0 && (
        <button
          type="button"
          className="show-more"
          onClick={() => {
            if (text.length > INLINE || live) takeTerminal(id);
            else showAll();
          }}
        >
          {shown.hiddenLines > 0
            ? runStrings.earlierLines(shown.hiddenLines)
            : runStrings.characters(shown.hiddenCharacters)}
        </button>
      )}
      {text === '' ? (
        !live && <p className="text-ink-3">{runStrings.transcript.noOutput}</p>
      ) : (
        <pre className="ansi" {...(all ? SCROLLS : {})}>
          <AnsiText text={shown.text} />
        </pre>
      )}
    </>
  );
}
