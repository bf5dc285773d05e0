import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UNDO_FOLDER, UNDO_LIST, type KeptFile } from '../../../protocol/sent-prompt.ts';
import { appendLine } from '../../private-lines.ts';
import { DIFFED } from './changed-file.ts';
import type { ToolContext } from './tool.ts';

let kept = 0;

/**
 * Keeps what a file was before a write or edit, so that a person can undo it; larger files than are compared are not kept. Resolves with a
 * sentence for the result when that failed: the change itself has been made.
 */
export async function keepUndo(
  { spillFolder, clock }: Pick<ToolContext, 'spillFolder' | 'clock'>,
  path: string,
  before: Uint8Array | null,
  after: Uint8Array,
): Promise<string> {
  if ((before?.byteLength ?? 0) > DIFFED || after.byteLength > DIFFED) return '';
  const folder = join(spillFolder, UNDO_FOLDER);
  try {
    const name = before === null ? null : `${clock.now()}-${process.pid}-${(kept += 1)}`;
    if (before !== null && name !== null) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, name), before, { flag: 'wx', mode: 0o600 });
    }
    const entry: KeptFile = { path, before: name, after: await sha256(after) };
    await appendLine(folder, UNDO_LIST, entry);
    return '';
  } catch (cause) {
    return ` (It cannot be undone: ${cause instanceof Error ? cause.message : String(cause)})`;
  }
}

/** Loaded when it is first needed: most workers never write. */
async function sha256(bytes: Uint8Array): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(bytes).digest('hex');
}
