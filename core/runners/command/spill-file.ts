import { closeSync, constants, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes kept of one output. A program that writes more than this writes without end. */
const LARGEST = 512 * 1024 * 1024;

/** The whole text of a long output: private, made exclusively, through no link (D7). Synchronous, so that memory stays bounded. */
export class SpillFile {
  readonly path: string;
  #file: number;
  #written = 0;
  #fault: string | null = null;

  /** Throws the system's error when the file cannot be made. */
  constructor(folder: string, name: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.path = join(folder, `${name}-${process.pid}.txt`);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
    this.#file = openSync(this.path, flags, 0o600);
  }

  /** Why the file does not hold everything; null if it does. */
  get fault(): string | null {
    return this.#fault;
  }

  write(text: string): void {
    if (this.#fault !== null) return;
    const bytes = Buffer.from(text);
    if (this.#written + bytes.length > LARGEST) {
      this.#fault = `only its first ${LARGEST / 1024 / 1024} MiB were kept`;
      return;
    }
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at);
      this.#written += bytes.length;
    } catch (cause) {
      this.#fault = `writing it stopped (${cause instanceof Error ? cause.message : String(cause)})`;
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}
