import type { CoreFrame } from '../protocol/frames.ts';
import type { ProcessName } from '../protocol/report.ts';
import type { WorktreeChange } from '../protocol/worktree.ts';

/** What is to be done after the commit of a decision. */
export type Effect =
  /** Starts the worker of an attempt whose row was just committed. */
  | { readonly type: 'start_attempt'; readonly run_id: string; readonly attempt_id: string }
  /** Sends a frame to the run's worker; what must arrive is derived again from rows when a worker reconnects. */
  | { readonly type: 'send'; readonly run_id: string; readonly frame: CoreFrame }
  | { readonly type: 'stop_attempt'; readonly run_id: string; readonly reason: 'stop' | 'deadline' | 'stalled' }
  /** The worker's last event is committed: it may end. */
  | { readonly type: 'release_attempt'; readonly run_id: string }
  /** Starts another attempt after a pause, because the last one died before it did anything (R8). */
  | { readonly type: 'restart_run'; readonly run_id: string; readonly delay_ms: number }
  /** The run asks for a place of the caps; `head` is for those that had one and only waited (R1). */
  | { readonly type: 'ask_place'; readonly run_id: string; readonly head: boolean }
  /** A call of a run is stored and now to be carried out. */
  | { readonly type: 'take_up_call'; readonly run_id: string; readonly call_id: string }
  /** The secret of a connected worker is committed: it may have its task. */
  | { readonly type: 'welcome_attempt'; readonly run_id: string; readonly attempt_id: string }
  /** A permission or question is open: consent given earlier may answer it, or nobody is there who could (A1). */
  | { readonly type: 'settle_ask'; readonly run_id: string; readonly ask_id: string }
  /** The run's work is over: its verify commands run and its worktree is measured, then it ends. */
  | { readonly type: 'close_run'; readonly run_id: string }
  /** The run may not start now: its place goes back, and it queues where it was before (R9). */
  | { readonly type: 'return_place'; readonly run_id: string }
  /** The whole text of an answer that is told in part, into a file that its reader is told of (P5). */
  | { readonly type: 'write_summary'; readonly run_id: string; readonly path: string; readonly text: string }
  /** What is done with the worktree of an ended run is past the point of return: whoever finds this brings it to its end (W4). */
  | {
      readonly type: 'finish_change';
      readonly run_id: string;
      readonly conversation_id: string;
      readonly change: WorktreeChange;
    }
  /** The run needs no place any more; with `unproved`, what may be left of it does until it is gone (R1). */
  | { readonly type: 'give_place'; readonly run_id: string; readonly unproved?: readonly ProcessName[] };

/**
 * What becomes of an effect that a crash of the core interrupted (D3): `replay` ones follow from rows and are done again,
 * `lost` ones must not be done twice and are settled by looking.
 */
export const EFFECT_AFTER_CRASH = {
  // The worker may be up: it reconnects, or its grace passes and its generation is revoked.
  start_attempt: 'lost',
  send: 'replay',
  stop_attempt: 'replay',
  release_attempt: 'replay',
  restart_run: 'replay',
  ask_place: 'replay',
  take_up_call: 'replay',
  welcome_attempt: 'replay',
  settle_ask: 'replay',
  close_run: 'replay',
  return_place: 'replay',
  write_summary: 'replay',
  finish_change: 'replay',
  give_place: 'replay',
} as const satisfies Record<Effect['type'], 'replay' | 'lost'>;
