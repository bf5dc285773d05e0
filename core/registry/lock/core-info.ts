import { closeSync, constants, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { folderIdentity } from './folder-mark.ts';

/** Who the core of a data folder is and how to reach it; the content of `core.json` (0600). */
export const CoreInfo = z.object({
  pid: z.int().positive(),
  /** Tells two processes with one pid apart, also over a restart of the machine; `null` where the system has none. */
  startTime: z.string().nullable(),
  protocol: z.int(),
  /** Where clients connect; `null` until the core listens. */
  apiSocket: z.string().nullable(),
  /** Where workers connect; `null` until the core listens. */
  workerSocket: z.string().nullable(),
  /** What keeps it from coming up, such as a locked database; only before it listens. */
  obstacle: z.string().optional(),
  /** The address of the browser app, without its token, if it is served. */
  url: z.string().optional(),
});
export type CoreInfo = z.infer<typeof CoreInfo>;

/** As it is written: with the folder that it speaks of, so that in a copy of that folder it counts for nothing. Earlier builds wrote none. */
const WrittenInfo = CoreInfo.extend({ folder: z.string().optional() });

const FILE = 'core.json';

/**
 * What the last holder of the lock said of itself, or `null` if there is nothing readable, or it was said of another folder of which this one is
 * a copy. The holder may be gone: only an attempt to lock or to connect tells.
 */
export function readCoreInfo(home: string): CoreInfo | null {
  try {
    const file = openSync(join(home, FILE), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const written = WrittenInfo.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
      if (written === undefined) return null;
      const { folder, ...info } = written;
      return folder === undefined || folder === folderIdentity(home) ? info : null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null; // Missing, a link, unreadable or not JSON: there is no holder to speak of.
  }
}

/** Replaces `core.json` in one step, so that a reader sees the old or the new one. Only the holder of the lock may. */
export function writeCoreInfo(home: string, info: CoreInfo): void {
  const part = join(home, `${FILE}.part`);
  rmSync(part, { force: true });
  // Exclusive creation follows no link that somebody planted.
  const file = openSync(part, 'wx', 0o600);
  try {
    writeSync(file, `${JSON.stringify({ ...info, folder: folderIdentity(home) })}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(part, join(home, FILE));
}

/** Takes the holder's word away; only the holder of the lock may. */
export function removeCoreInfo(home: string): void {
  rmSync(join(home, FILE), { force: true });
}
