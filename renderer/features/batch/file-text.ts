import { BATCH_MAXIMA } from '../../../core/protocol/batch.ts';
import { startStrings } from '../../shared/start-strings.ts';

const words = startStrings.drop;

/** A file's text, or why there is none. */
export type FileText =
  { readonly type: 'text'; readonly text: string } | { readonly type: 'refused'; readonly why: string };

const MIB = 1024 * 1024;

/** A size in words: `16 MB`, `3.4 MB`, `12 kB`. */
export function sizeInWords(bytes: number): string {
  if (bytes >= MIB) return `${(bytes / MIB).toLocaleString(undefined, { maximumFractionDigits: 1 })} MB`;
  return bytes >= 1024 ? `${Math.round(bytes / 1024).toLocaleString()} kB` : `${bytes} bytes`;
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

/** Bytes as text; null when they are none: an unknown encoding, or a NUL that no text holds. */
export function decode(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** Reads a dropped file as text, at most as large as a batch file may be (S5). */
export async function readFileText(file: Pick<File, 'size' | 'arrayBuffer'>): Promise<FileText> {
  if (file.size > BATCH_MAXIMA.batchBytes) {
    return { type: 'refused', why: words.tooLarge(sizeInWords(file.size), sizeInWords(BATCH_MAXIMA.batchBytes)) };
  }
  try {
    const text = decode(new Uint8Array(await file.arrayBuffer()));
    if (text === null) return { type: 'refused', why: words.binary };
    return text.trim() === '' ? { type: 'refused', why: words.empty } : { type: 'text', text };
  } catch (error) {
    return { type: 'refused', why: words.unreadable(error instanceof Error ? error.message : String(error)) };
  }
}
