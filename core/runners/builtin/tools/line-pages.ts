import type { FileHandle } from 'node:fs/promises';

export interface PageRequest {
  /** First line, from 1. */
  readonly offset: number;
  /** Lines at most. */
  readonly limit: number;
  /** Characters at most, of all lines together. */
  readonly maxCharacters: number;
}

export interface LinePage {
  readonly lines: readonly string[];
  /** Lines of the file; null if it is too large to count. */
  readonly totalLines: number | null;
  /** Whether lines end with CRLF. */
  readonly crlf: boolean;
  /** Lines of which only the beginning is given. */
  readonly cutLines: readonly number[];
}

const BLOCK = 256 * 1024;
/** Bytes of one line that are kept. */
const LONGEST_LINE = 20_000;
/** Bytes after which lines are no longer counted. */
const COUNTED = 512 * 1024 * 1024;
const NEWLINE = 10;
const RETURN = 13;

/**
 * Reads a page of lines of a text file of any size with bounded memory; an unfinished last line counts as a line. Null when `signal` stopped it before that:
 * what had been read by then says nothing of the file.
 */
export async function readPage(
  handle: FileHandle,
  request: PageRequest,
  signal: AbortSignal,
): Promise<LinePage | null> {
  const reader = new PageReader(request);
  const block = Buffer.allocUnsafe(BLOCK);
  for (let position = 0; !signal.aborted;) {
    const { bytesRead } = await handle.read(block, 0, BLOCK, position);
    if (bytesRead === 0) return reader.finish(true);
    position += bytesRead;
    reader.push(block.subarray(0, bytesRead));
    if (position > COUNTED && reader.isFull) return reader.finish(false);
  }
  return null;
}

class PageReader {
  readonly #request: PageRequest;
  readonly #lines: string[] = [];
  readonly #cutLines: number[] = [];
  #line = 1;
  #characters = 0;
  #parts: Buffer[] = [];
  #partBytes = 0;
  #lineBytes = 0;
  #crlf = false;
  #full = false;

  constructor(request: PageRequest) {
    this.#request = request;
  }

  get isFull(): boolean {
    return this.#full;
  }

  push(block: Buffer): void {
    let from = 0;
    for (let end = block.indexOf(NEWLINE); end >= 0; end = block.indexOf(NEWLINE, from)) {
      this.#keep(block, from, end);
      this.#endLine();
      from = end + 1;
    }
    this.#keep(block, from, block.length);
  }

  finish(complete: boolean): LinePage {
    if (complete && this.#lineBytes > 0) this.#endLine();
    return {
      lines: this.#lines,
      totalLines: complete ? this.#line - 1 : null,
      crlf: this.#crlf,
      cutLines: this.#cutLines,
    };
  }

  #keep(block: Buffer, from: number, end: number): void {
    this.#lineBytes += end - from;
    const { offset, limit } = this.#request;
    if (this.#full || this.#line < offset || this.#line >= offset + limit) return;
    const part = block.subarray(from, Math.min(end, from + LONGEST_LINE + 1 - this.#partBytes));
    if (part.length === 0) return;
    // The block is used again for the next read.
    this.#parts.push(Buffer.from(part));
    this.#partBytes += part.length;
  }

  #endLine(): void {
    const { offset, limit, maxCharacters } = this.#request;
    if (!this.#full && this.#line >= offset && this.#line < offset + limit) {
      const text = this.#text();
      if (this.#lines.length > 0 && this.#characters + text.length > maxCharacters) this.#full = true;
      else {
        if (this.#lineBytes > LONGEST_LINE) this.#cutLines.push(this.#line);
        this.#lines.push(text);
        this.#characters += text.length + 1;
      }
    }
    if (this.#line >= offset + limit - 1) this.#full = true;
    this.#parts = [];
    this.#partBytes = 0;
    this.#lineBytes = 0;
    this.#line += 1;
  }

  #text(): string {
    let bytes = this.#parts.length === 1 ? (this.#parts[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#parts);
    if (bytes.at(-1) === RETURN) {
      this.#crlf = true;
      bytes = bytes.subarray(0, -1);
    }
    if (this.#lineBytes <= LONGEST_LINE) return new TextDecoder().decode(bytes);
    // With `stream` a character that was cut in two is left out instead of shown as a replacement mark.
    return `${new TextDecoder().decode(bytes.subarray(0, LONGEST_LINE), { stream: true })}… [line cut: ${this.#lineBytes} bytes]`;
  }
}
