import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../kit/result.ts';
import { isInside } from '../containment/resolve-inside.ts';
import { findGit } from './find-git.ts';
import { gitFailure } from './git-folder.ts';
import { lockReason } from './lock-worktree.ts';
import { realAncestor } from './real-ancestor.ts';
import { deleteBranch } from './remove-worktree.ts';
import { openRepository, type Repository } from './repository.ts';
import { inTurn } from './repository-turns.ts';
import type { WorktreeAccess } from './worktree-access.ts';
import type { WorktreeError } from './worktree-error.ts';
import { BRANCH_ROOT } from './worktree-names.ts';

/** What a cut-short preparation may have left. */
export interface UnusedRequest extends WorktreeAccess {
  /** A run that never got a worktree: nobody has worked in what is found. */
  readonly run_id: string;
  readonly project: string;
  readonly dataFolder: string;
}

interface Entry {
  readonly path: string;
  readonly commit: string;
  readonly branch: string | null;
}

/**
 * Removes the worktrees that were begun for a run and never handed to it, because the core went while it made them. They are known by the reason of
 * their lock, and only those in our data folder are ours. Answers how many there were.
 */
export async function clearUnused(request: UnusedRequest): Promise<Result<number, WorktreeError>> {
  const git = await findGit(request.environment, request.project);
  if (!git.ok) return git;
  const repository = await openRepository(git.value, request.project, request.signal);
  if (!repository.ok) return repository;
  const listed = await repository.value.folder.read(['worktree', 'list', '--porcelain', '-z']);
  if (!listed.ok) return gitFailure(listed, 'The worktrees of the project cannot be listed.');
  const ours = join(await realAncestor(request.dataFolder), 'worktrees');
  const found = entriesOf(listed.stdout, lockReason(request.run_id)).filter(({ path }) => isInside(ours, path));
  for (const entry of found) await remove(repository.value, entry);
  return ok(found.length);
}

/** The worktrees that are locked for that reason. */
function entriesOf(porcelain: string, reason: string): Entry[] {
  return porcelain.split('\0\0').flatMap((block) => {
    const lines = block.split('\0');
    const value = (key: string): string | null =>
      lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1) ?? null;
    const path = value('worktree');
    if (path === null || value('locked') !== reason) return [];
    return [{ path, commit: value('HEAD') ?? '', branch: value('branch') }];
  });
}

async function remove({ folder, commonDir }: Repository, { path, commit, branch }: Entry): Promise<void> {
  const args = ['worktree', 'remove', '--force', '--force', path];
  const removed = await inTurn(commonDir, () => folder.write(args));
  if (!removed.ok) {
    // Half made: git removes its entry once the folder is gone.
    await rm(path, { recursive: true, force: true });
    await inTurn(commonDir, () => folder.write(args));
  }
  const name = branch?.startsWith(`refs/heads/${BRANCH_ROOT}/`) === true ? branch.slice('refs/heads/'.length) : null;
  if (name !== null) await deleteBranch(folder, name, commit);
}
