import { lstat, readdir, realpath } from 'node:fs/promises';
import { checkoutState } from './checkout-state.ts';
import { findGit } from './find-git.ts';
import { GitFolder, openGitFolder } from './git-folder.ts';
import { failedProbe, type FailedProbe, type Measured } from './probe.ts';
import { exists } from './repository.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import type { WorktreeAccess } from './worktree-access.ts';

/** What is in a worktree (W3). A null is what could not be measured, and `inspection_failed` says why. */
export interface Inspection {
  /** Commits on its branch and on what it has checked out, beyond the base commit. */
  readonly commits: number | null;
  /** Changes that no commit has: of any tracked file, untracked files, changes and commits in submodules. */
  readonly dirty: boolean | null;
  /** Commits that only the worktree's own history of HEAD still knows, such as after a reset. */
  readonly unreferenced: number | null;
  /** The folder is not there any more, or nothing is in it, not even what makes it a worktree. */
  readonly gone: boolean;
  /** Untracked folders that are repositories of their own: no ref of this repository can keep them. */
  readonly nested: readonly string[];
  readonly hasSubmodules: boolean;
  readonly notes: readonly string[];
  readonly inspection_failed?: FailedProbe;
}

const NOTHING_KNOWN: Inspection = {
  commits: null,
  dirty: null,
  unreferenced: null,
  gone: false,
  nested: [],
  hasSubmodules: true,
  notes: [],
};

/** Measures a worktree. Changes nothing, and runs nothing from it. */
export async function inspectWorktree(worktree: Worktree, access: WorktreeAccess): Promise<Inspection> {
  const git = await findGit(access.environment, worktree.repository);
  if (!git.ok) return failed(failedProbe('git', { code: null, stderr: git.error.message }).failed);
  const gone = await isGone(worktree.path);
  const opened = await openGitFolder(git.value, gone ? worktree.repository : worktree.path, 'none', access.signal);
  if (!opened.ok) return failed(failedProbe('config', { code: null, stderr: opened.error.message }).failed);
  if (gone) return inspectBranch(opened.value, worktree);
  const place = await checkPlace(opened.value, worktree);
  if ('failed' in place) return failed(place.failed);
  return inspectCheckout(opened.value, worktree);
}

/** A removal that was ended half-way, with its core, may leave an empty folder; nothing can be lost in one. */
async function isGone(path: string): Promise<boolean> {
  if (!(await exists(path))) return true;
  return readdir(path).then(
    (names) => names.length === 0,
    () => false, // What cannot be read is not known to be empty.
  );
}

function failed(probe: FailedProbe): Inspection {
  return { ...NOTHING_KNOWN, inspection_failed: probe };
}

/** The `.git` file of a worktree can be rewritten by who works there: what is measured must be the repository that it was made of. */
async function checkPlace(checkout: GitFolder, worktree: Worktree): Promise<Measured<true>> {
  if (!(await lstat(worktree.path)).isDirectory()) {
    return failedProbe('lstat', { code: null, stderr: 'there is no folder in its place' });
  }
  const args = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-common-dir'];
  const inside = await checkout.read(args);
  if (!inside.ok) return failedProbe('rev-parse', inside);
  const project = new GitFolder(checkout.git, worktree.repository, []);
  const outside = await project.read(['rev-parse', '--path-format=absolute', '--git-common-dir']);
  if (!outside.ok) return failedProbe('rev-parse', outside);
  const [top = '', common = ''] = inside.stdout.split('\n');
  const isSame =
    (await isSamePath(top, worktree.path)) && (await isSamePath(common, outside.stdout.replace(/\n$/, '')));
  if (isSame) return { found: true };
  return failedProbe('rev-parse', { code: 0, stderr: `the folder belongs to another repository: ${common}` });
}

async function isSamePath(one: string, other: string): Promise<boolean> {
  const real = (path: string): Promise<string> => realpath(path).catch(() => path);
  return (await real(one)) === (await real(other));
}

async function inspectBranch(repository: GitFolder, worktree: Worktree): Promise<Inspection> {
  const commits = await countCommits(repository, worktree, []);
  if ('failed' in commits) return { ...failed(commits.failed), gone: true };
  const notes = ['The folder of the worktree was not there any more.'];
  return {
    ...NOTHING_KNOWN,
    commits: commits.found,
    dirty: false,
    unreferenced: 0,
    gone: true,
    hasSubmodules: false,
    notes,
  };
}

async function inspectCheckout(checkout: GitFolder, worktree: Worktree): Promise<Inspection> {
  const commits = await countCommits(checkout, worktree, ['HEAD']);
  const unreferenced = await countUnreferenced(checkout, worktree);
  const { failed: stateFailed, ...state } = await checkoutState(checkout);
  const fault = 'failed' in commits ? commits.failed : 'failed' in unreferenced ? unreferenced.failed : stateFailed;
  return {
    ...state,
    commits: 'found' in commits ? commits.found : null,
    unreferenced: 'found' in unreferenced ? unreferenced.found : null,
    gone: false,
    ...(fault === undefined ? {} : { inspection_failed: fault }),
  };
}

/** A run may have checked out something else; its branch counts all the same. */
async function countCommits(
  checkout: GitFolder,
  { branch, base_commit }: Worktree,
  tips: readonly string[],
): Promise<Measured<number>> {
  const ref = `refs/heads/${branch}`;
  const known = await checkout.read(['for-each-ref', '--format=%(refname)', ref]);
  if (!known.ok) return failedProbe('for-each-ref', known);
  const all = known.stdout.trim() === ref ? [...tips, ref] : tips;
  if (all.length === 0) return { found: 0 };
  return countOf(await checkout.read(['rev-list', '--count', ...all, `^${base_commit}`]));
}

async function countUnreferenced(checkout: GitFolder, { base_commit }: Worktree): Promise<Measured<number>> {
  const log = await checkout.read(['log', '--walk-reflogs', '--format=%H', 'HEAD']);
  if (!log.ok) return failedProbe('reflog', log);
  const seen = log.stdout.split('\n').filter((line) => line !== '');
  if (seen.length === 0) return { found: 0 };
  const known = ['--not', base_commit, 'HEAD', '--branches', '--tags', '--remotes'];
  const args = ['rev-list', '--count', '--ignore-missing', '--stdin', ...known];
  return countOf(await checkout.read(args, { input: `${seen.join('\n')}\n` }));
}

function countOf(answer: Awaited<ReturnType<GitFolder['read']>>): Measured<number> {
  const count = /^\d+$/.test(answer.stdout.trim()) ? Number(answer.stdout.trim()) : null;
  if (!answer.ok || count === null) return failedProbe('rev-list', answer);
  return { found: count };
}
