/** The last part of a terminal's output, for readers that come at their own pace. */
export class Scrollback {
  readonly #most: number;
  #text = '';
  #start = 0;
  #waiting: (() => void)[] = [];

  /** `most`: characters that are kept. */
  constructor(most: number) {
    this.#most = most;
  }

  get end(): number {
    return this.#start + this.#text.length;
  }

  append(text: string): void {
    this.#text += text;
    // In steps, so that a talkative program does not copy the whole text with each piece.
    if (this.#text.length > this.#most * 1.25) {
      let cut = this.#text.length - this.#most;
      if (/[\udc00-\udfff]/.test(this.#text.charAt(cut))) cut += 1;
      this.#text = this.#text.slice(cut);
      this.#start += cut;
    }
    this.wake();
  }

  /** What there is from a place on, at most `limit` characters; from the earliest that is kept when the place is before it. */
  read(from: number, limit: number): { readonly from: number; readonly data: string } {
    const start = Math.min(Math.max(from, this.#start), this.end);
    const at = start - this.#start;
    let end = Math.min(this.#text.length, at + limit);
    // A character of two units stays whole, unless its second half has not come yet.
    if (end < this.#text.length && /[\ud800-\udbff]/.test(this.#text.charAt(end - 1))) end -= 1;
    return { from: start, data: this.#text.slice(at, end) };
  }

  /** Resolves when something was appended, or the terminal ended. */
  changed(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
