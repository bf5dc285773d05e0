import type { WorktreeResult } from '../../protocol/result-entry.ts';
import type { GitAnswer } from './call-git.ts';
import { shortened } from './git-folder.ts';

/** Why something about a worktree could not be measured. */
export type FailedProbe = NonNullable<WorktreeResult['inspection_failed']>;

const MAX_STDERR = 200;

/** A measurement: what was found, or which probe failed. */
export type Measured<T> = { readonly found: T } | { readonly failed: FailedProbe };

/** The failure of a probe, from git's answer. */
export function failedProbe(probe: string, answer: Pick<GitAnswer, 'code' | 'stderr'>): { failed: FailedProbe } {
  const stderr = shortened(answer.stderr).slice(0, MAX_STDERR);
  return { failed: { probe, exit_code: answer.code, stderr } };
}
