import type { Worktree } from '../../protocol/worktree.ts';
import { findGit } from './find-git.ts';
import { openRepository } from './repository.ts';
import type { OwnAccess } from './worktree-access.ts';
import { placeOf } from './worktree-place.ts';

/** Why nothing may be started in the worktree of a run; null when it is there and is the run's own. */
export async function strayFault(worktree: Worktree, access: OwnAccess): Promise<string | null> {
  const git = await findGit(access.environment, worktree.repository);
  if (!git.ok) return git.error.message;
  const repository = await openRepository(git.value, worktree.repository, access.signal);
  if (!repository.ok) return repository.error.message;
  const place = await placeOf(worktree, repository.value.commonDir, access.dataFolder);
  if (!place.ok) return place.error.message;
  switch (place.value.is) {
    case 'own':
      return null;
    case 'half':
    case 'gone':
      return `The worktree ${worktree.path} is not there any more. Retry the run.`;
    case 'foreign':
      return `What is at ${worktree.path} is not the run's own (${place.value.why}), and is left alone. Retry the run.`;
  }
}
