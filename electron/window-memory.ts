import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseWindows, type RememberedWindow } from './window-state.ts';

/** Keeps the windows in a file, so that the next start opens them again. */
export class WindowMemory {
  readonly #file: string;
  #written = '';

  constructor(file: string) {
    this.#file = file;
  }

  read(): readonly RememberedWindow[] {
    try {
      return parseWindows(readFileSync(this.#file, 'utf8'));
    } catch {
      return []; // The first start.
    }
  }

  write(windows: readonly RememberedWindow[]): void {
    const text = JSON.stringify(windows);
    if (text === this.#written) return;
    try {
      writeFileSync(`${this.#file}.tmp`, text, { mode: 0o600 });
      renameSync(`${this.#file}.tmp`, this.#file);
      this.#written = text;
    } catch {
      // A full disk must not keep a window from closing; it opens at the old place next time.
    }
  }
}
