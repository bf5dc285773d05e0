import { accessSync, constants, lstatSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSameProcess } from '../../kit/process-tree/host-processes.ts';
import { useBuiltStorageThread } from '../place/storage-thread.ts';
import { readCoreInfo } from '../../registry/lock/core-info.ts';
import { createReader, type Reader } from '../../registry/reader/reader.ts';
import type { Clock } from '../../kit/clock.ts';

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** What was found, and what to do if it is not well. */
  readonly detail: string;
}

/** Below this a batch of any size may fill the disk. */
const LITTLE_BYTES = 512 * 1024 * 1024;

/** A reader for a process that has no core; close it. */
export function openStorageReader(clock: Clock, packageRoot: string): Reader {
  useBuiltStorageThread(packageRoot);
  return createReader(clock);
}

/** Looks at a data folder: who has it, rights, room, the integrity of every database (in the reader's thread), what was left. Reads only. */
export async function checkStorage(home: string, reader: Reader): Promise<Check[]> {
  if (statSync(home, { throwIfNoEntry: false }) === undefined) {
    return [{ name: 'data folder', ok: true, detail: `${home} does not exist yet; it is made when it is needed.` }];
  }
  if (!statSync(home).isDirectory()) {
    return [{ name: 'data folder', ok: false, detail: `${home} is a file. Name a folder as ESPALIER_HOME.` }];
  }
  const checked: Check[] = [];
  for (const path of databases(home)) checked.push(await checkDatabase(path, reader));
  return [
    checkFolder(home),
    checkModes(home),
    checkRoom(home),
    await checkHolder(home),
    ...checked,
    ...checkLeft(home),
  ];
}

function checkFolder(home: string): Check {
  const name = 'data folder';
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'unknown';
    const what =
      why === 'EROFS' ? 'Its disk is mounted read-only: mount it writable.' : 'Give yourself the rights to it.';
    return { name, ok: false, detail: `${home} cannot be written (${why}). ${what}` };
  }
  const open = process.platform !== 'win32' && (statSync(home).mode & 0o077) !== 0;
  if (!open) return { name, ok: true, detail: home };
  return { name, ok: false, detail: `${home} can be entered by others. Close it: chmod 700 "${home}".` };
}

/** Working copies of projects are the user's own files, with the modes that git gives them, behind a folder that nobody else enters. */
const OTHERS = new Set(['worktrees', 'demo']);

/** Databases, logs, transcripts' files: for their owner alone (D7). */
function checkModes(home: string): Check {
  const name = 'file modes';
  if (process.platform === 'win32') return { name, ok: true, detail: 'left to the system on Windows' };
  const open = readdirSync(home)
    .filter((entry) => !OTHERS.has(entry))
    .flatMap((entry) => openBelow(join(home, entry)));
  const [first] = open;
  if (first === undefined) return { name, ok: true, detail: 'nothing can be read by others' };
  const more = open.length === 1 ? '' : ` and ${String(open.length - 1)} more`;
  return { name, ok: false, detail: `${first}${more} can be read by others. Close: chmod -R go-rwx "${home}".` };
}

function openBelow(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink()) return [];
  if (!found.isDirectory()) return found.isFile() && (found.mode & 0o077) !== 0 ? [path] : [];
  return names(path).flatMap((name) => openBelow(join(path, name)));
}

function checkRoom(home: string): Check {
  const { bavail, bsize } = statfsSync(home);
  const bytes = bavail * bsize;
  const detail = `${(bytes / 2 ** 30).toFixed(1)} GiB free`;
  const ok = bytes >= LITTLE_BYTES;
  return {
    name: 'disk',
    ok,
    detail: ok ? detail : `${detail}: make room; espalier gc --dry-run lists what Espalier can do without.`,
  };
}

/** Who said last that it is the core of this folder, and whether it lives (D2). */
async function checkHolder(home: string): Promise<Check> {
  const name = 'lock';
  const info = readCoreInfo(home);
  if (info === null) return { name, ok: true, detail: 'no core runs' };
  const { pid, startTime } = info;
  const lives = startTime !== null && (await isSameProcess({ pid, startTime }));
  const words = lives
    ? `held by the core in process ${String(pid)}`
    : `left by process ${String(pid)}, which is gone; the next core takes it`;
  return { name, ok: true, detail: words };
}

function databases(home: string): string[] {
  const projects = names(join(home, 'projects')).map((id) => join(home, 'projects', id, 'project.db'));
  return [join(home, 'app.db'), ...projects];
}

async function checkDatabase(path: string, reader: Reader): Promise<Check> {
  const name = 'database';
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return { name, ok: true, detail: `${path}: none yet` };
  const checked = await reader.integrityCheck(path);
  if (!checked.ok) return { name, ok: false, detail: `${path} cannot be checked: ${checked.error.message}` };
  const [first] = checked.value;
  if (first === undefined) return { name, ok: true, detail: path };
  const copies = names(join(path, '..')).filter((file) => file.endsWith('.bak'));
  const where = copies.length === 0 ? '' : ` Beside it is ${copies.join(', ')}, from before a migration.`;
  return {
    name,
    ok: false,
    detail: `${path} is damaged (${first}). Stop Espalier, move the file away and put a backup in its place.${where}`,
  };
}

/** Logs of databases that were replaced while they were open; and folders of worktrees, which runs may still need. */
function checkLeft(home: string): Check[] {
  const replaced = [home, ...names(join(home, 'projects')).map((id) => join(home, 'projects', id))].flatMap((folder) =>
    names(folder)
      .filter((name) => name.includes('-wal.replaced-'))
      .map((name) => join(folder, name)),
  );
  const logs = replaced.map((path) => {
    const detail = `${path} may hold the last rows of a database that was replaced. Keep it with that database, or delete it.`;
    return { name: 'left over', ok: true, detail };
  });
  const worktrees = names(join(home, 'worktrees')).flatMap((repository) => names(join(home, 'worktrees', repository)));
  if (worktrees.length === 0) return logs;
  const detail = `${String(worktrees.length)} kept; espalier gc --dry-run lists those that nothing is in.`;
  return [...logs, { name: 'worktrees', ok: true, detail }];
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Not there: nothing of the kind was ever made.
  }
}
