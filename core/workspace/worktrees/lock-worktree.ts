import type { Worktree } from '../../protocol/worktree.ts';
import { ok, type Result } from '../../kit/result.ts';
import { gitFailure } from './git-folder.ts';
import { openWorktree } from './open-worktree.ts';
import { unlockWorktree } from './remove-worktree.ts';
import { inTurn } from './repository-turns.ts';
import type { OwnAccess } from './worktree-access.ts';
import { failure, type WorktreeError } from './worktree-error.ts';

/** Why a worktree is locked while its run lives; tells whose it is. */
export function lockReason(runId: string): string {
  return `espalier ${runId}`;
}

/** Locks a kept worktree for the run that goes on in it (W1, C5). Fails when it is not there, or not what it was. */
export async function lockWorktree(worktree: Worktree, access: OwnAccess): Promise<Result<null, WorktreeError>> {
  const opened = await openWorktree(worktree, access);
  if (!opened.ok) return opened;
  const { repository, checkout } = opened.value;
  if (checkout === null) {
    return failure(
      'git_failed',
      `The worktree ${worktree.path} is not there any more, so the run cannot go on in it. Keep it as a branch, which has what was committed, then continue again.`,
    );
  }
  const { folder, commonDir } = repository;
  await unlockWorktree({ repository: folder, commonDir, worktree });
  const args = ['worktree', 'lock', '--reason', lockReason(worktree.run_id), worktree.path];
  const locked = await inTurn(commonDir, () => folder.write(args));
  return locked.ok ? ok(null) : gitFailure(locked, `The worktree ${worktree.path} cannot be locked.`);
}
