import type { RunRow } from '../../../core/protocol/rows.ts';
import { retryRun, tellAgain } from '../../app/again.ts';
import { gatesOf, mayRetry, mayTellAgain } from '../../app/controls.ts';
import { useLive } from '../../app/live.ts';
import { resumeAll } from '../../app/pause.ts';
import { ui } from '../../app/ui-store.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { MARK_FACTS, markOf } from '../../shared/status.ts';
import { strings } from '../../shared/strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { heldWords } from './header-words.ts';

const words = runStrings.inspector;

function Link({
  label,
  title,
  onClick,
}: {
  readonly label: string;
  readonly title?: string | undefined;
  readonly onClick: () => void;
}) {
  return (
    <button type="button" className="link flex-none" title={title} onClick={onClick}>
      {label}
    </button>
  );
}

/** What holds a paused run, and the way to let it go: every gate that it is within must be opened (R9). */
function Held({ run }: { readonly run: RunRow }) {
  const held = useLive((state) => heldWords(run, gatesOf(state, run)));
  if (held === '') return null;
  return (
    <div className="inspector-more">
      <span className="el text-ink-2">{held}</span>
      <Link label={words.resume} onClick={() => void resumeAll(gatesOf(useLive.getState(), run).map(({ id }) => id))} />
    </div>
  );
}

/** The run that has the place of this one, or that this one follows. */
function Others({ run }: { readonly run: RunRow }) {
  const next = run.retried_by ?? run.continued_by;
  const before = run.retry_of ?? run.continues;
  const other = next ?? before;
  const known = useLive((state) => other !== null && state.runs.has(other));
  if (other === null || !known) return null;
  const text =
    next === null
      ? run.retry_of === null
        ? words.before.continue
        : words.before.retry
      : run.retried_by === null
        ? words.continued
        : words.retried;
  return (
    <div className="inspector-more">
      <span className="el text-ink-3">{text}</span>
      <Link
        label={words.show}
        onClick={() => {
          ui.selectRun(other);
        }}
      />
    </div>
  );
}

/** A failure that no other run stands for yet. */
const isOpenFailure = (run: RunRow): boolean => MARK_FACTS[markOf(run)].broken && (mayTellAgain(run) || mayRetry(run));

/** The retry of a failure: a lead is told its last message again. */
function RetryLink({ run }: { readonly run: RunRow }) {
  const again = mayTellAgain(run);
  return (
    <Link
      label={strings.again.retry}
      title={again ? strings.again.tellAgain : undefined}
      onClick={() => void (again ? tellAgain(run) : retryRun(run))}
    />
  );
}

/** What to do about a failure, and the retry of it. */
function WhatToDo({ run }: { readonly run: RunRow }) {
  if (run.advice === null || !isOpenFailure(run)) return null;
  return (
    <div className="inspector-more">
      <span className="el text-ink-3 first-letter:uppercase" title={visibleText(run.advice)}>
        {visibleText(run.advice)}
      </span>
      <RetryLink run={run} />
    </div>
  );
}

/** Where nothing is known to do about a failure, its retry ends the line that says what went wrong: alone it would be a stray. */
export function RetryAtEnd({ run }: { readonly run: RunRow }) {
  return run.advice === null && isOpenFailure(run) ? <RetryLink run={run} /> : null;
}

/** Lines of the header that are there only when they say something: the pause, the failure, the runs before and after. */
export function RunLinks({ run }: { readonly run: RunRow }) {
  return (
    <>
      <Held run={run} />
      <WhatToDo run={run} />
      <Others run={run} />
    </>
  );
}
