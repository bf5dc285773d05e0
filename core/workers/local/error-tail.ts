import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { plainText } from '../../kit/terminal-text.ts';

const TAIL_BYTES = 8 * 1024;
const TAIL_LINES = 20;

/** What Node prints around the message of an error that ended it. */
const NOISE = /^\s+at |^\s*\^+$|^Node\.js v\d|^\s*$/;

/**
 * The last lines of a worker's standard error, without stack frames, so that the last line says what went wrong. Empty for a file that is
 * not there.
 */
export async function errorTail(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)).catch(() => null);
  if (file === null) return '';
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from);
    return cleanTail(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}

/** See {@link errorTail}. */
export function cleanTail(text: string): string {
  const lines = plainText(text)
    .split('\n')
    .filter((line) => !NOISE.test(line));
  return lines.slice(-TAIL_LINES).join('\n');
}
