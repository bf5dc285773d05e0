import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isOpenInside, NO_FOLLOW } from '../../../workspace/containment/proof-of-place.ts';
import type { InsidePath } from '../../../workspace/containment/resolve-inside.ts';
import { fileKind, KIND_BYTES } from './file-kind.ts';
import type { WalkedFile } from './file-walk.ts';
import type { LineMatcher } from './line-matcher.ts';

export interface FoundLine {
  readonly line: number;
  readonly text: string;
  /** False for a line shown only as context. */
  readonly isMatch: boolean;
}

export interface FoundFile {
  readonly file: string;
  /** Matching lines in this piece of the file. */
  readonly count: number;
  readonly lines: readonly FoundLine[];
}

interface Piece {
  readonly file: string;
  readonly lines: readonly string[];
  /** Number of the first line. */
  readonly from: number;
}

/** Bytes read of a file at once; a larger file is searched in pieces. */
const PIECE = 1024 * 1024;
/** Lines and characters that are matched in one run: a run of its own for each small file would cost more than the matching. */
const BATCH_LINES = 20_000;
const BATCH_CHARACTERS = 1_000_000;
/** Characters of a line that are looked at. */
const LONGEST_LINE = 65_536;

/** Searches files line by line, in batches over several files. */
export class GrepSearch {
  readonly #place: InsidePath;
  readonly #matcher: LineMatcher;
  readonly #context: number;
  readonly #onFound: (found: FoundFile) => void;
  #pieces: Piece[] = [];
  #lines = 0;
  #characters = 0;
  /** A file on which the expression took too long; ends the search. */
  slowOn: string | null = null;
  searched = 0;
  skippedBinary = 0;
  unreadable = 0;

  constructor(place: InsidePath, matcher: LineMatcher, context: number, onFound: (found: FoundFile) => void) {
    this.#place = place;
    this.#matcher = matcher;
    this.#context = context;
    this.#onFound = onFound;
  }

  /** Takes one file; matches are reported when a batch is full or at `flush`. */
  add(file: WalkedFile): void {
    let fd: number | null = null;
    try {
      fd = openSync(file.path, constants.O_RDONLY | NO_FOLLOW);
      if (!fstatSync(fd).isFile() || !isOpenInside(fd, file.path, this.#place.root)) this.unreadable += 1;
      else this.#readPieces(fd, this.#place.inWorkspace ? file.names.join('/') : file.path);
    } catch {
      // Permission, or removed meanwhile: counted and told.
      this.unreadable += 1;
    } finally {
      if (fd !== null) closeSync(fd);
    }
  }

  /** Matches what was read so far. */
  flush(): void {
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#lines = 0;
    this.#characters = 0;
    if (pieces.length === 0 || this.slowOn !== null) return;
    const hits = this.#matcher.match(pieces.flatMap((piece) => piece.lines));
    if (hits === null) {
      this.slowOn = pieces[0]?.file ?? '';
      return;
    }
    let first = 0;
    let next = 0;
    for (const piece of pieces) {
      const own: number[] = [];
      for (; next < hits.length && (hits[next] ?? 0) < first + piece.lines.length; next += 1)
        own.push((hits[next] ?? 0) - first);
      if (own.length > 0) this.#onFound(foundIn(piece, own, this.#context));
      first += piece.lines.length;
    }
  }

  #readPieces(fd: number, file: string): void {
    const size = Math.min(Math.max(fstatSync(fd).size, KIND_BYTES), PIECE);
    const buffer = Buffer.allocUnsafe(size);
    const decoder = new TextDecoder();
    let rest = '';
    let from = 1;
    this.searched += 1;
    for (let first = true; this.slowOn === null; first = false) {
      const bytes = buffer.subarray(0, fill(fd, buffer));
      if (first && fileKind(bytes).type !== 'text') {
        this.skippedBinary += 1;
        return;
      }
      const isLast = bytes.length < buffer.length;
      const lines = (rest + decoder.decode(bytes, { stream: !isLast })).split('\n');
      rest = isLast ? '' : (lines.pop() ?? '').slice(0, LONGEST_LINE);
      if (isLast && lines.at(-1) === '') lines.pop();
      this.#addPiece({ file, lines: lines.map(bounded), from });
      from += lines.length;
      if (isLast) return;
    }
  }

  #addPiece(piece: Piece): void {
    this.#pieces.push(piece);
    this.#lines += piece.lines.length;
    for (const line of piece.lines) this.#characters += line.length;
    if (this.#lines > BATCH_LINES || this.#characters > BATCH_CHARACTERS) this.flush();
  }
}

/** Reads until `buffer` is full or the file ends. */
function fill(fd: number, buffer: Buffer): number {
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(fd, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return length;
}

function bounded(line: string): string {
  const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
  return whole.length > LONGEST_LINE ? whole.slice(0, LONGEST_LINE) : whole;
}

function foundIn(piece: Piece, hits: readonly number[], context: number): FoundFile {
  const shown = new Map<number, boolean>();
  for (const hit of hits) {
    for (let at = Math.max(0, hit - context); at <= Math.min(piece.lines.length - 1, hit + context); at += 1) {
      shown.set(at, at === hit || shown.get(at) === true);
    }
  }
  const lines = [...shown].sort(([a], [b]) => a - b);
  return {
    file: piece.file,
    count: hits.length,
    lines: lines.map(([at, isMatch]) => ({ line: piece.from + at, text: piece.lines[at] ?? '', isMatch })),
  };
}
