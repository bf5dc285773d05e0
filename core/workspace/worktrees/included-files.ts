import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { openInside } from '../containment/open-inside.ts';
import { writeInside } from '../containment/write-inside.ts';
import type { GitFolder } from './git-folder.ts';
import { isAbsent } from './is-absent.ts';

/** The file that lists, in the form of a `.gitignore`, which ignored files a worktree gets a copy of. */
const INCLUDE_FILE = '.worktreeinclude';

/** It is for settings and small data, not for builds and dependencies. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_ALL_BYTES = 256 * 1024 * 1024;
const MAX_FILES = 5_000;
const LIST_MS = 30_000;

/**
 * Copies the ignored files that `.worktreeinclude` lists from the project's checkout into a new worktree (W1). Only regular files, reached
 * without following a link, and nothing that is there already. Answers notes on what was not copied.
 */
export async function copyIncludedFiles(checkout: GitFolder, worktree: string): Promise<string[]> {
  const list = join(checkout.path, INCLUDE_FILE);
  const stat = await lstat(list).catch((error: unknown) => (isAbsent(error) ? null : 'unreadable'));
  if (stat === null) return [];
  if (stat === 'unreadable' || !stat.isFile())
    return [`${INCLUDE_FILE} is not a regular file; nothing was copied by it.`];
  const listed = await listedFiles(checkout, list);
  if (listed === null) return [`The files of ${INCLUDE_FILE} could not be listed; none was copied.`];
  const left: string[] = [];
  let bytes = 0;
  for (const [at, path] of listed.entries()) {
    const copied = at < MAX_FILES && bytes < MAX_ALL_BYTES ? await copyFile(checkout.path, worktree, path) : null;
    if (copied === null) left.push(path);
    else bytes += copied;
  }
  return left.length === 0 ? [] : [`Not copied by ${INCLUDE_FILE}: ${shownList(left)}.`];
}

/** Files that the list names and that git ignores: what is neither is in the commit, or the user's untracked work. */
async function listedFiles(checkout: GitFolder, list: string): Promise<string[] | null> {
  const others = ['ls-files', '--others', '--ignored', '-z'];
  const named = await checkout.read([...others, `--exclude-from=${list}`], { timeoutMs: LIST_MS });
  if (!named.ok) return null;
  const files = named.stdout.split('\0').filter((path) => path !== '' && !path.endsWith('/'));
  if (files.length === 0) return [];
  const ignored = await checkout.read(['check-ignore', '-z', '--stdin'], {
    input: files.join('\0'),
    timeoutMs: LIST_MS,
  });
  // Status 1: none of them is ignored.
  return ignored.ok || ignored.code === 1 ? ignored.stdout.split('\0').filter((path) => path !== '') : null;
}

/** Bytes copied, or null if it was not. */
async function copyFile(from: string, to: string, path: string): Promise<number | null> {
  const source = await openInside(from, path);
  if (!source.ok) return null;
  const { handle, relative, size } = source.value;
  try {
    if (relative !== path || size > MAX_FILE_BYTES) return null;
    const content = await handle.readFile();
    const written = await writeInside(to, path, content, { expected: 'absent' });
    if (!written.ok) return null;
    await copyMode(await handle.stat(), written.value.path);
    return content.byteLength;
  } catch {
    return null; // It changed, or the disk is full; the note names it.
  } finally {
    await handle.close();
  }
}

async function copyMode({ mode }: { mode: number }, path: string): Promise<void> {
  const copy = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    await copy.chmod(mode & 0o777);
  } finally {
    await copy.close();
  }
}

const SHOWN = 5;

/** The first few of many, and how many more. */
function shownList(paths: readonly string[]): string {
  const more = paths.length - SHOWN;
  return `${paths.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
