import { z } from 'zod';
import { WAIT_REASONS } from './wait-reasons.ts';

/** Where a run stands (delegation.md T1). The verdict on an ended run is another axis: `outcome.ts`. */
export const RunState = z.enum(['queued', 'starting', 'running', 'waiting', 'stopping', 'ended']);
export type RunState = z.infer<typeof RunState>;

/** Why a run is queued or waiting. */
export const WaitReason = z.enum(
  Object.keys(WAIT_REASONS) as [keyof typeof WAIT_REASONS, ...(keyof typeof WAIT_REASONS)[]],
);
export type WaitReason = z.infer<typeof WaitReason>;

interface StateFacts {
  /** States that may follow. */
  readonly next: readonly RunState[];
  /** The run may still do something, or wait to do it. */
  readonly live: boolean;
  /** An attempt may exist in this state. */
  readonly attempt: boolean;
  /** Whether the state carries a {@link WaitReason}. */
  readonly reason: boolean;
  /** Whether a steering message is accepted. */
  readonly steerable: boolean;
  /** The state in words, as people read it. */
  readonly words: string;
}

/** The one table of legal moves and of what each state means. Everything else about states derives from it. */
export const LIFECYCLE = {
  queued: { next: ['starting', 'ended'], live: true, attempt: false, reason: true, steerable: true, words: 'Queued' },
  starting: {
    next: ['running', 'waiting', 'stopping', 'ended'],
    live: true,
    attempt: true,
    reason: false,
    steerable: true,
    words: 'Starting',
  },
  running: {
    next: ['waiting', 'stopping', 'ended'],
    live: true,
    attempt: true,
    reason: false,
    steerable: true,
    words: 'Running',
  },
  waiting: {
    next: ['running', 'starting', 'stopping', 'ended'],
    live: true,
    attempt: true,
    reason: true,
    steerable: true,
    words: 'Waiting',
  },
  stopping: { next: ['ended'], live: true, attempt: true, reason: false, steerable: false, words: 'Stopping' },
  ended: { next: [], live: false, attempt: false, reason: false, steerable: false, words: 'Ended' },
} as const satisfies Record<RunState, StateFacts>;

/** Whether the table allows the move; never from a word of a newer build. */
export function mayMove(from: string, to: RunState): boolean {
  return isKnownState(from) && (LIFECYCLE[from].next as readonly RunState[]).includes(to);
}

function isKnownState(state: string): state is RunState {
  return state in LIFECYCLE;
}

/** Whether a run in this state may still act; false for a word of a newer build (T7). */
export function isLive(state: string): boolean {
  return isKnownState(state) && LIFECYCLE[state].live;
}

/** Whether the run has ended. */
export function isEnded(state: string): boolean {
  return state === 'ended';
}

/** Whether a steering message to a run in this state is accepted (C2). */
export function isSteerable(state: string): boolean {
  return isKnownState(state) && LIFECYCLE[state].steerable;
}

/** Whether an attempt may exist in this state. */
export function hasAttempt(state: string): boolean {
  return isKnownState(state) && LIFECYCLE[state].attempt;
}

function isKnownReason(reason: string): reason is WaitReason {
  return reason in WAIT_REASONS;
}

/** Whether a run in this state and with this reason holds a place of the concurrency caps (R1). */
export function holdsPlace(state: string, reason: string | null): boolean {
  if (!isKnownState(state) || state === 'queued' || state === 'ended') return false;
  return reason === null || !isKnownReason(reason) || !WAIT_REASONS[reason].yieldsPlace;
}

/** Whether a run that waits for this queues for a place: it begins or goes on as soon as it is granted one (R1, R5). */
export function queuesForPlace(reason: string | null): boolean {
  return reason === 'concurrency' || reason === 'budget';
}

/** Whether a lead has answered and waits for the person's next words: nothing of it is under way. */
export function waitsForWords(state: string, reason: string | null): boolean {
  return state === 'waiting' && reason === 'user';
}

/** Whether the run waits for a person to answer. */
export function needsPerson(state: string, reason: string | null): boolean {
  return state === 'waiting' && reason !== null && isKnownReason(reason) && WAIT_REASONS[reason].needsPerson;
}

/** Whether people should look at the run: it waits for somebody, or nothing has happened in it for long (A2, R7). */
export function asksForAttention(run: {
  readonly state: string;
  readonly reason: string | null;
  readonly idle_since?: number | null | undefined;
}): boolean {
  return needsPerson(run.state, run.reason) || run.idle_since != null;
}

/** The state in words, with its reason; an unknown word of a newer build is shown as itself (T7). */
export function stateWords(state: string, reason: string | null): string {
  if (!isKnownState(state)) return state;
  if (reason === null || !LIFECYCLE[state].reason) return LIFECYCLE[state].words;
  return `${LIFECYCLE[state].words}: ${isKnownReason(reason) ? WAIT_REASONS[reason].words : reason}`;
}
