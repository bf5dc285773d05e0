import { rmdir } from 'node:fs/promises';
import { ok, type Result } from '../../kit/result.ts';
import { filledSubmodules } from './checkout-state.ts';
import { type GitFolder, gitFailure, openGitFolder } from './git-folder.ts';
import { inTurn } from './repository-turns.ts';
import { exists } from './repository.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import { failure, type WorktreeError } from './worktree-error.ts';
import { placeOf } from './worktree-place.ts';

const REMOVE_MS = 5 * 60_000;

/** A worktree to take away, seen from the project's checkout. */
export interface Removal {
  readonly repository: GitFolder;
  readonly commonDir: string;
  readonly worktree: Worktree;
  readonly dataFolder: string;
  /** Also with changes in it. Without, git looks once more itself, and refuses. */
  readonly force: boolean;
}

/** Lets go of the lock that a worktree has while its run lives. */
export async function unlockWorktree({
  repository,
  commonDir,
  worktree,
}: Omit<Removal, 'force' | 'dataFolder'>): Promise<void> {
  // Fails when it is not locked, which is as good.
  await inTurn(commonDir, () => repository.write(['worktree', 'unlock', worktree.path]));
}

/** Removes the folder and git's entry of it, not the branch. */
export async function removeFolder(removal: Removal): Promise<Result<null, WorktreeError>> {
  const { repository, commonDir, worktree, dataFolder, force } = removal;
  // The last look: it may be another's by now.
  const place = await placeOf(worktree, commonDir, dataFolder);
  if (!place.ok) return place;
  if (place.value.is === 'foreign')
    return failure('git_failed', `What is at ${worktree.path} is not the run's own (${place.value.why}), and stays.`);
  if (place.value.is === 'gone') await rmdir(worktree.path).catch(() => undefined); // Something is in it by now.
  if (place.value.entry === null) return ok(null);
  await unlockWorktree(removal);
  const submodules = await removeSubmodules(repository, worktree);
  if (!submodules.ok) return submodules;
  // Git refuses every worktree with submodules, whatever is in them; they have been looked at.
  const forced = force || submodules.value > 0 ? ['--force'] : [];
  const args = ['worktree', 'remove', ...forced, worktree.path];
  const removed = await inTurn(commonDir, () => repository.write(args, { timeoutMs: REMOVE_MS }));
  // Git knows nothing of one that was removed before, by a core that went before it could say so.
  if (removed.ok || !(await exists(worktree.path))) return ok(null);
  return gitFailure(removed, `The worktree ${worktree.path} was not removed. Close what uses it, then try again.`);
}

/** Submodules are worktrees of their own repositories, whose entries must go too. Answers how many there were. */
async function removeSubmodules(repository: GitFolder, worktree: Worktree): Promise<Result<number, WorktreeError>> {
  if (!(await exists(worktree.path))) return ok(0);
  const outer = await openGitFolder(repository.git, worktree.path, 'none');
  const filled = outer.ok ? await filledSubmodules(outer.value) : null;
  if (filled === null) {
    return failure('git_failed', `The submodules of ${worktree.path} could not be read, so it was not removed.`);
  }
  for (const { checkout } of filled) {
    const dirs = await checkout.ask(['rev-parse', '--path-format=absolute', '--git-common-dir', '--git-dir']);
    const [common = '', own = ''] = (dirs ?? '').split('\n');
    if (common === '' || common === own) continue; // A repository of the run's own making, inside the worktree's.
    const home = await openGitFolder(repository.git, common, 'none');
    if (!home.ok) return home;
    const removed = await inTurn(common, () =>
      home.value.write(['worktree', 'remove', '--force', '--force', checkout.path]),
    );
    if (!removed.ok) return gitFailure(removed, `The submodule ${checkout.path} was not removed.`);
  }
  return ok(filled.length);
}

/** Deletes the branch if it is still at `commit`; a branch that moved meanwhile stays. */
export async function deleteBranch(repository: GitFolder, branch: string, commit: string): Promise<boolean> {
  return (await repository.write(['update-ref', '-d', `refs/heads/${branch}`, commit])).ok;
}
