import type { ResultEntry, SetStatus } from '../protocol/result-entry.ts';
import type { RunRow, SetRow } from '../protocol/rows.ts';
import { acceptanceLines, worktreeLines } from './lines/closed-lines.ts';
import { formatDuration } from './lines/duration.ts';
import { cutGraphemes } from './lines/graphemes.ts';
import { oneLine } from './lines/one-line.ts';
import { taskName } from './lines/set-lines.ts';
import { outcomeWords } from './lines/outcome-words.ts';

/** Graphemes of a task's heading, and of what was asked. */
const NAME = 80;
const ASKED = 200;

/** What is known of one ended task for the text of its set's result. */
export interface EndedTask {
  readonly row: RunRow;
  readonly result: ResultEntry;
}

/** What is told of a task: its summary, and its structured output as JSON, if it gave one. */
export interface Told {
  readonly summary: string;
  readonly output: string | null;
}

function statusLine({ row, result }: EndedTask): string {
  const caveats = row.caveats.length > 0 ? ` with caveat: ${row.caveats.join(', ')}` : '';
  const why =
    result.status === 'completed'
      ? ''
      : ` (${result.error ?? outcomeWords(result.status, result.failure_reason ?? null)})`;
  return `${result.status}${caveats}${why}, ${formatDuration(result.duration_seconds)}, ${result.turns} turns`;
}

/** What its heading does not say of the task: a label stands for the goal there, and a long goal is cut. */
function askedLine(row: RunRow): string[] {
  const goal = oneLine(row.goal);
  return taskName(row, NAME) === goal ? [] : [`asked: ${cutGraphemes(goal, ASKED)}`];
}

function taskBlock(task: EndedTask, { summary, output }: Told): string {
  const { row, result } = task;
  const lines = [
    `## ${row.tag} ${taskName(row, NAME)}`,
    `run_id: ${row.run_id} · agent: ${row.agent} · status: ${statusLine(task)}${row.added ? ' · added by a person' : ''}`,
    ...askedLine(row),
  ];
  if (output !== null) lines.push(`output: ${output}`);
  if (result.missed_steer) lines.push(`not delivered to it: ${result.missed_steer.join(' | ')}`);
  if (result.survivors)
    lines.push(`still running: ${result.survivors.map((p) => `${p.command} (pid ${p.pid})`).join(', ')}`);
  lines.push(...acceptanceLines(result), ...worktreeLines(result));
  if (summary !== '') lines.push('', summary);
  return lines.join('\n');
}

/**
 * The result of a set as its owner reads it (P4): self-contained, with each outcome and its caveats, and a warning that
 * claims of side effects are the children's own. `told`: of each task, as it fits into the owner's context (P5); `by`: who dispatched it, as
 * the owner calls that.
 */
export function resultText(
  set: SetRow,
  status: SetStatus | string,
  tasks: readonly EndedTask[],
  told: readonly Told[],
  by: string,
): string {
  const asked = new Date(set.created_at).toISOString();
  // C5: the set went on after its end, so its owner has an earlier result that this one replaces.
  const revised = set.revision > 0;
  const head = [
    `${revised ? 'Revised result' : 'Result'} of ${set.title === null ? `set ${set.set}` : `set ${set.set}, "${set.title}"`} (${set.delegation_id}), dispatched by ${by} at ${asked}: ${status}.`,
    ...(revised ? ['It replaces the earlier result of this set: tasks were tried again or continued since.'] : []),
    'What the tasks say about files they changed or commands they ran is their own claim; check what matters.',
  ];
  return [
    ...head,
    '',
    ...tasks.map((task, index) => taskBlock(task, told[index] ?? { summary: '', output: null })),
  ].join('\n');
}

/** The early word that a task of a running set has failed (P3). The final result still comes. */
export function earlyFailureText(set: SetRow, run: RunRow): string {
  return `Task ${run.tag} of the running set ${set.set} has ended: ${run.failure_line ?? run.words}. The other tasks go on; the result of the whole set follows when all have ended.`;
}
