import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes kept of one output. A program that writes more than this writes without end. */
const LARGEST = 512 * 1024 * 1024;

let spillFiles = 0;

/**
 * The full text of an output, on disk: private, created exclusively, never through a link (D7). Written synchronously: the memory
 * of the worker stays bounded however fast a program writes.
 */
export class SpillFile {
  readonly path: string;
  #fd: number | null;
  #written = 0;
  #fault: string | null = null;

  private constructor(path: string, fd: number) {
    this.path = path;
    this.#fd = fd;
  }

  /** A new file in `folder` whose name begins with `name`; throws the system's error. */
  static create(folder: string, name: string): SpillFile {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
    for (;;) {
      const path = join(folder, `${name}-${process.pid}-${(spillFiles += 1)}.txt`);
      try {
        return new SpillFile(path, openSync(path, flags, 0o600));
      } catch (cause) {
        if (!(cause instanceof Error) || !('code' in cause) || cause.code !== 'EEXIST') throw cause;
      }
    }
  }

  /** Why the file does not hold everything; null if it does. */
  get fault(): string | null {
    return this.#fault;
  }

  write(bytes: Uint8Array): void {
    if (this.#fd === null || this.#fault !== null) return;
    if (this.#written + bytes.byteLength > LARGEST) {
      this.#fault = `only the first ${LARGEST / 1024 / 1024} MiB were kept`;
      return;
    }
    try {
      for (let at = 0; at < bytes.byteLength;) at += writeSync(this.#fd, bytes, at);
      this.#written += bytes.byteLength;
    } catch (cause) {
      this.#fault = `writing it stopped: ${cause instanceof Error ? cause.message : String(cause)}`;
    }
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }
}
