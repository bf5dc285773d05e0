import { copyFile, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '../../kit/result.ts';
import { commitTree } from './commit-tree.ts';
import { type GitFolder, gitFailure } from './git-folder.ts';
import { hiddenFiles } from './hidden-files.ts';
import { exists } from './repository.ts';
import { failure, type WorktreeError } from './worktree-error.ts';

/** All that a checkout holds, as a commit. */
export interface Snapshot {
  readonly commit: string;
  /** What is checked out. */
  readonly head: string;
  /** Whether the commit holds more than the checked out one. */
  readonly dirty: boolean;
}

/** How a snapshot is made. */
export interface SnapshotOptions {
  readonly message: string;
  /** Commits that the snapshot must keep beside the checked out one. */
  readonly alsoParents?: readonly string[];
  /** A new commit even when nothing changed: its date is the time of the snapshot. */
  readonly always?: boolean;
}

const ADD_MS = 5 * 60_000;

/**
 * Writes the state of a checkout, with uncommitted and untracked files, as a commit on top of what is checked out. Index, files and
 * branches stay as they are: it works on a copy of the index. Ignored files and repositories inside are not in it.
 */
export async function takeSnapshot(
  checkout: GitFolder,
  nested: readonly string[],
  options: SnapshotOptions,
): Promise<Result<Snapshot, WorktreeError>> {
  const printed = await checkout.ask(['rev-parse', 'HEAD^{commit}', 'HEAD^{tree}']);
  const gitDir = await checkout.ask(['rev-parse', '--path-format=absolute', '--git-dir']);
  const index = await checkout.ask(['rev-parse', '--path-format=absolute', '--git-path', 'index']);
  if (printed === null || gitDir === null || index === null) {
    return failure('git_failed', `What is checked out in ${checkout.path} cannot be read.`);
  }
  const [head = '', headTree = ''] = printed.split('\n');
  const tree = await inCopyOfIndex(gitDir, index, (copy) => treeOfFiles(checkout, copy, nested));
  if (!tree.ok) return tree;
  return commitOf(checkout, { head, tree: tree.value, dirty: tree.value !== headTree }, options);
}

async function commitOf(
  checkout: GitFolder,
  { head, tree, dirty }: { head: string; tree: string; dirty: boolean },
  { message, always = false, alsoParents = [] }: SnapshotOptions,
): Promise<Result<Snapshot, WorktreeError>> {
  const parents = [head, ...alsoParents.filter((parent) => parent !== head)];
  if (!dirty && parents.length === 1 && !always) return ok({ commit: head, head, dirty });
  const commit = await commitTree(checkout, { tree, parents, message });
  return commit.ok ? ok({ commit: commit.value, head, dirty }) : commit;
}

/** A full disk has no room even for that: then nothing was begun. */
async function inCopyOfIndex<T>(
  gitDir: string,
  index: string,
  work: (copy: string) => Promise<Result<T, WorktreeError>>,
): Promise<Result<T, WorktreeError>> {
  let folder: string | null = null;
  try {
    folder = await mkdtemp(join(gitDir, 'espalier-'));
    const copy = join(folder, 'index');
    if (await exists(index)) await copyIndex(index, copy);
    return await work(copy);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return failure('git_failed', `The index of the repository could not be copied (${why}). Nothing was changed.`);
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Git takes a file for unchanged when its size and time are those in the index, unless that time is not older than the index file. So a
 * copy must not be younger than the original, or a change of the same length right after a commit would be lost.
 */
async function copyIndex(index: string, copy: string): Promise<void> {
  const { mtimeMs } = await stat(index);
  await copyFile(index, copy);
  const before = Math.floor(mtimeMs / 1000) - 1;
  await utimes(copy, before, before);
}

async function treeOfFiles(
  checkout: GitFolder,
  index: string,
  nested: readonly string[],
): Promise<Result<string, WorktreeError>> {
  const environment = { GIT_INDEX_FILE: index };
  const shown = await showHidden(checkout, environment);
  if (!shown.ok) return shown;
  const without = nested.map((path) => `:(exclude,literal)${path.replace(/\/$/, '')}`);
  // A worktree is as sparse as its project; what a run makes outside of that is work like any other. Git before 2.34 does not know the word.
  const isSparse = (await checkout.ask(['config', '--type=bool', '--get', 'core.sparseCheckout'])) === 'true';
  const all = isSparse ? ['add', '--all', '--sparse'] : ['add', '--all'];
  const added = await checkout.write([...all, '--', '.', ...without], {
    environment,
    config: [
      ['core.safecrlf', 'false'],
      ['advice.addEmbeddedRepo', 'false'],
    ],
    timeoutMs: ADD_MS,
  });
  if (!added.ok) return gitFailure(added, `The files of ${checkout.path} could not be read.`);
  const tree = await checkout.write(['write-tree'], { environment });
  if (!tree.ok) return gitFailure(tree, `The files of ${checkout.path} could not be written down.`);
  return ok(tree.stdout.trim());
}

/** In the copy of the index, git looks at every file again. */
async function showHidden(
  checkout: GitFolder,
  environment: Record<string, string>,
): Promise<Result<null, WorktreeError>> {
  const hidden = await hiddenFiles(checkout);
  if ('failed' in hidden)
    return failure('git_failed', `The files of ${checkout.path} cannot be listed: ${hidden.failed.stderr}`);
  if (hidden.found.length === 0) return ok(null);
  const input = hidden.found.join('\0');
  for (const flag of ['--no-assume-unchanged', '--no-skip-worktree']) {
    const answer = await checkout.write(['update-index', '-z', flag, '--stdin'], { environment, input });
    if (!answer.ok) return gitFailure(answer, `The files of ${checkout.path} could not be read.`);
  }
  return ok(null);
}
