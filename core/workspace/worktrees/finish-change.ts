import { readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worktree, WorktreeChange } from '../../protocol/worktree.ts';
import { ok, type Result } from '../../kit/result.ts';
import { isInside } from '../containment/resolve-inside.ts';
import { moveCheckout } from './apply-worktree.ts';
import { findGit } from './find-git.ts';
import { openGitFolder, type GitFolder } from './git-folder.ts';
import { realAncestor } from './real-ancestor.ts';
import { deleteBranch, removeFolder } from './remove-worktree.ts';
import { openRepository, type Repository } from './repository.ts';
import { inTurn } from './repository-turns.ts';
import type { WorktreeAccess } from './worktree-access.ts';
import { failure, type WorktreeError } from './worktree-error.ts';

/**
 * Brings to its end a change of a worktree that was written down and perhaps begun by a core that went meanwhile. What it keeps was safe before it was
 * written down. Answers whether the change is now done; false: nothing of it had happened, and nothing was changed.
 */
export async function finishChange(
  worktree: Worktree,
  change: WorktreeChange,
  access: WorktreeAccess,
): Promise<Result<boolean, WorktreeError>> {
  const git = await findGit(access.environment, worktree.repository);
  if (!git.ok) return git;
  const repository = await openRepository(git.value, worktree.repository, access.signal);
  if (!repository.ok) return repository;
  if (change.type === 'removal') return finishRemoval(repository.value, worktree, change.branch_tip);
  const project = await openGitFolder(git.value, repository.value.top, 'own', access.signal);
  return project.ok ? finishMove(project.value, change, worktree.branch) : project;
}

/** @param tip where the branch was that goes too; null when it stays */
async function finishRemoval(
  { folder, commonDir }: Repository,
  worktree: Worktree,
  tip: string | null,
): Promise<Result<boolean, WorktreeError>> {
  const other = await isOfAnother(worktree.path, commonDir);
  // Ours is gone, and another project's worktree has its place since.
  if (!other.ok || other.value) return other;
  const removed = await removeFolder({ repository: folder, commonDir, worktree, force: true });
  if (!removed.ok) {
    // Half of it is gone, so that git does not know it any more.
    await rm(worktree.path, { recursive: true, force: true });
  }
  // Of a folder that was gone already the entry may be left.
  await inTurn(commonDir, () => folder.write(['worktree', 'remove', '--force', '--force', worktree.path]));
  if (tip !== null) await deleteBranch(folder, worktree.branch, tip);
  return ok(true);
}

/** Whether the folder is a worktree of another repository. Half of one of ours may have lost its link; what cannot be looked at stays. */
async function isOfAnother(path: string, commonDir: string): Promise<Result<boolean, WorktreeError>> {
  try {
    const link = await readFile(join(path, '.git'), 'utf8');
    const gitDir = /^gitdir: (.+)$/m.exec(link)?.[1];
    return ok(gitDir !== undefined && !isInside(await realpath(commonDir), await realAncestor(gitDir)));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return ok(false);
    return failure('git_failed', `What is at ${path} could not be looked at, and stays: ${message}.`);
  }
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
