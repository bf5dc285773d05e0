import { isEnded, isSteerable } from '../../../core/protocol/lifecycle.ts';
import type { RunRow, SteerMode } from '../../../core/protocol/rows.ts';
import { mayContinue } from '../../app/controls.ts';
import { runStrings } from '../../shared/run-strings.ts';

/** What the box of a run can do: take messages, take the next message of a lead, or say why not. */
export type BoxState =
  | { readonly type: 'steer' }
  | { readonly type: 'message' }
  /** It has ended: a message makes a new run that goes on with its session (C5). */
  | { readonly type: 'continue' }
  | { readonly type: 'refused'; readonly why: string }
  | { readonly type: 'hidden' };

/** Whether and how a run takes messages (C2, C5). A `command` takes none. */
export function boxState(
  run: Pick<RunRow, 'state' | 'reason' | 'runner' | 'lead' | 'retried_by' | 'continued_by'>,
): BoxState {
  if (isEnded(run.state)) return endedState(run);
  if (run.runner === 'command') return { type: 'refused', why: runStrings.steer.command };
  if (!isSteerable(run.state)) return { type: 'refused', why: runStrings.steer.stopping };
  return run.lead && run.reason === 'user' ? { type: 'message' } : { type: 'steer' };
}

function endedState(run: Parameters<typeof boxState>[0]): BoxState {
  if (mayContinue(run)) return { type: 'continue' };
  const passed = run.retried_by !== null || run.continued_by !== null;
  return passed && run.runner === 'builtin' ? { type: 'refused', why: runStrings.steer.passed } : { type: 'hidden' };
}

interface Key {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  /** An input method is composing: Enter takes its word. */
  readonly isComposing: boolean;
}

/** What Enter means in the box: steer, with ⌘ or Ctrl follow up, with Shift a new line (null: not ours). */
export function modeOfKey(event: Key): SteerMode | null {
  if (event.key !== 'Enter' || event.isComposing || event.shiftKey || event.altKey) return null;
  return event.metaKey || event.ctrlKey ? 'follow_up' : 'steer';
}
