import type { DomainEvent } from '../protocol/events.ts';
import type { RunState, WaitReason } from '../protocol/lifecycle.ts';
import { LIFECYCLE } from '../protocol/lifecycle.ts';
import { WAIT_REASONS } from '../protocol/wait-reasons.ts';
import type { Caveat, Verdict } from '../protocol/outcome.ts';
import type { RunRow } from '../protocol/rows.ts';
import type { AcceptanceResult } from '../protocol/result-entry.ts';
import { roundUsd } from './money.ts';
import { liveWords } from './words.ts';

type EventOf<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;
/** The events that change an existing run's row. */
export type RunEvent = EventOf<
  | 'run_moved'
  | 'attempt_started'
  | 'attempt_connected'
  | 'attempt_ended'
  | 'survivors_ended'
  | 'run_idle'
  | 'run_progressed'
  | 'run_ended'
  | 'run_retried'
  | 'worktree_changed'
  | 'run_continued'
  | 'run_paused'
  | 'run_seen'
>;

/** The row after the event. Pure; `at` is when it happened, epoch milliseconds. */
export function foldRun(row: RunRow, event: RunEvent, at: number): RunRow {
  switch (event.type) {
    case 'run_moved':
      return moved(row, event, at);
    case 'attempt_started':
      return started(row, event);
    case 'attempt_connected':
      return { ...row, pid: event.pid };
    case 'attempt_ended':
      return { ...row, pid: null, proof: event.proof, survivors: event.survivors, idle_since: null };
    case 'survivors_ended':
      return survived(row, event.survivors);
    case 'run_idle':
      return { ...row, idle_since: event.since };
    case 'run_progressed':
      return progressed(row, event, at);
    case 'run_ended':
      return ended(row, event, at);
    case 'run_retried':
      // Its retry stands for it now: nobody need look at both.
      return { ...row, retried_by: event.by, seen: true };
    case 'worktree_changed':
      return { ...row, worktree: event.worktree };
    case 'run_continued':
      return { ...row, continued_by: event.by, seen: true };
    case 'run_paused':
      return { ...row, paused: event.paused, words: liveWords({ ...row, paused: event.paused }) };
    case 'run_seen':
      return { ...row, seen: true };
  }
}

/** What is not there any more is no survivor; without one the end is proved by that. */
function survived(row: RunRow, survivors: RunRow['survivors']): RunRow {
  const proved = survivors.length === 0 && row.proof?.method === 'survivors';
  return { ...row, survivors, proof: proved ? { method: 'observed', how: 'survivors' } : row.proof };
}

/** Prices hold from the first start on (R6). */
function started(row: RunRow, { n, deadline, prices }: EventOf<'attempt_started'>): RunRow {
  const pinned = row.prices ?? prices;
  return {
    ...row,
    attempts: n,
    deadline: deadline ?? row.deadline ?? null,
    ...(pinned === undefined ? {} : { prices: pinned }),
  };
}

function isActive(state: RunState, reason: WaitReason | null): boolean {
  if (state === 'waiting') return reason === null || WAIT_REASONS[reason].active;
  return LIFECYCLE[state].attempt && state !== 'starting';
}

function moved(row: RunRow, event: EventOf<'run_moved'>, at: number): RunRow {
  const { to: state, reason, until, placeless } = event;
  return {
    ...row,
    state,
    reason,
    until,
    placeless,
    words: liveWords({ state, reason, paused: row.paused }),
    started_at: row.started_at ?? (LIFECYCLE[state].attempt ? at : null),
    // R7: how much of the time until now was active its worker alone can tell, and tells before it moves; our clock may have been set meanwhile.
    // A stop is told by nobody before: the time since the last word stays, and goes on if it did.
    active_since: state === 'stopping' ? row.active_since : isActive(state, reason) ? at : null,
    last_activity_at: at,
  };
}

function progressed(row: RunRow, event: EventOf<'run_progressed'>, at: number): RunRow {
  const { progress } = event;
  return {
    ...row,
    turns: progress.turns,
    tool_calls: progress.tool_calls,
    tokens: progress.tokens,
    cost_usd: progress.cost_usd === null ? null : roundUsd(progress.cost_usd),
    cost_status: progress.cost_status,
    in_flight: progress.in_flight ?? null,
    active_seconds: progress.active_seconds,
    active_since: row.active_since === null ? null : at,
    last_activity_at: at,
  };
}

/** The caveats of an ended run (T4). */
export function caveatsOf(verdict: Verdict, acceptance: AcceptanceResult | undefined): Caveat[] {
  const caveats: Caveat[] = [];
  if (verdict.truncated) caveats.push('truncated');
  if (acceptance?.status === 'failed') caveats.push('acceptance_failed');
  return caveats;
}

function ended(row: RunRow, event: EventOf<'run_ended'>, at: number): RunRow {
  const { verdict, result } = event;
  return {
    ...row,
    state: 'ended',
    reason: null,
    until: null,
    placeless: undefined,
    paused: false,
    words: event.words,
    outcome: verdict.outcome,
    exit_reason: verdict.exit_reason,
    failure_reason: verdict.failure_reason,
    caveats: caveatsOf(verdict, result.acceptance),
    error: verdict.error,
    failure_text: event.failure_text,
    failure_line: event.failure_line,
    advice: event.advice,
    summary: event.summary,
    text_cut: verdict.text_cut,
    // R8: a declared fallback may have taken over.
    model: result.model,
    turns: result.turns,
    tool_calls: result.tool_calls,
    tokens: result.tokens,
    cost_usd: result.cost_usd,
    cost_status: result.cost_status,
    active_seconds: result.duration_seconds,
    active_since: null,
    ended_at: at,
    // Who was replaced since, and is proved to have failed only now, has one that stands for it.
    seen: event.failure_line === null || row.retried_by !== null || row.continued_by !== null,
  };
}
