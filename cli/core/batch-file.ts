import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { BATCH_MAXIMA } from '../../core/protocol/batch.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT } from '../exit-status.ts';
import { Failure } from './failure.ts';

/** The text of a batch file, or of stdin when it is `-`. */
export async function readBatchFile(
  context: CommandContext,
  file: string,
): Promise<{ text: string; name: string | null }> {
  const decoder = new TextDecoder();
  const tooLong = new Failure(EXIT.usage, `A batch file has at most ${BATCH_MAXIMA.batchBytes / 2 ** 20} MiB.`);
  if (file === '-') {
    const bytes = await context.terminal.readAll(BATCH_MAXIMA.batchBytes);
    if (bytes === null) throw tooLong;
    return { text: decoder.decode(bytes), name: null };
  }
  const path = resolve(context.cwd, file);
  try {
    if ((await stat(path)).size > BATCH_MAXIMA.batchBytes) throw tooLong;
    return { text: decoder.decode(await readFile(path)), name: basename(path) };
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? 'unknown'})`;
    throw new Failure(EXIT.usage, `The batch file ${file} ${why}. Nothing was started.`);
  }
}

/** The token that the batch itself brings (S7). */
export function tokenOf(batch: unknown): string | null {
  const token = (batch as { client_token?: unknown } | null)?.client_token;
  return typeof token === 'string' && token !== '' ? token : null;
}
