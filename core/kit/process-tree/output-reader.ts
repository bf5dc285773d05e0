import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { MaskStream } from '../mask-stream.ts';

/**
 * Reads one output of a program as text, without the secrets that `mask` knows. Characters that are cut between two chunks come out whole; what is left incomplete at
 * the end is shown once as U+FFFD (B05).
 */
export class OutputReader {
  readonly ended: Promise<void>;
  readonly #stream: Readable;
  readonly #decoder = new StringDecoder('utf8');
  readonly #onText: (text: string) => void;
  readonly #mask: MaskStream;
  readonly #onData: (chunk: Buffer) => void;
  #open = true;
  #bytes = 0;

  constructor(stream: Readable, onText: (text: string) => void, mask: MaskStream) {
    this.#stream = stream;
    this.#mask = mask;
    this.#onText = onText;
    this.#onData = (chunk) => {
      this.#bytes += chunk.length;
      this.#emit(this.#decoder.write(chunk));
    };
    stream.on('data', this.#onData);
    this.ended = new Promise((resolve) => {
      stream.once('close', () => {
        this.#finish();
        resolve();
      });
    });
    // A reset by a dying writer is its end, and `close` follows.
    stream.on('error', () => undefined);
  }

  /** Bytes so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** False once the program's side is closed or {@link detach} was called. */
  get isOpen(): boolean {
    return this.#open;
  }

  /**
   * Gives no more text, but goes on reading into nothing without keeping us alive: a background process that talks must neither
   * block nor die of SIGPIPE.
   */
  detach(): void {
    if (!this.#open) return;
    this.#finish();
    this.#stream.off('data', this.#onData);
    this.#stream.resume();
    (this.#stream as Socket).unref();
  }

  #finish(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#emit(this.#decoder.end());
    const rest = this.#mask.end();
    if (rest !== '') this.#onText(rest);
  }

  #emit(text: string): void {
    const shown = this.#mask.push(text);
    if (shown !== '') this.#onText(shown);
  }
}
