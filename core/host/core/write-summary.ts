import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from './private-file.ts';

/** Where the whole text of a run's answer is kept when its result holds a part of it only (P5). */
export function summaryPath(home: string, projectId: string, runId: string): string {
  return join(home, 'projects', projectId, 'summaries', `${runId}.md`);
}

/**
 * Writes the text, whole or not at all, private, never through a link (P5, D7); these are rare and small. A second time, after a crash, the file that is
 * there is left as it is. Throws when it cannot be written.
 */
export function writeSummary(path: string, text: string): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) throw new Error(`Something else is in the place of the summary ${path}`);
  if (there?.size !== Buffer.byteLength(text)) writePrivateFile(path, text);
}
