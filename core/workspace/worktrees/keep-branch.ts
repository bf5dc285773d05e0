import { ok, type Result } from '../../kit/result.ts';
import { gitFailure } from './git-folder.ts';
import { keepWork } from './keep-work.ts';
import { openWorktree } from './open-worktree.ts';
import { branchFault } from './own-branch.ts';
import { removeFolder } from './remove-worktree.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import type { OwnAccess } from './worktree-access.ts';
import { failure, type WorktreeError } from './worktree-error.ts';

/** What is left of a worktree that was kept as a branch. */
export interface KeptBranch {
  readonly branch: string;
  readonly commit: string;
}

/** How a worktree is kept as a branch. */
export interface KeepRequest extends OwnAccess {
  /** Called when everything is in the branch, before the folder goes, which it does not when this fails; see `finish-change.ts`. */
  readonly beforeRemoval?: () => Promise<Result<null, WorktreeError>>;
}

/** Removes the folder of a worktree and keeps its branch (W4). What was not committed becomes the branch's last commit. */
export async function keepAsBranch(
  worktree: Worktree,
  access: KeepRequest,
): Promise<Result<KeptBranch, WorktreeError>> {
  const opened = await openWorktree(worktree, access);
  if (!opened.ok) return opened;
  const { repository } = opened.value;
  const { branch } = worktree;
  const fault = branchFault(branch, opened.value.inspection.branch);
  if (fault !== null) return failure('git_failed', `${fault} Nothing was changed.`);
  const before = opened.value.inspection.branch.tip;
  const commit = await keepWork(opened.value, worktree, {
    message: `Uncommitted work of ${branch}`,
    submoduleRef: `refs/heads/${branch}`,
    always: false,
    acceptLoss: false,
  });
  if (!commit.ok) return commit;
  if (commit.value !== before) {
    const expected = before ?? '0'.repeat(commit.value.length);
    const moved = await repository.folder.write([
      'update-ref',
      '-m',
      'espalier: keep',
      `refs/heads/${branch}`,
      commit.value,
      expected,
    ]);
    if (!moved.ok)
      return gitFailure(moved, `The branch ${branch} was moved meanwhile. Nothing was removed; try again.`);
  }
  const noted = await access.beforeRemoval?.();
  if (noted?.ok === false) return noted;
  const removed = await removeFolder({
    repository: repository.folder,
    commonDir: repository.commonDir,
    worktree,
    dataFolder: access.dataFolder,
    force: true,
  });
  return removed.ok ? ok({ branch, commit: commit.value }) : removed;
}
