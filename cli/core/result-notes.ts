import type { ResultEntry } from '../../core/protocol/result-entry.ts';
import { plainText } from '../../core/kit/terminal-text.ts';
import { oneLineOf } from '../../core/host/export/plain-words.ts';
import { whereWorkIs } from './worktree-words.ts';

/** Lines of a failed check's output that a person is shown at once; `espalier show` has what is kept of it. */
const LAST_LINES = 10;

/** What a person must hear of a result beside the line of its end: checks that failed with their output, what was not heard, what is still running (T4, C2, C3). */
export function resultNotes(entry: ResultEntry): string[] {
  const name = oneLineOf(entry.label ?? entry.goal, 60);
  const { acceptance, missed_steer = [], survivors = [], worktree } = entry;
  const checks = (acceptance?.commands ?? []).filter(({ exit_code }) => exit_code !== 0);
  return [
    ...checks.flatMap(({ command, exit_code, output }) => [
      `${name}: ${oneLineOf(command, 120)} → ${exit_code === null ? 'did not end by itself' : `exit ${String(exit_code)}`}`,
      ...lastLines(output).map((line) => `  ${line}`),
    ]),
    ...missed_steer.map((text) => `${name}: not heard: ${oneLineOf(text, 120)}`),
    ...survivors.map(({ pid, command }) => `${name}: still running: ${oneLineOf(command, 120)} (pid ${String(pid)})`),
    ...(worktree?.kept === true ? [`${name}: kept: ${whereWorkIs(worktree)}`] : []),
  ];
}

function lastLines(output: string): string[] {
  return plainText(output)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-LAST_LINES);
}
