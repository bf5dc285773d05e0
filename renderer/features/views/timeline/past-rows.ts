import type { RunRow, SetRow } from '../../../../core/protocol/rows.ts';
import { NO_TOKENS } from '../../../../core/protocol/token-sums.ts';
import type { LiveState } from '../../../app/live-state.ts';
import { strings } from '../../../shared/strings.ts';
import { isBusy, lifeAt, type Life } from './lives.ts';
import { markAt } from './replay-state.ts';

/** Active seconds of a life up to a moment. */
function secondsAt(life: Life, at: number): number {
  const busy = life.stretches.filter(isBusy);
  return busy.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to ?? at, at) - from), 0) / 1000;
}

/** A run as it was at a moment, null when it was not there yet. What it had used by then nobody wrote down: it is left out. */
function pastRun(run: RunRow, life: Life | undefined, at: number): RunRow | null {
  const mark = markAt(run, life, at);
  if (mark === null || life === undefined) return null;
  if (life.endedAt !== null && life.endedAt <= at) return run;
  const then = lifeAt(life, at);
  const now = then.stretches.at(-1);
  const started = run.started_at !== null && run.started_at <= at;
  return {
    ...run,
    state: now?.state ?? 'queued',
    reason: now?.reason ?? null,
    until: null,
    paused: false,
    words: strings.marks[mark],
    outcome: null,
    exit_reason: null,
    failure_reason: null,
    caveats: [],
    error: null,
    failure_text: null,
    failure_line: null,
    advice: null,
    activity: null,
    summary: null,
    turns: 0,
    tool_calls: 0,
    cost_usd: null,
    total_cost_usd: null,
    total_tokens: 0,
    idle_since: null,
    started_at: started ? run.started_at : null,
    ended_at: null,
    active_seconds: secondsAt(then, at),
    active_since: null,
    proof: null,
    survivors: [],
  };
}

/** A set as it was at a moment, from its runs of then; null when none of them was there. */
function pastSet(set: SetRow, runs: readonly RunRow[], at: number): SetRow | null {
  if (runs.length === 0) return null;
  const ended = runs.filter((run) => run.ended_at !== null).length;
  if (set.ended_at !== null && set.ended_at <= at) return set;
  return {
    ...set,
    ended: Math.min(set.count, ended),
    paused: false,
    ended_at: null,
    started_at: set.started_at !== null && set.started_at <= at ? set.started_at : null,
    totals: { ...set.totals, cost_usd: null, tokens: NO_TOKENS },
  };
}

/** A retry that had not begun has not taken the place of the run before it. */
function unreplaced(run: RunRow, runs: ReadonlyMap<string, RunRow>): RunRow {
  const next = run.retried_by ?? run.continued_by;
  return next === null || runs.has(next) ? run : { ...run, retried_by: null, continued_by: null };
}

/** The rows of a conversation as they were at a moment (epoch ms); everything else as it is. */
export function pastRows(
  rows: LiveState,
  conversationId: string,
  lives: ReadonlyMap<string, Life>,
  at: number,
): LiveState {
  const found = new Map<string, RunRow>();
  for (const run of rows.runs.values()) {
    if (run.conversation_id !== conversationId) continue;
    const then = pastRun(run, lives.get(run.run_id), at);
    if (then !== null) found.set(run.run_id, then);
  }
  const others = [...rows.runs].filter(([, run]) => run.conversation_id !== conversationId);
  const runs = new Map([...others, ...[...found].map(([id, run]) => [id, unreplaced(run, found)] as const)]);
  const sets = new Map(rows.sets);
  const runsOf = new Map(rows.runsOf);
  const ids = rows.setsOf.get(conversationId) ?? [];
  for (const id of ids) {
    const set = rows.sets.get(id);
    const mine = (rows.runsOf.get(id) ?? []).filter((run) => found.has(run));
    const then =
      set === undefined
        ? null
        : pastSet(
            set,
            mine.flatMap((run) => found.get(run) ?? []),
            at,
          );
    runsOf.set(id, mine);
    if (then === null) sets.delete(id);
    else sets.set(id, then);
  }
  const setsOf = new Map(rows.setsOf);
  setsOf.set(
    conversationId,
    ids.filter((id) => sets.has(id)),
  );
  return { ...rows, runs, sets, runsOf, setsOf };
}
