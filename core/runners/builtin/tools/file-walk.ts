import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../kit/clock.ts';
import type { InsidePath } from '../../../workspace/containment/resolve-inside.ts';
import { type IgnoreFile, isIgnored, parseIgnoreFile } from './ignore-rules.ts';

export interface WalkedFile {
  /** Absolute. */
  readonly path: string;
  /** Names from the root of the workspace. */
  readonly names: readonly string[];
  readonly type: 'file' | 'link';
}

export interface WalkOptions {
  /** Also what `.gitignore` names, and `node_modules`. */
  readonly includeIgnored: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeLimit: number;
}

/** Why a walk ended before everything was seen. */
export type WalkEnd = 'done' | 'enough' | 'time' | 'stopped';

/** Milliseconds of work before the loop is given back: a stop must be heard. */
const SLICE = 15;
const DEEPEST = 64;
const LARGEST_IGNORE_FILE = 256 * 1024;

/**
 * Walks the files below `start` in the order of their names. Links are reported, never followed; `.git` is never entered, and `node_modules` and
 * what `.gitignore` files name only if asked for or if the walk begins there. `visit` answers false when it has enough.
 */
export async function walkFiles(
  start: InsidePath,
  options: WalkOptions,
  visit: (file: WalkedFile) => boolean,
): Promise<WalkEnd> {
  const { clock, signal, timeLimit } = options;
  const begun = clock.monotonic();
  let slice = performance.now();
  const names = start.relative === '.' ? [] : start.relative.split('/');
  const stack: Folder[] = [
    { path: start.path, names, ignoreFiles: options.includeIgnored ? [] : ignoreFilesAbove(start, names) },
  ];
  for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
    if (!enterFolder(folder, options.includeIgnored, stack, visit)) return 'enough';
    if (performance.now() - slice < SLICE) continue;
    await nextTurn();
    slice = performance.now();
    if (signal.aborted) return 'stopped';
    if (clock.monotonic() - begun > timeLimit) return 'time';
  }
  return 'done';
}

interface Folder {
  readonly path: string;
  readonly names: readonly string[];
  readonly ignoreFiles: readonly IgnoreFile[];
}

/** Visits the files of one folder and puts its folders on the stack; false when the visitor has enough. */
function enterFolder(
  folder: Folder,
  includeIgnored: boolean,
  stack: Folder[],
  visit: (file: WalkedFile) => boolean,
): boolean {
  const entries = entriesOf(folder.path);
  const own = includeIgnored ? null : ignoreFileOf(folder, entries);
  const ignoreFiles = own === null ? folder.ignoreFiles : [...folder.ignoreFiles, own];
  const folders: Folder[] = [];
  for (const entry of entries) {
    const names = [...folder.names, entry.name];
    if (isSkipped(entry, names, ignoreFiles, includeIgnored)) continue;
    const path = join(folder.path, entry.name);
    if (entry.isDirectory()) folders.push({ path, names, ignoreFiles });
    else if (entry.isFile() || entry.isSymbolicLink()) {
      if (!visit({ path, names, type: entry.isFile() ? 'file' : 'link' })) return false;
    }
  }
  if (folder.names.length < DEEPEST) stack.push(...folders.reverse());
  return true;
}

function isSkipped(
  entry: Dirent,
  names: readonly string[],
  ignoreFiles: readonly IgnoreFile[],
  includeIgnored: boolean,
): boolean {
  if (entry.name === '.git') return true;
  if (includeIgnored) return false;
  return (entry.name === 'node_modules' && entry.isDirectory()) || isIgnored(ignoreFiles, names, entry.isDirectory());
}

/** Entries in the order of their names; a folder that cannot be read (or is gone) has none. */
function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // Permission, or removed meanwhile: the walk goes on with the rest.
    return [];
  }
}

function ignoreFileOf(folder: Folder, entries: readonly Dirent[]): IgnoreFile | null {
  return entries.some((entry) => entry.name === '.gitignore' && entry.isFile())
    ? readIgnoreFile(folder.path, folder.names)
    : null;
}

function readIgnoreFile(path: string, names: readonly string[]): IgnoreFile | null {
  try {
    const file = join(path, '.gitignore');
    return statSync(file).size > LARGEST_IGNORE_FILE ? null : parseIgnoreFile(readFileSync(file, 'utf8'), names);
  } catch {
    // Not there or not readable: no rules.
    return null;
  }
}

/** The rules of the folders above the start, from the root of the workspace; none if they would ignore the start itself. */
function ignoreFilesAbove(start: InsidePath, names: readonly string[]): IgnoreFile[] {
  const files: IgnoreFile[] = [];
  for (let depth = 0; depth < names.length; depth += 1) {
    const above = names.slice(0, depth);
    const file = readIgnoreFile(join(start.root, ...above), above);
    if (file !== null) files.push(file);
    if (isIgnored(files, names.slice(0, depth + 1), true)) return [];
  }
  return files;
}
