import { assertNever } from '../../kit/assert-never.ts';
import type { FailureReason, Outcome } from '../../protocol/outcome.ts';
import { formatDuration } from './duration.ts';
import { failureText } from './failure-text.ts';
import { cutGraphemes } from './graphemes.ts';
import { oneLine } from './one-line.ts';
import { outcomeWords } from './outcome-words.ts';

/** Graphemes of a name and of a reason in the lines of a set (L4). */
const NAME = 40;
const REASON = 120;

/** Where a task stands: `set` is the number of the set (from 1), `index` its task index (from 0), `count` the size. */
export interface TaskPlace {
  readonly set: number;
  readonly index: number;
  readonly count: number;
}

/** A task that ended, as far as its line needs it. */
export interface EndedTask extends TaskPlace {
  readonly label: string | null;
  readonly goal: string;
  readonly outcome: Outcome;
  /** It completed with a caveat (T4). */
  readonly caveat: boolean;
  readonly failure_reason: FailureReason | null;
  readonly error: string | null;
  readonly duration_seconds: number;
}

/** `[set 2 · 3/9]`; the only task of a set is `[set 2]` (L2). */
export function taskLabel({ set, index, count }: TaskPlace): string {
  return count === 1 ? `[set ${set}]` : `[set ${set} · ${index + 1}/${count}]`;
}

/** `[set 1] delegating 9 tasks`, or null for a set of one task, which has no header (L4). */
export function setHeader(set: number, count: number): string | null {
  return count > 1 ? `[set ${set}] delegating ${count} tasks` : null;
}

/** The label, else the goal, on one line of at most `max` graphemes. */
export function taskName(task: { readonly label: string | null; readonly goal: string }, max: number): string {
  const label = oneLine(task.label ?? '');
  return cutGraphemes(label === '' ? oneLine(task.goal) : label, max);
}

/** The line of a task that starts; L4 leaves it free, so it has the form of the line at its end. */
export function startLine(task: TaskPlace & { readonly label: string | null; readonly goal: string }): string {
  return `▸ ${taskLabel(task)} ${taskName(task, NAME)}`;
}

function mark(outcome: Outcome, caveat: boolean): { glyph: string; reason: boolean } {
  switch (outcome) {
    case 'completed':
      return { glyph: caveat ? '⚠' : '✓', reason: false };
    case 'stopped':
      return { glyph: '■', reason: false };
    case 'failed':
    case 'timed_out':
    case 'lost':
      return { glyph: '✗', reason: true };
    default:
      return assertNever(outcome);
  }
}

/** The line of a task that ended (L4). */
export function endLine(task: EndedTask): string {
  const { glyph, reason } = mark(task.outcome, task.caveat);
  const line = `${glyph} ${taskLabel(task)} ${taskName(task, NAME)} (${formatDuration(task.duration_seconds)})`;
  if (!reason) return line;
  const text = failureText(task.error ?? '') || outcomeWords(task.outcome, task.failure_reason);
  return `${line} — ${cutGraphemes(text, REASON)}`;
}
