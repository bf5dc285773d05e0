import { isEnded } from '../../../core/protocol/lifecycle.ts';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { mayContinue, maySteer } from '../../app/controls.ts';
import { requestFocus, ui } from '../../app/ui-store.ts';
import type { DiffLine } from '../../shared/diff-lines.ts';

/** Characters of a line that are quoted. */
const QUOTED = 300;

/** A line as it is quoted in a message: where it is, and what it says. */
export function quoteOf(path: string, line: DiffLine): string {
  const number = line.after ?? line.before;
  const text = line.text.length > QUOTED ? `${line.text.slice(0, QUOTED)}…` : line.text;
  return `${path}:${number ?? ''}${line.type === 'remove' ? ' (removed)' : ''}\n> ${text}\n`;
}

/** Whether a message about a line can reach the run, or a run that goes on with its session (C2, C5). */
export function mayComment(run: Pick<RunRow, 'state' | 'runner' | 'retried_by' | 'continued_by'>): boolean {
  if (isEnded(run.state)) return mayContinue(run);
  return maySteer(run);
}

/** Quotes a line in the unsent message to the run, and puts the keyboard there: several comments go as one message. */
export function commentOn(runId: string, path: string, line: DiffLine): void {
  ui.addToDraft(`steer:${runId}`, quoteOf(path, line));
  requestFocus('steer');
}
