import { object, type Json } from './json.ts';

/** Characters of one line above which it is not kept: more than any agent writes, less than what a worker can hold. */
const LONGEST = 64 * 1024 * 1024;

/** What becomes of the lines. */
export interface LineListener {
  message(message: Json): void;
  /** A line that is no JSON object: a banner, a warning, the end of a line whose beginning was lost. */
  noise(line: string): void;
}

/** Cuts a stream of JSON lines out of pieces of text, wherever they are cut. A line that is no message does no harm. */
export class LineReader {
  readonly #listener: LineListener;
  /** Pieces of the line that has not ended: joined once, so that a long line costs what it is long. */
  #pieces: string[] = [];
  #length = 0;
  #tooLong = false;

  constructor(listener: LineListener) {
    this.#listener = listener;
  }

  push(chunk: string): void {
    let from = 0;
    for (;;) {
      const end = chunk.indexOf('\n', from);
      if (end < 0) break;
      this.#keep(chunk.slice(from, end));
      this.#finish();
      from = end + 1;
    }
    this.#keep(chunk.slice(from));
  }

  /** The stream has ended: half a line may still be a whole message. */
  end(): void {
    this.#finish();
  }

  #keep(piece: string): void {
    if (piece === '') return;
    this.#length += piece.length;
    if (this.#length > LONGEST) {
      this.#pieces = [];
      this.#tooLong = true;
    }
    if (!this.#tooLong) this.#pieces.push(piece);
  }

  #finish(): void {
    const line = this.#pieces.join('').trim();
    const { length } = { length: this.#length };
    const tooLong = this.#tooLong;
    this.#pieces = [];
    this.#length = 0;
    this.#tooLong = false;
    if (tooLong) return this.#listener.noise(`[a line of ${length.toLocaleString('en-US')} characters was left out]`);
    if (line === '') return;
    const message = parsed(line);
    if (message === null) this.#listener.noise(line);
    else this.#listener.message(message);
  }
}

/** Some programs put a banner or a control sequence before the first message of a line. */
function parsed(line: string): Json | null {
  return asMessage(line) ?? (line.includes('{"') ? asMessage(line.slice(line.indexOf('{"'))) : null);
}

function asMessage(line: string): Json | null {
  if (!line.startsWith('{')) return null;
  try {
    return object(JSON.parse(line) as unknown);
  } catch {
    return null;
  }
}
