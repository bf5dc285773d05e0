import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { ok, type Result } from '../../kit/result.ts';
import { isInside } from '../containment/resolve-inside.ts';
import { claimMessage } from './claim-branch.ts';
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
import { linkedEntry } from './worktree-place.ts';

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
  const reason = lockReason(request.run_id);
  const found = entriesOf(listed.stdout, reason).filter(({ path }) => isInside(ours, path));
  for (const entry of found) await remove(repository.value, entry, reason);
  await clearClaims(repository.value, ours, request.run_id);
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

/**
 * Gives back what was claimed and not yet made into a worktree: the empty folder, and the branch of the same name, if its log says that it was made
 * for this run. A folder that was claimed in this moment by somebody else is made anew by git.
 */
async function clearClaims({ folder }: Repository, root: string, runId: string): Promise<void> {
  for (const path of await emptyFolders(root)) {
    const branch = `${BRANCH_ROOT}/${relative(root, path).split(sep).join('/')}`;
    const log = await folder.ask(['log', '--walk-reflogs', '--format=%H %gs', `refs/heads/${branch}`, '--']);
    const [commit = '', ...words] = (log ?? '').split('\n').at(-1)?.split(' ') ?? [];
    const isOurs = words.join(' ') === claimMessage(runId);
    if (isOurs) await deleteBranch(folder, branch, commit);
    if (isOurs || log === null) await rmdir(path).catch(() => undefined); // Something is in it by now.
  }
}

async function emptyFolders(root: string): Promise<string[]> {
  const inside = async (path: string): Promise<string[]> =>
    (await readdir(path).catch(() => [])).map((name) => join(path, name));
  const found: string[] = [];
  for (const conversation of await inside(root)) {
    for (const path of await inside(conversation)) {
      const isEmpty = await readdir(path).then(
        (names) => names.length === 0,
        () => false,
      );
      if (isEmpty) found.push(path);
    }
  }
  return found;
}

/** The branch first: it is known by the entry and the folder. */
async function remove(
  { folder, commonDir }: Repository,
  { path, commit, branch }: Entry,
  reason: string,
): Promise<void> {
  const name = branch?.startsWith(`refs/heads/${BRANCH_ROOT}/`) === true ? branch.slice('refs/heads/'.length) : null;
  if (name !== null) await deleteBranch(folder, name, commit);
  const args = ['worktree', 'remove', '--force', '--force', path];
  const removed = await inTurn(commonDir, () => folder.write(args));
  if (removed.ok) return;
  // Half made: git removes its entry once the folder is gone. Another's may have its place by now.
  if (await isLockedFor(path, reason)) await rm(path, { recursive: true, force: true });
  else await rmdir(path).catch(() => undefined);
  await inTurn(commonDir, () => folder.write(args));
}

async function isLockedFor(path: string, reason: string): Promise<boolean> {
  const entry = await linkedEntry(path).catch(() => null);
  if (entry === null) return false;
  const lock = await readFile(join(entry, 'locked'), 'utf8').catch(() => null);
  return lock?.trim() === reason;
}
