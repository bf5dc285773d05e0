import { err, ok, type Result } from '../../kit/result.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import { openWorktree, type OpenWorktree } from './open-worktree.ts';
import { branchFault } from './own-branch.ts';
import { deleteBranch, removeFolder } from './remove-worktree.ts';
import type { OwnAccess } from './worktree-access.ts';
import { failure, type WorktreeError } from './worktree-error.ts';

/** Why nothing in a worktree would be lost with it, or null when something would, or might. Reads only. */
export async function whyUnneeded(worktree: Worktree, access: OwnAccess): Promise<string | null> {
  const opened = await openWorktree(worktree, access);
  return opened.ok ? reasonOf(opened.value, worktree) : null;
}

/** Removes the folder and the branch of such a worktree, after one more look. */
export async function removeUnneeded(worktree: Worktree, access: OwnAccess): Promise<Result<null, WorktreeError>> {
  const opened = await openWorktree(worktree, access);
  if (!opened.ok) return opened;
  if ((await reasonOf(opened.value, worktree)) === null) {
    return failure('git_failed', 'Something is in it now that the project does not have. Nothing was removed.');
  }
  const { folder, commonDir } = opened.value.repository;
  const { tip } = opened.value.inspection.branch;
  const { dataFolder } = access;
  const removed = await removeFolder({ repository: folder, commonDir, worktree, dataFolder, force: false });
  if (!removed.ok) return err(removed.error);
  if (tip !== null) await deleteBranch(folder, worktree.branch, tip);
  return ok(null);
}

async function reasonOf({ repository, inspection }: OpenWorktree, { branch }: Worktree): Promise<string | null> {
  const { commits, dirty, unreferenced, nested, gone, branch: named } = inspection;
  if (branchFault(branch, named) !== null) return null;
  if (dirty !== false || unreferenced !== 0 || nested.length > 0) return null;
  if (commits === 0) return gone ? 'Its folder is gone, and no commit was made in it.' : 'Nothing is in it.';
  if (named.tip === null) return null;
  const contained = await repository.folder.read(['merge-base', '--is-ancestor', named.tip, 'HEAD']);
  return contained.ok ? 'The project has all its commits, and nothing else is in it.' : null;
}
