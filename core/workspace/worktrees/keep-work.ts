import { ok, type Result } from '../../kit/result.ts';
import { checkoutState, filledSubmodules } from './checkout-state.ts';
import { type GitFolder, gitFailure } from './git-folder.ts';
import type { OpenWorktree } from './open-worktree.ts';
import { tipOf } from './own-branch.ts';
import { takeSnapshot } from './snapshot.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import { failure, type WorktreeError } from './worktree-error.ts';

/** How the work of a worktree is kept when its folder goes. */
export interface Keeping {
  readonly message: string;
  /** The ref in submodules' repositories that keeps their commits. */
  readonly submoduleRef: string;
  /** A commit of its own also for a clean worktree. */
  readonly always: boolean;
  /** Goes on although something cannot be kept: the user has seen it. */
  readonly acceptLoss: boolean;
}

/**
 * Makes one commit of everything in a worktree: what is checked out, its branch, uncommitted and untracked files. Commits and changes in
 * submodules are kept by a ref in their own repositories. Fails, naming it, when something cannot be kept so.
 */
export async function keepWork(
  open: OpenWorktree,
  worktree: Worktree,
  keeping: Keeping,
): Promise<Result<string, WorktreeError>> {
  const { checkout, inspection } = open;
  const tip = tipOf(inspection.branch);
  if (checkout === null) {
    return tip === null
      ? failure('git_failed', `Folder and branch ${worktree.branch} are not there any more.`)
      : ok(tip);
  }
  if (inspection.nested.length > 0 && !keeping.acceptLoss) return wouldLose(inspection.nested);
  const submodules = await keepSubmodules(checkout, keeping);
  if (!submodules.ok) return submodules;
  const snapshot = await takeSnapshot(checkout, inspection.nested, {
    message: keeping.message,
    always: keeping.always,
    alsoParents: [
      ...(await notReachable(checkout, tip)),
      ...(await unreferencedTips(checkout, inspection.unreferenced)),
    ],
  });
  return snapshot.ok ? ok(snapshot.value.commit) : snapshot;
}

function wouldLose(paths: readonly string[]) {
  return failure(
    'would_lose',
    `These repositories inside the worktree would be lost, no branch can hold them: ${paths.join(', ')}. Move them out first, or discard knowing it.`,
    paths,
  );
}

/** The branch's tip when what is checked out does not contain it. */
async function notReachable(checkout: GitFolder, tip: string | null): Promise<string[]> {
  if (tip === null || (await checkout.read(['merge-base', '--is-ancestor', tip, 'HEAD'])).ok) return [];
  return [tip];
}

const MAX_PARENTS = 64;

/** Commits that only the history of HEAD still knows, without those that another of them contains. */
async function unreferencedTips(checkout: GitFolder, count: number | null): Promise<string[]> {
  if (count === 0) return [];
  const seen = (await checkout.ask(['log', '--walk-reflogs', '--format=%H', 'HEAD'])) ?? '';
  const hashes = [...new Set(seen.split('\n').filter((line) => line !== ''))];
  const known = ['--not', 'HEAD', '--branches', '--tags', '--remotes'];
  const free = await checkout.read(['rev-list', '--ignore-missing', '--stdin', ...known], {
    input: `${hashes.join('\n')}\n`,
  });
  const lost = new Set(free.stdout.split('\n').filter((line) => line !== ''));
  const candidates = hashes.filter((hash) => lost.has(hash)).slice(0, MAX_PARENTS);
  if (candidates.length < 2) return candidates;
  const independent = await checkout.ask(['merge-base', '--independent', ...candidates]);
  return independent === null ? candidates : independent.split('\n');
}

async function keepSubmodules(checkout: GitFolder, keeping: Keeping): Promise<Result<null, WorktreeError>> {
  const filled = await filledSubmodules(checkout);
  if (filled === null)
    return failure('git_failed', `The submodules of ${checkout.path} cannot be read. Nothing was removed.`);
  for (const { path, checkout: inside, commit } of filled) {
    const state = await checkoutState(inside);
    if (state.failed !== undefined) {
      return failure(
        'git_failed',
        `The submodule ${path} cannot be read (${state.failed.stderr}). Nothing was removed.`,
      );
    }
    const head = await inside.ask(['rev-parse', '--verify', '--quiet', 'HEAD']);
    if (state.dirty === false && head === commit) continue;
    const kept = await keepSubmodule(inside, path, state.nested, keeping);
    if (!kept.ok) return kept;
  }
  return ok(null);
}

async function keepSubmodule(
  inside: GitFolder,
  path: string,
  nested: readonly string[],
  { message, submoduleRef, acceptLoss }: Keeping,
): Promise<Result<null, WorktreeError>> {
  const dirs = await inside.ask(['rev-parse', '--path-format=absolute', '--git-common-dir', '--git-dir']);
  const [common, own] = (dirs ?? '').split('\n');
  // A repository of its own inside the worktree's: it goes with it, refs and all.
  if ((common === own || nested.length > 0) && !acceptLoss) return wouldLose(common === own ? [path] : nested);
  const snapshot = await takeSnapshot(inside, nested, { message });
  if (!snapshot.ok) return snapshot;
  const set = await inside.write(['update-ref', submoduleRef, snapshot.value.commit]);
  return set.ok
    ? ok(null)
    : gitFailure(set, `The commits of the submodule ${path} could not be kept. Nothing was removed.`);
}
