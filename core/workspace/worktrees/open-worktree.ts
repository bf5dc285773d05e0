import { ok, type Result } from '../../kit/result.ts';
import { findGit } from './find-git.ts';
import { type GitFolder, openGitFolder } from './git-folder.ts';
import { type Inspection, inspectWorktree } from './inspect-worktree.ts';
import { openRepository, type Repository } from './repository.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import type { OwnAccess } from './worktree-access.ts';
import { failure, type WorktreeError } from './worktree-error.ts';

/** A worktree with its repository, for what is done with it after its run. */
export interface OpenWorktree {
  readonly repository: Repository;
  /** The worktree's folder; the user's own filters run in it. Null when it is gone. */
  readonly checkout: GitFolder | null;
  readonly inspection: Inspection;
}

/** Opens a worktree whose place was checked. Fails when something of it could not be measured: nothing is done on a guess. */
export async function openWorktree(
  worktree: Worktree,
  access: OwnAccess,
): Promise<Result<OpenWorktree, WorktreeError>> {
  const git = await findGit(access.environment, worktree.repository);
  if (!git.ok) return git;
  const repository = await openRepository(git.value, worktree.repository, access.signal);
  if (!repository.ok) return repository;
  const inspection = await inspectWorktree(worktree, access);
  const fault = inspection.inspection_failed;
  if (fault !== undefined) {
    return failure(
      'git_failed',
      `The worktree ${worktree.path} could not be read (${fault.probe}: ${fault.stderr}). Nothing was changed.`,
    );
  }
  if (inspection.gone) return ok({ repository: repository.value, checkout: null, inspection });
  const checkout = await openGitFolder(git.value, worktree.path, 'own', access.signal);
  return checkout.ok ? ok({ repository: repository.value, checkout: checkout.value, inspection }) : checkout;
}
