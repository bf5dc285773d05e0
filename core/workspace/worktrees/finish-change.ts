import { rm } from 'node:fs/promises';
import type { Worktree, WorktreeChange } from '../../protocol/worktree.ts';
import { ok, type Result } from '../../kit/result.ts';
import { moveCheckout } from './apply-worktree.ts';
import { findGit } from './find-git.ts';
import { openGitFolder, type GitFolder } from './git-folder.ts';
import { namedBranch } from './own-branch.ts';
import { deleteBranch, removeFolder } from './remove-worktree.ts';
import { openRepository, type Repository } from './repository.ts';
import { inTurn } from './repository-turns.ts';
import type { OwnAccess } from './worktree-access.ts';
import { failure, type WorktreeError } from './worktree-error.ts';
import { isOwnWorktree, placeOf, type Place } from './worktree-place.ts';

/**
 * Brings to its end a change of a worktree that was written down and perhaps begun by a core that went meanwhile. What it keeps was safe before it was
 * written down. Answers whether the change is now done; false: nothing of it had happened, and nothing was changed.
 */
export async function finishChange(
  worktree: Worktree,
  change: WorktreeChange,
  access: OwnAccess,
): Promise<Result<boolean, WorktreeError>> {
  if (!(await isOwnWorktree(access.dataFolder, worktree))) return ok(false);
  const git = await findGit(access.environment, worktree.repository);
  if (!git.ok) return git;
  const repository = await openRepository(git.value, worktree.repository, access.signal);
  if (!repository.ok) return repository;
  if (change.type === 'removal') return finishRemoval(repository.value, worktree, change.branch_tip, access.dataFolder);
  const project = await openGitFolder(git.value, repository.value.top, 'own', access.signal);
  return project.ok ? finishMove(project.value, change, worktree.branch) : project;
}

/** @param tip where the branch was that goes too; null when it stays */
async function finishRemoval(
  repository: Repository,
  worktree: Worktree,
  tip: string | null,
  dataFolder: string,
): Promise<Result<boolean, WorktreeError>> {
  const { folder, commonDir } = repository;
  const place = await placeOf(worktree, commonDir, dataFolder);
  if (!place.ok) return place;
  const branch = await namedBranch(folder, worktree, place.value);
  if ('failed' in branch) return failure('git_failed', `The branches cannot be read: ${branch.failed.stderr}`);
  // Ours is gone, when another's has its place since.
  if (place.value.is !== 'foreign') await removeRest(repository, worktree, place.value, dataFolder);
  const { owner, usedAt } = branch.found;
  // Whose it was is known from then, when its log has expired.
  if (tip !== null && owner !== 'other' && usedAt === null) await deleteBranch(folder, worktree.branch, tip);
  return ok(true);
}

async function removeRest(
  { folder, commonDir }: Repository,
  worktree: Worktree,
  place: Exclude<Place, { is: 'foreign' }>,
  dataFolder: string,
): Promise<void> {
  const removed = await removeFolder({ repository: folder, commonDir, worktree, dataFolder, force: true });
  const rest = removed.ok ? null : await placeOf(worktree, commonDir, dataFolder);
  // Half of it is gone, so that git does not know it any more.
  if (rest?.ok === true && (rest.value.is === 'own' || rest.value.is === 'half'))
    await rm(worktree.path, { recursive: true, force: true });
  // Of a folder that was gone already the entry may be left.
  if (place.entry === null) return;
  await inTurn(commonDir, () => folder.write(['worktree', 'remove', '--force', '--force', worktree.path]));
}

/** Files that are moved already stay as they are, and what is missing follows. A project that has gone on since is left alone. */
async function finishMove(
  project: GitFolder,
  { from, to }: Extract<WorktreeChange, { type: 'move' }>,
  branch: string,
): Promise<Result<boolean, WorktreeError>> {
  if ((await project.read(['merge-base', '--is-ancestor', to, 'HEAD'])).ok) return ok(true);
  if ((await project.ask(['rev-parse', '--verify', '--quiet', 'HEAD'])) !== from) return ok(false);
  return ok((await moveCheckout(project, { from, to }, branch)).ok);
}
