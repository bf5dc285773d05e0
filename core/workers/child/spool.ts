import { constants, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { spoolPath } from '../wire/spool-file.ts';

const FLAGS =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

const NEWLINE = 0x0a;
const READ_BYTES = 256 * 1024;

/**
 * The worker's file for what the core has not acknowledged: one frame a line, appended and read in order. Synchronous, since what is written
 * must be there when the process is killed in the next moment. Made exclusively, 0600, following no link (D7).
 */
export class Spool {
  readonly #path: string;
  #file: number | null = null;
  #size = 0;
  #window: Buffer = Buffer.alloc(0);
  #windowAt = 0;

  constructor(folder: string) {
    this.#path = spoolPath(folder);
  }

  /** Bytes in it. */
  get size(): number {
    return this.#size;
  }

  /**
   * Makes the file, empty: the mark of an attempt that has begun, which is there even if its worker and its core end in the same moment and nobody
   * has its first word. False when there is no room for it; the run begins all the same, and its first word is then its mark.
   */
  begin(): boolean {
    try {
      this.#file ??= openSync(this.#path, FLAGS, 0o600);
      return true;
    } catch {
      return false;
    }
  }

  /** Appends a line; `bytes` end with a newline. Throws when it cannot be stored whole, and then stores nothing of it. */
  append(bytes: Uint8Array): void {
    this.#file ??= openSync(this.#path, FLAGS, 0o600);
    try {
      for (let done = 0; done < bytes.length;) done += writeSync(this.#file, bytes, done);
    } catch (error) {
      ftruncateSync(this.#file, this.#size);
      throw error;
    }
    this.#size += bytes.length;
  }

  /** The line that begins at `offset`, with its newline. Meant for reading in order: a piece of the file is kept. */
  lineAt(offset: number): Buffer {
    for (let bytes = READ_BYTES; ; bytes *= 4) {
      const from = offset - this.#windowAt;
      const end = from >= 0 && from < this.#window.length ? this.#window.indexOf(NEWLINE, from) : -1;
      if (end >= 0) return this.#window.subarray(from, end + 1);
      if (bytes > READ_BYTES && this.#window.length < bytes / 4) throw new Error('The spool was changed from outside');
      this.#readWindow(offset, bytes);
    }
  }

  #readWindow(offset: number, bytes: number): void {
    const window = Buffer.allocUnsafe(Math.min(bytes, this.#size - offset));
    const read = this.#file === null ? 0 : readSync(this.#file, window, 0, window.length, offset);
    this.#window = window.subarray(0, read);
    this.#windowAt = offset;
  }

  /** Drops everything; all of it is acknowledged. */
  clear(): void {
    if (this.#file !== null) ftruncateSync(this.#file, 0);
    this.#size = 0;
    this.#window = Buffer.alloc(0);
  }

  /** Makes what is in it survive a loss of power. */
  sync(): void {
    if (this.#file !== null) fsyncSync(this.#file);
  }
}
