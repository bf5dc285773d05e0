import { useConversation } from '../../app/live-rows.ts';
import { formatMoney } from '../../shared/format.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { Button } from '../../ui/button.tsx';
import { runBatch } from './batch-actions.ts';
import { leaveSet, useBatch } from './batch-store.ts';
import { blockerOf, type Blocker } from './blocker.ts';
import { moneyOf, placesOf, type Money, type Places } from './estimates.ts';
import { showNextProblem } from './next-problem.ts';
import { useTargetSet } from './target-set.ts';
import type { World } from './world.ts';

const words = startStrings.batch;

/** A bar that is solid up to `share`; what is over the limit is outlined. */
function Bar({
  share,
  over = 0,
  rest,
}: {
  readonly share: number;
  readonly over?: number;
  readonly rest: 'dotted' | 'plain';
}) {
  return (
    <div className="estimate-bar" data-rest={rest} aria-hidden>
      <i className="solid" style={{ flexGrow: share }} />
      {over > 0 && <i className="tick" />}
      {over > 0 ? (
        <i className="over" style={{ flexGrow: over }} />
      ) : (
        <i className="rest" style={{ flexGrow: 1 - share }} />
      )}
    </div>
  );
}

function placesNote({ ready, atOnce, taken, places }: Places): string {
  return taken < places && ready > atOnce ? words.inTurns(atOnce) : words.taken(taken, places);
}

function PlacesEstimate({ estimate }: { readonly estimate: Places }) {
  const { ready, waiting, taken, places } = estimate;
  return (
    <div className="estimate">
      <div className="flex justify-between gap-3">
        <span className="text-ink-3" title={words.placesTitle}>
          {words.places}
        </span>
        <span className="el">{words.canStart(ready, waiting)}</span>
      </div>
      {/* What is taken already, as the note says; what this batch will take is in the words above. */}
      <Bar share={Math.min(1, taken / Math.max(1, places))} rest="dotted" />
      <p className="el text-11 text-ink-3">{placesNote(estimate)}</p>
    </div>
  );
}

function moneyWords({ atMost, open, bounded, left }: Money): string {
  if (!bounded) return atMost > 0 ? words.unboundedSome(formatMoney(atMost), open) : words.unbounded;
  if (atMost === 0) return words.noMoney;
  return left === null ? words.atMost(formatMoney(atMost)) : words.atMostLeft(formatMoney(atMost), formatMoney(left));
}

function moneyNote({ atMost, open, bounded, left }: Money): { readonly text: string; readonly warn: boolean } {
  if (!bounded) return { text: words.openTasks(open), warn: true };
  if (left === null) return { text: words.noDayLimit, warn: false };
  return atMost > left ? { text: words.mayWait, warn: true } : { text: words.withinLeft, warn: false };
}

function MoneyEstimate({ estimate }: { readonly estimate: Money }) {
  const { atMost, left } = estimate;
  const note = moneyNote(estimate);
  const over = left !== null && atMost > left;
  const share = left === null || atMost === 0 ? 0 : over ? left / atMost : atMost / left;
  return (
    <div className="estimate">
      <div className="flex justify-between gap-3">
        <span className="text-ink-3">{words.money}</span>
        <span className="el">{moneyWords(estimate)}</span>
      </div>
      <Bar share={share} over={over ? 1 - share : 0} rest="plain" />
      <p className={`el text-11 ${note.warn ? 'text-warn' : 'text-ink-3'}`}>{note.text}</p>
    </div>
  );
}

function reason(blocker: Blocker): string {
  switch (blocker.type) {
    case 'project':
      return words.noProject;
    case 'tasks':
      return words.noTasks;
    case 'whole':
      return words.fixBatch;
    case 'goal':
      return words.noGoal(blocker.place + 1);
    case 'row':
      return words.fixFirst(blocker.place + 1);
  }
}

/** Why it cannot run, or that it can. */
function Reason({ blocker }: { readonly blocker: Blocker | null }) {
  const unchecked = useBatch((state) => state.checkFailure !== null);
  const bad = blocker?.type === 'row' || blocker?.type === 'whole';
  return (
    <p role="status" id="batch-reason" className={`font-med ${bad ? 'text-bad-text' : 'text-ink-2'}`}>
      {blocker !== null ? reason(blocker) : unchecked ? words.unchecked : words.ready}
    </p>
  );
}

/** A set that has ended takes no more tasks (S8). */
function Ended({ set }: { readonly set: number }) {
  return (
    <div className="batch-run">
      <p role="status" className="font-med text-bad-text">
        {words.setEnded(set)}
      </p>
      <Button big kind="primary" className="grow" onClick={leaveSet}>
        {words.ownSet}
      </Button>
    </div>
  );
}

function RunPart() {
  const draft = useBatch((state) => state.draft);
  const problems = useBatch((state) => state.problems);
  const project = useBatch((state) => state.project);
  const starting = useBatch((state) => state.starting);
  const sets = useConversation(useBatch((state) => state.conversation))?.sets ?? 0;
  const target = useTargetSet();
  const blocker = blockerOf(draft, problems, project);
  if (target !== undefined && target.ended_at !== null) return <Ended set={target.set} />;
  return (
    <div className="batch-run">
      <Reason blocker={blocker} />
      <div className="flex gap-2">
        {blocker !== null && blocker.place !== null && (
          <Button big chord="f8" onClick={showNextProblem}>
            {words.show(blocker.place + 1)}
          </Button>
        )}
        <Button
          big
          kind="primary"
          chord="mod+enter"
          className="grow"
          disabled={blocker !== null || starting}
          aria-describedby="batch-reason"
          onClick={() => void runBatch()}
        >
          {starting ? words.starting : target === undefined ? words.run(sets + 1) : words.addTo(target.set)}
        </Button>
      </div>
    </div>
  );
}

/** What the batch takes, and the button that runs it. */
export function EditorFooter({ world }: { readonly world: World }) {
  const draft = useBatch((state) => state.draft);
  return (
    <div className="batch-foot">
      <PlacesEstimate estimate={placesOf(draft, world)} />
      <MoneyEstimate estimate={moneyOf(draft, world)} />
      <RunPart />
    </div>
  );
}
