import { ok, type Result } from '../../kit/result.ts';
import type { ApplyMode } from '../../protocol/worktree.ts';
import { commitTree } from './commit-tree.ts';
import { type GitFolder, gitFailure } from './git-folder.ts';
import { failure, type WorktreeError } from './worktree-error.ts';

/** What to bring where. */
export interface Joining {
  readonly mode: ApplyMode;
  /** What the project has checked out. */
  readonly ours: string;
  readonly theirs: string;
  readonly base: string;
  readonly message: string;
}

/**
 * Computes the commit that the project would be at, without touching any file: a conflict is found before anything was done (W4,
 * case 48).
 */
export async function joinCommits(folder: GitFolder, joining: Joining): Promise<Result<string, WorktreeError>> {
  switch (joining.mode) {
    case 'merge':
      return merge(folder, joining);
    case 'squash':
      return squash(folder, joining);
    case 'cherry-pick':
      return pickAll(folder, joining);
  }
}

async function merge(folder: GitFolder, { ours, theirs, message }: Joining): Promise<Result<string, WorktreeError>> {
  if (await isAncestor(folder, ours, theirs)) return ok(theirs);
  const tree = await mergeTree(folder, ours, theirs);
  return tree.ok ? commitTree(folder, { tree: tree.value, parents: [ours, theirs], message }) : tree;
}

async function squash(folder: GitFolder, { ours, theirs, message }: Joining): Promise<Result<string, WorktreeError>> {
  const tree = await mergeTree(folder, ours, theirs);
  return tree.ok ? commitTree(folder, { tree: tree.value, parents: [ours], message }) : tree;
}

async function pickAll(folder: GitFolder, { ours, theirs, base }: Joining): Promise<Result<string, WorktreeError>> {
  const listed = await folder.read(['rev-list', '--reverse', '--topo-order', '--parents', theirs, `^${base}`]);
  if (!listed.ok) return gitFailure(listed, 'The commits to pick cannot be listed.');
  let tip = ours;
  for (const line of listed.stdout.split('\n').filter((text) => text !== '')) {
    const [commit = '', parent = '', ...others] = line.split(' ');
    if (others.length > 0 || parent === '') {
      return failure('not_linear', 'The run made merges, which cannot be picked one by one. Apply by merge or squash.');
    }
    const picked = await pick(folder, tip, commit, parent);
    if (!picked.ok) return picked;
    tip = picked.value;
  }
  return ok(tip);
}

/** One commit on top of `tip`; the same `tip` when it changes nothing there. */
async function pick(
  folder: GitFolder,
  tip: string,
  commit: string,
  parent: string,
): Promise<Result<string, WorktreeError>> {
  // The state of `tip` as a child of the picked commit's parent: then that parent is the base of the merge.
  const aside = await commitTree(folder, { tree: `${tip}^{tree}`, parents: [parent], message: 'pick' });
  if (!aside.ok) return aside;
  const tree = await mergeTree(folder, aside.value, commit);
  if (!tree.ok) return tree;
  if (tree.value === (await folder.ask(['rev-parse', `${tip}^{tree}`]))) return ok(tip);
  const about = await folder.ask([
    'log',
    '-1',
    '--format=%an%x00%ae%x00%ad%x00%B',
    '--date=raw',
    '--no-show-signature',
    commit,
  ]);
  const [name = '', email = '', date = '', message = ''] = (about ?? '').split('\0');
  const author = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date };
  return commitTree(folder, { tree: tree.value, parents: [tip], message, ...(name === '' ? {} : { author }) });
}

async function mergeTree(folder: GitFolder, ours: string, theirs: string): Promise<Result<string, WorktreeError>> {
  const answer = await folder.write(['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs]);
  const [tree = '', ...paths] = answer.stdout.split('\0').filter((part) => part !== '');
  if (answer.ok) return ok(tree);
  if (answer.code !== 1) return gitFailure(answer, 'The two states could not be joined (git 2.38 or newer is needed).');
  const files = [...new Set(paths)];
  return failure('conflict', `Both sides changed the same places: ${files.join(', ')}. Nothing was changed.`, files);
}

async function isAncestor(folder: GitFolder, one: string, other: string): Promise<boolean> {
  return (await folder.read(['merge-base', '--is-ancestor', one, other])).ok;
}
