import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { batchText } from '../../core/host/batch-text.ts';
import { whyNot } from '../../core/host/place/named-path.ts';
import { BATCH_MAXIMA } from '../../core/protocol/batch.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT } from '../exit-status.ts';
import { Failure } from './failure.ts';

/** The text of a batch file, or of stdin when it is `-`. */
export async function readBatchFile(
  context: CommandContext,
  file: string,
): Promise<{ text: string; name: string | null }> {
  const most = BATCH_MAXIMA.batchBytes;
  const path = resolve(context.cwd, file);
  const isStdin = file === '-';
  const bytes = isStdin
    ? await context.terminal.readAll(most)
    : await bytesOf(path, most).catch((error: unknown) => {
        throw new Failure(EXIT.usage, `The batch file ${file} ${whyNot(path, error, 'file')} Nothing was started.`);
      });
  if (bytes === null) throw new Failure(EXIT.usage, `A batch file has at most ${most / 2 ** 20} MiB.`);
  const text = batchText(bytes);
  if (!text.ok) throw new Failure(EXIT.usage, 'Nothing was started:', `  ${text.error.message} ${text.error.fix}`);
  return { text: text.value, name: isStdin ? null : basename(path) };
}

const PIECE = 256 * 1024;

/** Bytes of a file, or of what is none and has no size: a pipe, a device. Null when there are more than `most`. */
async function bytesOf(path: string, most: number): Promise<Buffer | null> {
  const handle = await open(path, 'r');
  try {
    const pieces: Buffer[] = [];
    for (let length = 0; length <= most;) {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(PIECE), 0, PIECE, null);
      if (bytesRead === 0) return Buffer.concat(pieces);
      length += bytesRead;
      pieces.push(buffer.subarray(0, bytesRead));
    }
    return null;
  } finally {
    await handle.close();
  }
}

/** The token that the batch itself brings (S7). */
export function tokenOf(batch: unknown): string | null {
  const token = (batch as { client_token?: unknown } | null)?.client_token;
  return typeof token === 'string' && token !== '' ? token : null;
}
