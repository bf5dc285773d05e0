import type { Worktree } from '../../protocol/worktree.ts';
import { claimMessage } from './claim-branch.ts';
import type { GitFolder } from './git-folder.ts';
import { failedProbe, type Measured } from './probe.ts';
import { realAncestor } from './real-ancestor.ts';
import { makerOf, type Place } from './worktree-place.ts';

/** The branch that has the name of a run's branch. */
export interface NamedBranch {
  /** Null: there is none. */
  readonly tip: string | null;
  /** `other`: somebody else made it; `unknown`: its log no longer tells. */
  readonly owner: 'own' | 'other' | 'unknown';
  /** Where somebody has it checked out, other than in the worktree. */
  readonly usedAt: string | null;
}

/** Looks whose the branch of a worktree is: the worktree's that has it checked out, else his who made it, by the first line of its log. Changes nothing. */
export async function namedBranch(
  repository: GitFolder,
  worktree: Worktree,
  place: Place,
): Promise<Measured<NamedBranch>> {
  const ref = `refs/heads/${worktree.branch}`;
  const format = '--format=%(refname)%00%(objectname)%00%(worktreepath)';
  const found = await repository.read(['for-each-ref', format, ref]);
  if (!found.ok) return failedProbe('for-each-ref', found);
  const [name, tip = '', where = ''] = found.stdout.replace(/\n$/, '').split('\0');
  if (name !== ref) return { found: { tip: null, owner: 'own', usedAt: null } };
  const isHere = where !== '' && (await realAncestor(where)) === (await realAncestor(worktree.path));
  if (isHere && place.is !== 'foreign' && place.entry !== null) return { found: { tip, owner: 'own', usedAt: null } };
  const owner = await makerByLog(repository, ref, worktree);
  return { found: { tip, owner, usedAt: where === '' ? null : where } };
}

/** Why the branch may not be deleted or moved; null when it may. */
export function branchFault(branch: string, { tip, owner, usedAt }: NamedBranch): string | null {
  if (tip === null) return null;
  if (owner === 'other') return `The branch ${branch} is not the one that the run had.`;
  if (usedAt !== null) return `The branch ${branch} is checked out at ${usedAt}.`;
  if (owner === 'own') return null;
  return `It cannot be told any more whether the branch ${branch} is the run's: its log has expired. If it is, delete it with: git branch -D ${branch}.`;
}

/** The commit of the branch, unless it is somebody else's. */
export function tipOf({ tip, owner }: NamedBranch): string | null {
  return owner === 'other' ? null : tip;
}

async function makerByLog(repository: GitFolder, ref: string, worktree: Worktree): Promise<NamedBranch['owner']> {
  const log = await repository.ask(['log', '--walk-reflogs', '--format=%gs', ref, '--']);
  const first = (log ?? '').split('\n').at(-1) ?? '';
  if (first === claimMessage(makerOf(worktree))) return 'own';
  // What git writes for a branch that was made by hand; any other line only says that earlier ones have expired.
  const isOther = first.startsWith(claimMessage('')) || /^branch: /.test(first);
  return isOther ? 'other' : 'unknown';
}
