/** Bytes of one line above which it is left out: nothing that an agent says in one message is so long. */
const LONGEST = 64 * 1024 * 1024;

const NEWLINE = 0x0a;

/** What {@link JsonLines} finds. */
export interface LineListener {
  /** One line that was JSON, of any kind. */
  value(value: unknown): void;
  /** One line that was not: a banner, a stray print. */
  noise(line: string): void;
}

/**
 * Cuts the output of an agent into lines and reads each as JSON. A line may come in any number of pieces and be many megabytes long; what is no JSON
 * (a banner, a print in between) is told and harms nothing; bytes that are no UTF-8 become U+FFFD.
 */
export class JsonLines {
  readonly #listener: LineListener;
  readonly #longest: number;
  #pieces: Buffer[] = [];
  #length = 0;
  #dropping = false;

  /** @param longest bytes of the longest line that is read */
  constructor(listener: LineListener, longest = LONGEST) {
    this.#listener = listener;
    this.#longest = longest;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, at));
      this.#line();
      from = at + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** The output is over: a last line without its end is read too. */
  end(): void {
    this.#line();
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0 || this.#dropping) return;
    if (this.#length + piece.length > this.#longest) {
      this.#dropping = true;
      this.#pieces = [];
      this.#length = 0;
      return;
    }
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  #line(): void {
    const pieces = this.#pieces;
    const dropped = this.#dropping;
    this.#pieces = [];
    this.#length = 0;
    this.#dropping = false;
    if (dropped) return this.#listener.noise(`[a line of more than ${this.#longest} bytes was left out]`);
    const text = Buffer.concat(pieces).toString('utf8').trim();
    if (text === '') return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return this.#listener.noise(text);
    }
    this.#listener.value(value);
  }
}
