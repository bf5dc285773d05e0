import { MARK_FACTS, markOf } from '../../../shared/status.ts';
import type { RunRow } from '../../../../core/protocol/rows.ts';
import { isAtWork, isBusy, type Life } from './lives.ts';

/** A value from a time on. */
export interface Step {
  readonly at: number;
  readonly value: number;
}

/** How many runs held a place, from each time on at which that changed. `now` is where what still holds is cut. */
export function placesOverTime(lives: Iterable<Life>, now: number): readonly Step[] {
  const changes: Step[] = [];
  for (const { stretches } of lives) {
    for (const stretch of stretches) {
      if (!isAtWork(stretch)) continue;
      changes.push({ at: stretch.from, value: 1 }, { at: stretch.to ?? now, value: -1 });
    }
  }
  changes.sort((a, b) => a.at - b.at);
  const steps: Step[] = [];
  let value = 0;
  for (const change of changes) {
    value += change.value;
    if (steps.at(-1)?.at === change.at) steps[steps.length - 1] = { at: change.at, value };
    else steps.push({ at: change.at, value });
  }
  return steps;
}

/** How many runs hold a place still. */
export function placesNow(lives: Iterable<Life>): number {
  let count = 0;
  for (const { stretches, endedAt } of lives) {
    const last = stretches.at(-1);
    if (endedAt === null && last?.to === null && isAtWork(last)) count += 1;
  }
  return count;
}

/** Points that a line of money has at most: more would not be seen. */
const POINTS = 240;

/**
 * Money spent up to each of some moments: what a run cost by itself, spread over the time it was at work; when within a run
 * it was spent is not known.
 */
export function moneyOverTime(
  runs: Iterable<RunRow>,
  lives: ReadonlyMap<string, Life>,
  from: number,
  to: number,
): readonly Step[] {
  const step = Math.max(1, (to - from) / POINTS);
  const added = new Float64Array(POINTS + 1);
  for (const run of runs) {
    const busy = (lives.get(run.run_id)?.stretches ?? []).filter(isBusy);
    const whole = busy.reduce((sum, stretch) => sum + (stretch.to ?? to) - stretch.from, 0);
    if (run.cost_usd === null || run.cost_usd === 0 || whole <= 0) continue;
    for (const stretch of busy)
      spread(added, stretch.from - from, (stretch.to ?? to) - from, run.cost_usd / whole, step);
  }
  let value = 0;
  return [...added].map((more, at) => ({ at: from + at * step, value: (value += more) }));
}

/** Adds a rate for each millisecond from `start` to `end` to the slots of `step` milliseconds that they are in. */
function spread(added: Float64Array, start: number, end: number, rate: number, step: number): void {
  const last = added.length - 1;
  for (let slot = Math.min(last, Math.floor(start / step) + 1); slot <= last; slot += 1) {
    const from = Math.max(start, (slot - 1) * step);
    const to = Math.min(end, slot * step);
    if (to <= from) break;
    added[slot] = (added[slot] ?? 0) + (to - from) * rate;
  }
}

/** What happened at a moment that a replay may jump to. */
export interface Moment {
  readonly at: number;
  readonly type: 'broken' | 'stopped' | 'needs';
}

/** Ends that were no completion, and waits for a person, in their order. */
export function momentsOf(runs: Iterable<RunRow>, lives: ReadonlyMap<string, Life>): readonly Moment[] {
  const moments: Moment[] = [];
  for (const run of runs) {
    const mark = markOf(run);
    if (run.ended_at !== null && MARK_FACTS[mark].broken) moments.push({ at: run.ended_at, type: 'broken' });
    if (run.ended_at !== null && mark === 'stopped') moments.push({ at: run.ended_at, type: 'stopped' });
    for (const { kind, from } of lives.get(run.run_id)?.stretches ?? []) {
      if (kind === 'needs') moments.push({ at: from, type: 'needs' });
    }
  }
  return moments.sort((a, b) => a.at - b.at);
}
