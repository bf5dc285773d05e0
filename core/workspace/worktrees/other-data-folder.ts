import { lstat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { Worktree } from '../../protocol/worktree.ts';
import { realAncestor } from './real-ancestor.ts';

/**
 * Why a worktree that was made in another data folder than this one is left alone, with what has it found again. Where that folder is still there, this one
 * is a copy. Where it is not, it was moved; a link in its old place says so, and can only be made where nothing is (decision 0010).
 */
export async function whyElsewhere({ path }: Pick<Worktree, 'path'>, dataFolder: string): Promise<string> {
  const root = dirname(dirname(path));
  const before = dirname(root);
  if (basename(root) !== 'worktrees') return 'it lies in another data folder, from which this one was copied or moved';
  if (await isThere(before)) {
    return `it lies in another data folder, ${before}, of which this one is a copy; open that one to do something with it (ESPALIER_HOME=${before})`;
  }
  const now = await realAncestor(dataFolder);
  const moved = join(now, 'worktrees', relative(root, path));
  const where = (await isThere(moved)) ? `its files are in ${moved} meanwhile` : `nothing is at ${moved}`;
  return `it was made in the data folder ${before}, which is not there any more. If that was moved to ${now}, this has its worktrees found again: ${linking(now, before)}; ${where}`;
}

function linking(target: string, link: string): string {
  if (process.platform === 'win32') return `mklink /J "${link}" "${target}"`;
  return `ln -s ${quoted(target)} ${quoted(link)}`;
}

/** One word of a shell. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
