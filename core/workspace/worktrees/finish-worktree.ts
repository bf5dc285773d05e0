import type { WorktreeResult } from '../../protocol/result-entry.ts';
import { findGit } from './find-git.ts';
import type { GitFolder } from './git-folder.ts';
import { type Inspection, inspectWorktree } from './inspect-worktree.ts';
import { failedProbe } from './probe.ts';
import { branchFault } from './own-branch.ts';
import { deleteBranch, removeFolder, unlockWorktree } from './remove-worktree.ts';
import { openRepository } from './repository.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import type { OwnAccess } from './worktree-access.ts';

/**
 * Ends a worktree with its run (W3): measures it, and removes it with its branch only if every probe succeeded and nothing is in it.
 * Otherwise it is kept, and the answer says what is in it or what could not be measured. Never fails: what goes wrong is in the answer.
 */
export async function finishWorktree(worktree: Worktree, access: OwnAccess): Promise<WorktreeResult> {
  const git = await findGit(access.environment, worktree.repository);
  const repository = git.ok ? await openRepository(git.value, worktree.repository) : git;
  if (!repository.ok) {
    const { failed } = failedProbe('repository', { code: null, stderr: repository.error.message });
    return result(worktree, { commits: null, dirty: null }, { kept: true, notes: [], inspection_failed: failed });
  }
  const { folder, commonDir } = repository.value;
  const inspection = await inspectWorktree(worktree, access);
  const place = { repository: folder, commonDir, worktree };
  if (inspection.own) await unlockWorktree(place);
  if (!isEmpty(inspection)) return kept(worktree, inspection, []);
  const removed = await removeFolder({ ...place, dataFolder: access.dataFolder, force: false });
  if (!removed.ok) return kept(worktree, inspection, [removed.error.message]);
  const notes = await removeBranch(folder, worktree, inspection);
  return result(worktree, inspection, { kept: false, notes: [...inspection.notes, ...notes] });
}

/** Answers notes on a branch that stays. */
async function removeBranch(folder: GitFolder, worktree: Worktree, { branch }: Inspection): Promise<string[]> {
  const fault = branchFault(worktree.branch, branch);
  if (fault !== null) return [fault];
  if (branch.tip === null) return [];
  if (await deleteBranch(folder, worktree.branch, worktree.base_commit)) return [];
  return [`The branch ${worktree.branch} was kept: it is not where it began.`];
}

/** Whether nothing at all would be lost; what is not known counts as something. */
function isEmpty(inspection: Inspection): boolean {
  const { commits, dirty, unreferenced, inspection_failed } = inspection;
  return inspection_failed === undefined && commits === 0 && dirty === false && unreferenced === 0;
}

function kept(worktree: Worktree, inspection: Inspection, more: readonly string[]): WorktreeResult {
  const { unreferenced, inspection_failed, notes } = inspection;
  const lost =
    unreferenced === null || unreferenced === 0 ? [] : [`${String(unreferenced)} commits are on no branch any more.`];
  return result(worktree, inspection, { kept: true, notes: [...notes, ...lost, ...more], inspection_failed });
}

function result(
  { path, branch, base_commit }: Worktree,
  { commits, dirty }: Pick<Inspection, 'commits' | 'dirty'>,
  end: { kept: boolean; notes: readonly string[]; inspection_failed?: Inspection['inspection_failed'] },
): WorktreeResult {
  return {
    path,
    branch,
    base_commit,
    commits,
    dirty,
    kept: end.kept,
    ...(end.inspection_failed === undefined ? {} : { inspection_failed: end.inspection_failed }),
    ...(end.notes.length === 0 ? {} : { note: end.notes.join(' ') }),
  };
}
