import { closeSync, constants, lstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where the whole text of a run's answer is kept when its result holds a part of it only (P5). */
export function summaryPath(home: string, projectId: string, runId: string): string {
  return join(home, 'projects', projectId, 'summaries', `${runId}.md`);
}

/**
 * Writes the text: private, as a new file, never through a link (P5, D7). Before its path is told to anybody, so it is written at once; these
 * are rare and small. A second time, after a crash, the file that is there is left as it is. Throws when it cannot be written.
 */
export function writeSummary(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW = 0 } = constants;
  const bytes = Buffer.from(text, 'utf8');
  const file = openNew(path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW);
  if (file === null) {
    const there = lstatSync(path);
    if (there.isFile() && there.size === bytes.length) return;
    throw new Error(`Something else is in the place of the summary ${path}`);
  }
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
  } finally {
    closeSync(file);
  }
}

/** Null when something is there already. */
function openNew(path: string, flags: number): number | null {
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  }
}
