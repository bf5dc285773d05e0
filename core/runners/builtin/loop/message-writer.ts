import type { Clock } from '../../../kit/clock.ts';
import type { EntryMeta } from '../../../protocol/entry.ts';
import type { OpenEntry, RunnerPort } from '../../contract.ts';

interface OpenPart {
  readonly type: 'text' | 'reasoning';
  readonly entry: OpenEntry;
  readonly since: number;
}

/** Writes one streaming model message into the transcript, part by part, over all tries of its request. */
export class MessageWriter {
  readonly #port: RunnerPort;
  readonly #clock: Clock;
  #open: OpenPart | null = null;
  /** Text of the current try. */
  #text = '';
  /** Text held back because it repeats what an earlier try already showed. */
  #held = '';
  readonly #partials: string[] = [];

  constructor(port: RunnerPort) {
    this.#port = port;
    this.#clock = port.clock;
  }

  /** What the model has said in the current try, or in the last one that said something. */
  get text(): string {
    return this.#text === '' ? (this.#partials.at(-1) ?? '') : this.#text;
  }

  addText(text: string): void {
    this.#text += text;
    this.#held += text;
    // A try that begins like a broken one is shown once it says more than that did: nothing is doubled (R8).
    const isOnlyHeld = this.#held === this.#text && this.#partials.some((partial) => partial.startsWith(this.#text));
    if (!isOnlyHeld) this.#showHeld();
  }

  addReasoning(text: string): void {
    this.#part('reasoning').append(text);
  }

  /** A tool call begins: what was said before it is whole. */
  callBegins(name: string): void {
    this.#showHeld();
    this.#close(false);
    this.#port.activity(`Preparing ${name}`);
  }

  /** The try broke; `keep` says that its text is no mere repetition of an earlier try's. */
  broken(keep: boolean): void {
    if (keep) {
      this.#showHeld();
      this.#partials.push(this.#text);
    }
    this.#held = '';
    this.#text = '';
    this.#close(true);
  }

  /** The message is whole. */
  finish(): void {
    this.#showHeld();
    this.#close(false);
  }

  /** The message was cut from our side, by a stop or a limit. */
  cut(): void {
    const repeats = this.#held === this.#text && this.#partials.some((partial) => partial.startsWith(this.#text));
    if (!repeats) this.#showHeld();
    this.#close(true);
  }

  #showHeld(): void {
    if (this.#held === '') return;
    const isNew = this.#open?.type !== 'text';
    this.#part('text').append(this.#held);
    if (isNew) this.#port.activity('Writing');
    this.#held = '';
  }

  #part(type: OpenPart['type']): OpenEntry {
    if (this.#open?.type === type) return this.#open.entry;
    this.#close(false);
    const meta: EntryMeta = type === 'text' ? { type, partial: false } : { type, seconds: null };
    const entry = this.#port.transcript.open(meta);
    this.#open = { type, entry, since: this.#clock.monotonic() };
    if (type === 'reasoning') this.#port.activity('Thinking');
    return entry;
  }

  #close(partial: boolean): void {
    if (!this.#open) return;
    const { type, entry, since } = this.#open;
    this.#open = null;
    if (type === 'reasoning') {
      const seconds = Math.round((this.#clock.monotonic() - since) / 100) / 10;
      return entry.end({ meta: { type, seconds } });
    }
    if (!partial) this.#port.activity(firstLine(this.#text));
    entry.end(partial ? { meta: { type, partial } } : undefined);
  }
}

const ACTIVITY_LENGTH = 120;

function firstLine(text: string): string {
  const line =
    text
      .split('\n')
      .find((one) => one.trim() !== '')
      ?.trim() ?? '';
  const characters = Array.from(line);
  return characters.length <= ACTIVITY_LENGTH ? line : `${characters.slice(0, ACTIVITY_LENGTH - 1).join('')}…`;
}
