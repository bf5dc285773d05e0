import { realpath } from 'node:fs/promises';
import { checkoutState } from './checkout-state.ts';
import { findGit } from './find-git.ts';
import { type GitFolder, openGitFolder } from './git-folder.ts';
import { failedProbe, type FailedProbe, type Measured } from './probe.ts';
import { namedBranch, type NamedBranch, tipOf } from './own-branch.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import type { OwnAccess } from './worktree-access.ts';
import { placeOf, type Place } from './worktree-place.ts';

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
  /** What is in its place is the run's, or nothing is: only then may anything of it be changed. */
  readonly own: boolean;
  readonly branch: NamedBranch;
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
  own: false,
  branch: { tip: null, owner: 'unknown', usedAt: null },
  nested: [],
  hasSubmodules: true,
  notes: [],
};

/** Measures a worktree. Changes nothing, and runs nothing from it. */
export async function inspectWorktree(worktree: Worktree, access: OwnAccess): Promise<Inspection> {
  const git = await findGit(access.environment, worktree.repository);
  if (!git.ok) return failed('git', git.error.message);
  const project = await openGitFolder(git.value, worktree.repository, 'none', access.signal);
  if (!project.ok) return failed('config', project.error.message);
  const common = await project.value.read(['rev-parse', '--path-format=absolute', '--git-common-dir']);
  if (!common.ok) return { ...NOTHING_KNOWN, inspection_failed: failedProbe('rev-parse', common).failed };
  const commonDir = common.stdout.replace(/\n$/, '');
  const place = await placeOf(worktree, commonDir, access.dataFolder);
  if (!place.ok) return failed('place', place.error.message);
  if (place.value.is === 'foreign') {
    // Our own words, with what is to be done: not cut as what git says is.
    const stderr = `it is not the run's own: ${place.value.why}`;
    return { ...NOTHING_KNOWN, inspection_failed: { probe: 'owner', exit_code: null, stderr } };
  }
  const outside = { project: project.value, commonDir, place: place.value, access };
  return { ...(await inspectOwn(worktree, outside)), own: true };
}

/** Where a worktree's own place is looked at from. */
interface Outside {
  readonly project: GitFolder;
  readonly commonDir: string;
  readonly place: Exclude<Place, { is: 'foreign' }>;
  readonly access: OwnAccess;
}

async function inspectOwn(worktree: Worktree, outside: Outside): Promise<Inspection> {
  const { project, place } = outside;
  if (place.is === 'half') return failed('link', 'the folder has lost its link to the repository (.git)');
  const branch = await namedBranch(project, worktree, place);
  if ('failed' in branch) return { ...NOTHING_KNOWN, gone: place.is === 'gone', inspection_failed: branch.failed };
  if (place.is === 'gone') return inspectBranch(project, worktree, branch.found);
  const checkout = await openGitFolder(project.git, worktree.path, 'none', outside.access.signal);
  if (!checkout.ok) return failed('config', checkout.error.message);
  const checked = await checkPlace(checkout.value, worktree, outside.commonDir);
  if ('failed' in checked) return { ...NOTHING_KNOWN, inspection_failed: checked.failed };
  return inspectCheckout(checkout.value, worktree, branch.found);
}

function failed(probe: string, stderr: string): Inspection {
  return { ...NOTHING_KNOWN, inspection_failed: failedProbe(probe, { code: null, stderr }).failed };
}

/** Its configuration can lead git elsewhere: what is measured must be the repository that it was made of. */
async function checkPlace(checkout: GitFolder, worktree: Worktree, commonDir: string): Promise<Measured<true>> {
  const args = ['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-common-dir'];
  const inside = await checkout.read(args);
  if (!inside.ok) return failedProbe('rev-parse', inside);
  const [top = '', common = ''] = inside.stdout.split('\n');
  if ((await isSamePath(top, worktree.path)) && (await isSamePath(common, commonDir))) return { found: true };
  return failedProbe('rev-parse', { code: 0, stderr: `the folder belongs to another repository: ${common}` });
}

async function isSamePath(one: string, other: string): Promise<boolean> {
  const real = (path: string): Promise<string> => realpath(path).catch(() => path);
  return (await real(one)) === (await real(other));
}

async function inspectBranch(repository: GitFolder, worktree: Worktree, branch: NamedBranch): Promise<Inspection> {
  const commits = await countCommits(repository, worktree, branch, []);
  if ('failed' in commits) return { ...NOTHING_KNOWN, gone: true, inspection_failed: commits.failed };
  const notes = ['The folder of the worktree was not there any more.'];
  return {
    ...NOTHING_KNOWN,
    commits: commits.found,
    dirty: false,
    unreferenced: 0,
    gone: true,
    branch,
    hasSubmodules: false,
    notes,
  };
}

async function inspectCheckout(checkout: GitFolder, worktree: Worktree, branch: NamedBranch): Promise<Inspection> {
  const commits = await countCommits(checkout, worktree, branch, ['HEAD']);
  const unreferenced = await countUnreferenced(checkout, worktree);
  const { failed: stateFailed, ...state } = await checkoutState(checkout);
  const fault = 'failed' in commits ? commits.failed : 'failed' in unreferenced ? unreferenced.failed : stateFailed;
  return {
    ...NOTHING_KNOWN,
    ...state,
    commits: 'found' in commits ? commits.found : null,
    unreferenced: 'found' in unreferenced ? unreferenced.found : null,
    branch,
    ...(fault === undefined ? {} : { inspection_failed: fault }),
  };
}

/** A run may have checked out something else; its branch counts all the same. */
async function countCommits(
  checkout: GitFolder,
  { base_commit }: Worktree,
  branch: NamedBranch,
  tips: readonly string[],
): Promise<Measured<number>> {
  const tip = tipOf(branch);
  const all = tip === null ? tips : [...tips, tip];
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
