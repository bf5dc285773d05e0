import { findGit } from './find-git.ts';
import { baseCommit } from './prepare-worktree.ts';
import { openRepository } from './repository.ts';
import type { WorktreeAccess } from './worktree-access.ts';
import type { WorktreeError } from './worktree-error.ts';

/** Why no worktree could be made of a project as it is now, with the way out; null when one could (W2). Changes nothing. */
export async function isolationObstacle({
  project,
  environment,
}: WorktreeAccess & { readonly project: string }): Promise<WorktreeError | null> {
  const git = await findGit(environment, project);
  if (!git.ok) return git.error;
  const repository = await openRepository(git.value, project);
  if (!repository.ok) return repository.error;
  const base = await baseCommit(repository.value, 'HEAD');
  return base.ok ? null : base.error;
}
