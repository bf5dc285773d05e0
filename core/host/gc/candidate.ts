import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { GcItem } from '../../protocol/gc.ts';

/** Something that may go, and how. */
export interface Candidate {
  readonly item: Omit<GcItem, 'done' | 'error'>;
  /** Deletes it, after a last look; answers why it did not, or null. */
  remove(): Promise<string | null>;
}

/** Names in a folder; none when it is not there. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Not there, or not ours to read: nothing is found.
  }
}

/** Bytes of a file, or of everything in a folder; links count for themselves. */
export function bytesOf(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.size;
  return namesIn(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}

/** When a thing was written last, epoch ms; now when it is not there. */
export function writtenAt(path: string, now: number): number {
  return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
}

/** Milliseconds as whole days, in words. */
export function daysOf(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  return days === 1 ? '1 day' : `${String(days)} days`;
}

export const DAY_MS = 24 * 3600 * 1000;
