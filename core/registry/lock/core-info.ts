import { closeSync, constants, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { folderIdentity } from './folder-mark.ts';

/** Who the core of a data folder is and how to reach it; the content of `core.json` (0600). */
export interface CoreInfo {
  readonly pid: number;
  /** Tells two processes with one pid apart, also over a restart of the machine; `null` where the system has none. */
  readonly startTime: string | null;
  readonly protocol: number;
  /** Where clients connect; `null` until the core listens. */
  readonly apiSocket: string | null;
  /** Where workers connect; `null` until the core listens. */
  readonly workerSocket: string | null;
  /** What keeps it from coming up, such as a locked database; only before it listens. */
  readonly obstacle?: string | undefined;
  /** It listens, and answers when it is loaded and open: whoever connects is patient. */
  readonly starting?: boolean | undefined;
  /** The address of the browser app, without its token, if it is served. */
  readonly url?: string | undefined;
}

const FILE = 'core.json';

/**
 * What the last holder of the lock said of itself, or `null` if there is nothing readable, or it was said of another folder of which this one is
 * a copy. The holder may be gone: only an attempt to lock or to connect tells.
 */
export function readCoreInfo(home: string): CoreInfo | null {
  try {
    const file = openSync(join(home, FILE), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return infoOf(JSON.parse(readFileSync(file, 'utf8')), home);
    } finally {
      closeSync(file);
    }
  } catch {
    return null; // Missing, a link, unreadable or not JSON: there is no holder to speak of.
  }
}

/**
 * What was written, if it has the form and speaks of this folder; earlier builds named none. Looked at by hand: whoever starts a core or looks for one
 * reads this first, and would have to load all of the schemas for these few fields.
 */
function infoOf(written: unknown, home: string): CoreInfo | null {
  if (typeof written !== 'object' || written === null) return null;
  const { pid, startTime, protocol, apiSocket, workerSocket, obstacle, url, starting, folder } = written as Partial<
    Record<string, unknown>
  >;
  if (!isInteger(pid) || pid <= 0 || !isInteger(protocol)) return null;
  if (!isTextOrNull(startTime) || !isTextOrNull(apiSocket) || !isTextOrNull(workerSocket)) return null;
  if (folder !== undefined && folder !== folderIdentity(home)) return null;
  const more = texts({ obstacle, url });
  return more === null ? null : { pid, startTime, protocol, apiSocket, workerSocket, ...more, ...startingOf(starting) };
}

/** Those that are there; null if one is no text. */
function texts(given: Readonly<Record<string, unknown>>): Record<string, string> | null {
  const there = Object.entries(given).filter(([, value]) => value !== undefined);
  return there.every((pair): pair is [string, string] => typeof pair[1] === 'string')
    ? Object.fromEntries(there)
    : null;
}

function startingOf(value: unknown): Pick<CoreInfo, 'starting'> {
  return value === true ? { starting: true } : {};
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

/**
 * Replaces `core.json` in one step, so that a reader sees the old or the new one. Only the holder of the lock may. It is not made durable: after a
 * power cut the process that it names is gone as well.
 */
export function writeCoreInfo(home: string, info: CoreInfo): void {
  const part = join(home, `${FILE}.part`);
  rmSync(part, { force: true });
  // Exclusive creation follows no link that somebody planted.
  const file = openSync(part, 'wx', 0o600);
  try {
    writeSync(file, `${JSON.stringify({ ...info, folder: folderIdentity(home) })}\n`);
  } finally {
    closeSync(file);
  }
  renameSync(part, join(home, FILE));
}

/** Takes the holder's word away; only the holder of the lock may. */
export function removeCoreInfo(home: string): void {
  rmSync(join(home, FILE), { force: true });
}
