import { hasAttempt, isEnded, isSteerable } from '../../core/protocol/lifecycle.ts';
import { closedGates, type Gate } from '../../core/protocol/pause.ts';
import type { ConversationRow, RunRow, SetRow } from '../../core/protocol/rows.ts';
import type { LiveState } from './live-state.ts';

/* What people can do with a run or set now. The core decides; this only keeps from offering what it would refuse. */

/** Runners that can be held at a safe boundary, and keep a session. */
const HOLDABLE: ReadonlySet<string> = new Set(['builtin', 'acp']);

/** A program that is at work cannot be held; what has not started can be (R9). */
export function mayPause(run: Pick<RunRow, 'state' | 'runner' | 'paused'>): boolean {
  return run.paused || (isSteerable(run.state) && (HOLDABLE.has(run.runner) || !hasAttempt(run.state)));
}

/** Whether a message reaches it while it lives: a command hears none (C2). */
export function maySteer(run: Pick<RunRow, 'state' | 'runner'>): boolean {
  return run.runner !== 'command' && isSteerable(run.state);
}

/** Whether nothing has taken the place of the run yet. */
const isLast = (run: Pick<RunRow, 'retried_by' | 'continued_by'>): boolean =>
  run.retried_by === null && run.continued_by === null;

/** A run that has ended can be tried again in its slot; a lead gets a message instead (C5). */
export function mayRetry(run: Pick<RunRow, 'state' | 'lead' | 'retried_by' | 'continued_by'>): boolean {
  return isEnded(run.state) && !run.lead && isLast(run);
}

/** A lead that has ended goes on when it is told its last message again (T1). */
export function mayTellAgain(run: Pick<RunRow, 'state' | 'lead' | 'retried_by' | 'continued_by'>): boolean {
  return isEnded(run.state) && run.lead && isLast(run);
}

/** A session can be gone on with where the runner keeps one (C5). */
export function mayContinue(run: Pick<RunRow, 'state' | 'runner' | 'retried_by' | 'continued_by'>): boolean {
  return isEnded(run.state) && HOLDABLE.has(run.runner) && isLast(run);
}

/** Whether *Retry failed* takes it: ended without completing cleanly, and not stopped by a person (C5). */
export function isWorthRetrying(run: RunRow): boolean {
  if (!mayRetry(run)) return false;
  if (run.outcome === 'stopped') return run.exit_reason === 'dependency';
  return run.outcome !== 'completed' || run.caveats.length > 0;
}

type Rows = Pick<LiveState, 'app' | 'conversations' | 'sets' | 'runs'>;

/** The closed gates that a run is within, the nearest first. */
export function gatesOf(rows: Rows, run: RunRow): readonly Gate[] {
  const conversation = rows.conversations.get(run.conversation_id);
  if (conversation === undefined) return [];
  return closedGates(run, {
    app: rows.app?.paused ?? false,
    conversation,
    set: (id) => rows.sets.get(id),
    run: (id) => rows.runs.get(id),
  });
}

/** What is paused now, as far as the page knows. */
export interface PausedNow {
  readonly app: boolean;
  /** The open conversation, if its gate is closed. */
  readonly conversation: ConversationRow | null;
  readonly sets: readonly SetRow[];
  readonly runs: readonly RunRow[];
  /** Other conversations with a closed gate. */
  readonly others: readonly ConversationRow[];
}

/** Every closed gate: of the app, of conversations, and within the open one of sets and runs (R9). */
export function pausedNow(rows: Rows, open: string | null): PausedNow {
  const conversations = [...rows.conversations.values()].filter((row) => row.paused && !row.archived);
  const here = (row: { readonly conversation_id: string }): boolean => row.conversation_id === open;
  return {
    app: rows.app?.paused ?? false,
    conversation: conversations.find(here) ?? null,
    sets: [...rows.sets.values()].filter((row) => row.paused && row.ended_at === null && here(row)),
    runs: [...rows.runs.values()].filter((row) => row.paused && !isEnded(row.state) && here(row)),
    others: conversations.filter((row) => !here(row)),
  };
}
