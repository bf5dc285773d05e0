import { accessSync, constants, readdirSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JOBS } from '../../registry/reader/jobs.ts';

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** What was found, and what to do if it is not well. */
  readonly detail: string;
}

/** Below this a batch of any size may fill the disk. */
const LITTLE_BYTES = 512 * 1024 * 1024;

/** Looks at a data folder: rights, room, and the integrity of every database. Reads only; blocks while it reads. */
export function checkStorage(home: string): Check[] {
  if (statSync(home, { throwIfNoEntry: false }) === undefined) {
    return [{ name: 'data folder', ok: true, detail: `${home} does not exist yet; it is made when it is needed.` }];
  }
  return [checkFolder(home), checkRoom(home), ...databases(home).map(checkDatabase)];
}

function checkFolder(home: string): Check {
  const name = 'data folder';
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return { name, ok: false, detail: `${home} cannot be written (${why}). Give yourself the rights to it.` };
  }
  const open = process.platform !== 'win32' && (statSync(home).mode & 0o077) !== 0;
  if (!open) return { name, ok: true, detail: home };
  return { name, ok: false, detail: `${home} can be entered by others. Close it: chmod 700 "${home}".` };
}

function checkRoom(home: string): Check {
  const { bavail, bsize } = statfsSync(home);
  const bytes = bavail * bsize;
  const detail = `${(bytes / 2 ** 30).toFixed(1)} GiB free`;
  const ok = bytes >= LITTLE_BYTES;
  return { name: 'disk', ok, detail: ok ? detail : `${detail}: make room.` };
}

function databases(home: string): string[] {
  const found = [join(home, 'app.db')];
  try {
    for (const id of readdirSync(join(home, 'projects'))) found.push(join(home, 'projects', id, 'project.db'));
  } catch {
    return found; // No project was ever attached.
  }
  return found;
}

function checkDatabase(path: string): Check {
  const name = 'database';
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return { name, ok: true, detail: `${path}: none yet` };
  try {
    const { problems } = JOBS.integrity({ path });
    const [first] = problems;
    if (first === undefined) return { name, ok: true, detail: path };
    return { name, ok: false, detail: `${path} is damaged (${first}). Restore a backup.` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { name, ok: false, detail: `${path} cannot be read (${why}). Nothing in it was changed.` };
  }
}
