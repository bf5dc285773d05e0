import { clearScreenDown, createInterface, cursorTo, moveCursor, type Interface } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';

/** Where a person types, and reads lines at the same time. */
export class LineEditor {
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  /** The question that is open. */
  #open: Interface | null = null;

  constructor(input: ReadStream, output: WriteStream) {
    this.#input = input;
    this.#output = output;
  }

  /** Writes a line above the question that is open, which keeps what was typed so far. */
  write(line: string): void {
    const open = this.#open;
    const rows = open === null ? 0 : this.#leave(open);
    // The question goes as many rows up as it has taken before it is written again.
    this.#put(`${line}\n${'\n'.repeat(rows)}`);
    open?.prompt(true);
  }

  /** Asks, and answers the line that is typed; null when the signal or the end of input comes first. One question at a time. */
  ask(question: string, signal: AbortSignal): Promise<string | null> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(null);
      const lines = createInterface({ input: this.#input, output: this.#output });
      this.#open = lines;
      let typed: string | null = null;
      const leave = (): void => lines.close();
      signal.addEventListener('abort', leave, { once: true });
      // It is closed before whoever closes it goes on: what was typed is known by then, or there was nothing.
      lines.once('close', () => {
        signal.removeEventListener('abort', leave);
        this.#open = null;
        if (typed === null) this.#put('\n');
        resolve(typed);
      });
      // In raw mode Ctrl-C is a key: it means what it means everywhere. Whoever listens takes the question back.
      lines.on('SIGINT', () => {
        if (process.listenerCount('SIGINT') === 0) leave();
        if (!process.emit('SIGINT', 'SIGINT')) process.kill(process.pid, 'SIGINT');
      });
      lines.question(question, (line) => {
        typed = line;
        leave();
      });
    });
  }

  /** Takes the question off the screen, and answers how many rows it has below its first. */
  #leave(open: Interface): number {
    const { rows } = open.getCursorPos();
    cursorTo(this.#output, 0);
    moveCursor(this.#output, 0, -rows);
    clearScreenDown(this.#output);
    return rows;
  }

  /** A full disk under stderr must not end work that goes on without it: to a file it is written at once, and throws. */
  #put(text: string): void {
    try {
      this.#output.write(text);
    } catch {
      return; // There is nobody to tell.
    }
  }
}
