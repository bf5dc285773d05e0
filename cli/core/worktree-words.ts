import { oneLineOf } from '../../core/host/export/plain-words.ts';
import type { WorktreeResult } from '../../core/protocol/result-entry.ts';

/** Where the work of a kept worktree is, in words: commits are on its branch, everything else lies in its folder alone (W3). */
export function whereWorkIs({ branch, path, commits, dirty, inspection_failed }: WorktreeResult): string {
  if (inspection_failed !== undefined) {
    const { probe, stderr } = inspection_failed;
    return `what is in ${path} (branch ${branch}) could not be measured (${probe}: ${oneLineOf(stderr, 200)})`;
  }
  if (commits === null || dirty === null) return `what is in ${path} (branch ${branch}) was not measured`;
  const made = commits === 1 ? '1 commit' : `${String(commits)} commits`;
  if (!dirty) return commits === 0 ? `nothing new in ${path}` : `${made} on branch ${branch}, in ${path}`;
  if (commits === 0) return `changes that are not committed, in ${path}; branch ${branch} has none of them`;
  return `${made} on branch ${branch}, and changes that are not committed, in ${path}`;
}
