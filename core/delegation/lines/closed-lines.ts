import { cutMiddle } from '../../kit/cut-middle.ts';
import type { ResultEntry } from '../../protocol/result-entry.ts';

/** Characters of the output of a verify command that failed. */
const OUTPUT = 1000;

/** How the verify commands of a task went, for its result as text (P4); those that passed need no more than that. */
export function acceptanceLines({ acceptance }: ResultEntry): string[] {
  if (acceptance === undefined) return [];
  const failed = acceptance.commands.filter(({ exit_code }) => exit_code !== 0);
  const lines = failed.flatMap(({ command, exit_code, output }) => [
    `- ${command} → ${exit_code === null ? 'did not end by itself' : `exit ${exit_code}`}`,
    ...(output === '' ? [] : [cutMiddle(output, OUTPUT).text]),
  ]);
  return [`acceptance: ${acceptance.status === 'none' ? 'not checked' : acceptance.status}`, ...lines];
}

/** Where the work of an isolated task is, for its result as text (P4). */
export function worktreeLines({ worktree }: ResultEntry): string[] {
  if (worktree == null) return [];
  const { branch, path, kept, commits, dirty, inspection_failed, note } = worktree;
  if (!kept) return [`worktree: nothing was changed in it, so it was removed${note === undefined ? '' : `. ${note}`}`];
  const fault =
    inspection_failed && `it could not be measured (${inspection_failed.probe}: ${inspection_failed.stderr})`;
  const holds = fault ?? `${commits ?? '?'} commits${dirty === true ? ' and changes that are not committed' : ''}`;
  return [`worktree: branch ${branch} in ${path}, ${holds}${note === undefined ? '' : `. ${note}`}`];
}
