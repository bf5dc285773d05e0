import { BATCH_MAXIMA } from '../../protocol/batch.ts';
import type { BatchProblem } from '../../protocol/errors.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { batchProblem } from './problem.ts';

const tooLarge = (): BatchProblem =>
  batchProblem(
    `The batch is larger than ${BATCH_MAXIMA.batchBytes / 1024 ** 2} MiB.`,
    'Split it, or name large texts under "files" instead of writing them into the batch.',
  );

const notText = (why: string): BatchProblem =>
  batchProblem(`The batch is not a text file: ${why}.`, 'Save it as UTF-8 text.');

/** The encoding that a byte order mark names; spreadsheets save "Unicode text" as UTF-16. */
function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * The text of a batch without byte order mark and with `\n` as its line end. Refused: more than 16 MiB, bytes that
 * are no text, NUL characters.
 */
export function decodeText(input: string | Uint8Array): Result<string, BatchProblem> {
  const bytes = typeof input === 'string' ? Buffer.byteLength(input) : input.byteLength;
  if (bytes > BATCH_MAXIMA.batchBytes) return err(tooLarge());
  const text = typeof input === 'string' ? input : decode(input);
  if (text === null) return err(notText('it holds bytes that are no UTF-8'));
  const nul = text.indexOf('\0');
  if (nul >= 0) return err(notText(`it holds a NUL character in line ${text.slice(0, nul).split('\n').length}`));
  return ok(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'));
}
