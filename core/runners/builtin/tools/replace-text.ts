export type Replacement =
  | { readonly type: 'replaced'; readonly bytes: Buffer; readonly count: number }
  | { readonly type: 'none' }
  /** `lines`: where the first matches begin, from 1. */
  | { readonly type: 'several'; readonly count: number; readonly lines: readonly number[] };

const SHOWN_LINES = 10;

/**
 * Replaces `from` by `to` in the bytes of a text file. Everything that does not match stays byte for byte, also what is not UTF-8. In a file
 * whose lines end with CRLF, line ends of both texts are taken as CRLF: models send LF.
 */
export function replaceText(file: Buffer, from: string, to: string, all: boolean): Replacement {
  const found = findText(file, from);
  if (found === null) return { type: 'none' };
  if (found.at.length > 1 && !all) {
    return {
      type: 'several',
      count: found.at.length,
      lines: found.at.slice(0, SHOWN_LINES).map((at) => lineOf(file, at)),
    };
  }
  const replacement = Buffer.from(found.crlf ? withCrlf(to) : to);
  const parts: Buffer[] = [];
  let end = 0;
  for (const at of found.at) {
    parts.push(file.subarray(end, at), replacement);
    end = at + found.length;
  }
  parts.push(file.subarray(end));
  return { type: 'replaced', bytes: Buffer.concat(parts), count: found.at.length };
}

interface Found {
  readonly at: readonly number[];
  /** Bytes of one match. */
  readonly length: number;
  readonly crlf: boolean;
}

function findText(file: Buffer, from: string): Found | null {
  const crlfFile = hasCrlf(file);
  const attempts = crlfFile ? [true, false] : [false, true];
  for (const crlf of attempts) {
    const wanted = Buffer.from(crlf ? withCrlf(from) : from);
    const at = positions(file, wanted);
    // A text without line ends is the same in both forms; what replaces it follows the file.
    if (at.length > 0) return { at, length: wanted.length, crlf };
  }
  return null;
}

function positions(file: Buffer, wanted: Buffer): number[] {
  const at: number[] = [];
  for (let next = file.indexOf(wanted); next >= 0; next = file.indexOf(wanted, next + wanted.length)) at.push(next);
  return at;
}

/** Whether most lines end with CRLF. */
function hasCrlf(file: Buffer): boolean {
  let lines = 0;
  let crlf = 0;
  for (let at = file.indexOf(10); at >= 0; at = file.indexOf(10, at + 1)) {
    lines += 1;
    if (file[at - 1] === 13) crlf += 1;
  }
  return crlf * 2 > lines;
}

function withCrlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}

function lineOf(file: Buffer, position: number): number {
  let line = 1;
  for (let at = file.indexOf(10); at >= 0 && at < position; at = file.indexOf(10, at + 1)) line += 1;
  return line;
}
