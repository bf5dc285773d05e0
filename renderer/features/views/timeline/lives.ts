import { holdsPlace, needsPerson } from '../../../../core/protocol/lifecycle.ts';
import type { TimelineSpan } from '../../../../core/protocol/history.ts';
import type { RunRow } from '../../../../core/protocol/rows.ts';

/** What a stretch of a run's life looks like. */
export type StretchKind = 'queued' | 'running' | 'waiting' | 'paused' | 'needs';

/** A part of a run's life in which one thing was the case. Epoch milliseconds; `to: null` still holds. */
export interface Stretch {
  readonly kind: StretchKind;
  readonly from: number;
  readonly to: number | null;
  readonly state: string;
  readonly reason: string | null;
}

/** The life of one run, earliest first. */
export interface Life {
  readonly stretches: readonly Stretch[];
  readonly endedAt: number | null;
}

/** Waits in which a run has no turn yet, or waits to be spoken to: drawn as a dotted line, like the queue. */
const NO_TURN: ReadonlySet<string | null> = new Set(['concurrency', 'dependency', 'budget', 'user']);

/** What a state with its reason looks like. */
export function kindOf(state: string, reason: string | null): StretchKind {
  if (reason === 'paused') return 'paused';
  if (state === 'queued' || (state === 'waiting' && NO_TURN.has(reason))) return 'queued';
  if (state !== 'waiting') return 'running';
  return needsPerson(state, reason) ? 'needs' : 'waiting';
}

/** Whether anything goes on in a stretch: a line in which nothing does may be folded. A wait for children is told by them. */
export const isBusy = ({ kind, reason }: Stretch): boolean =>
  kind === 'running' || (kind === 'waiting' && reason !== 'children');

/** Whether the run holds a place of the caps in it (R1). */
export const isAtWork = ({ state, reason }: Stretch): boolean => holdsPlace(state, reason);

function add(stretches: Stretch[], next: Stretch): void {
  const last = stretches.at(-1);
  if (last?.kind === next.kind && last.reason === next.reason && last.to === next.from) {
    stretches[stretches.length - 1] = { ...last, to: next.to };
  } else if (next.to === null || next.to > next.from) stretches.push(next);
}

/** The life as far as the row alone tells it, for a run that the timeline does not have yet. */
function lifeOfRow(run: RunRow): Stretch[] {
  const stretches: Stretch[] = [];
  const began = run.started_at ?? run.ended_at;
  add(stretches, { kind: 'queued', from: run.queued_at, to: began, state: 'queued', reason: null });
  if (run.started_at === null) return stretches;
  const kind = run.ended_at === null ? kindOf(run.state, run.reason) : 'running';
  const state = run.ended_at === null ? run.state : 'running';
  add(stretches, { kind, from: run.started_at, to: run.ended_at, state, reason: run.reason });
  return stretches;
}

/** What the row knows that the spans do not yet: that the run has begun, or ended. */
function caughtUp(stretches: readonly Stretch[], run: RunRow): readonly Stretch[] {
  const last = stretches.at(-1);
  if (last?.to !== null) return stretches;
  const rest = stretches.slice(0, -1);
  if (run.started_at !== null && last.state === 'queued' && run.started_at >= last.from) {
    add(rest, { ...last, to: run.started_at });
    add(rest, {
      kind: run.ended_at === null ? kindOf(run.state, run.reason) : 'running',
      from: run.started_at,
      to: run.ended_at,
      state: run.ended_at === null ? run.state : 'running',
      reason: run.ended_at === null ? run.reason : null,
    });
    return rest;
  }
  if (run.ended_at === null) return stretches;
  return [...rest, { ...last, to: Math.max(last.from, run.ended_at) }];
}

/** The lives of these runs: the spans of the core, and what the rows know beyond them. */
export function livesOf(spans: readonly TimelineSpan[], runs: Iterable<RunRow>): ReadonlyMap<string, Life> {
  const byRun = new Map<string, Stretch[]>();
  for (const { run_id, from, to, state, reason } of spans) {
    const stretches = byRun.get(run_id) ?? [];
    add(stretches, { kind: kindOf(state, reason), from, to, state, reason });
    byRun.set(run_id, stretches);
  }
  const lives = new Map<string, Life>();
  for (const run of runs) {
    const known = byRun.get(run.run_id);
    const stretches = known === undefined ? lifeOfRow(run) : caughtUp(known, run);
    lives.set(run.run_id, { stretches, endedAt: run.ended_at });
  }
  return lives;
}

/** A life as it was at a moment: nothing after it has happened yet. */
export function lifeAt(life: Life, at: number): Life {
  const stretches = life.stretches
    .filter(({ from }) => from < at)
    .map((stretch) => (stretch.to === null || stretch.to > at ? { ...stretch, to: null } : stretch));
  return { stretches, endedAt: life.endedAt !== null && life.endedAt <= at ? life.endedAt : null };
}
