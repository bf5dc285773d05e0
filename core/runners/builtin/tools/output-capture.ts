import { joinCut } from '../../../kit/cut-middle.ts';
import { TerminalText } from '../../../kit/terminal-text.ts';
import { SpillFile } from './spill-file.ts';
import { RESULT_LIMIT } from './result-limit.ts';

export interface CaptureOptions {
  readonly spillFolder: string;
  /** Beginning of the spill file's name. */
  readonly name: string;
  /** Characters for the model. */
  readonly limit?: number;
  /** Where the full text is kept from the first byte; without it a file is made once the output is longer than the limit. */
  readonly spill?: SpillFile;
  /** Live output for people, bounded. */
  onOutput?(chunk: string): void;
}

export interface CapturedOutput {
  /** Plain text, at most the limit. */
  readonly text: string;
  /** Characters missing in `text`. */
  readonly cut: number;
  /** Length of all that was written, in bytes of UTF-8. */
  readonly bytes: number;
  /** File with everything as it was written; null if `text` is everything or no file could be made. */
  readonly spillPath: string | null;
  /** What is wrong with the file; null if nothing. */
  readonly spillFault: string | null;
}

type Stream = 'stdout' | 'stderr';

/** Bytes kept in memory before a file is made. */
const MEMORY_LIMIT = 256 * 1024;
/** Characters shown live; what comes after is in the file, and its end in the result. */
const LIVE_LIMIT = 200_000;
/** Share of characters that are no text above which an output is taken for binary. */
const BINARY_SHARE = 0.1;

/**
 * Takes what a program writes, as text cut anywhere, and keeps a bounded head and tail as plain text, with all of it in a file if it is
 * longer (B30). Memory is bounded whatever comes.
 */
export class OutputCapture {
  readonly #options: CaptureOptions;
  readonly #limit: number;
  readonly #plain: Record<Stream, TerminalText> = {
    stdout: new TerminalText('plain'),
    stderr: new TerminalText('plain'),
  };
  readonly #styled: Record<Stream, TerminalText> = {
    stdout: new TerminalText('styled'),
    stderr: new TerminalText('styled'),
  };
  #head = '';
  #tail = '';
  #total = 0;
  #bytes = 0;
  #live = 0;
  #raw: string[] = [];
  #spill: SpillFile | null;
  #spillFault: string | null = null;

  constructor(options: CaptureOptions) {
    this.#options = options;
    this.#limit = options.limit ?? RESULT_LIMIT;
    this.#spill = options.spill ?? null;
  }

  push(text: string, stream: Stream): void {
    this.#bytes += Buffer.byteLength(text);
    this.#keepRaw(text);
    this.#show(text, stream);
    this.#add(this.#plain[stream].push(text));
  }

  /** All that was captured since the beginning, or since the last `take`; goes on capturing. */
  take(): CapturedOutput {
    for (const stream of ['stdout', 'stderr'] as const) this.#add(this.#plain[stream].takeLine());
    const output = this.#output();
    this.#head = '';
    this.#tail = '';
    this.#total = 0;
    return output;
  }

  /** All of it; nothing may be pushed any more. */
  finish(): CapturedOutput {
    this.flush();
    const output = this.#output();
    this.#spill?.close();
    return output;
  }

  /** Settles what was kept back: an unfinished line. */
  flush(): void {
    for (const stream of ['stdout', 'stderr'] as const) this.#add(this.#plain[stream].end());
  }

  #output(): CapturedOutput {
    const binary = isBinary(this.#head);
    if ((binary || this.#total > this.#limit) && this.#spill === null) this.#openSpill();
    const spill = this.#spill;
    const spillPath = spill === null ? null : spill.path;
    const spillFault = this.#spillFault ?? spill?.fault ?? null;
    const where =
      spillPath === null ? `the full text could not be kept: ${spillFault ?? 'unknown'}` : `full text: ${spillPath}`;
    if (binary) {
      return {
        text: `[binary output, ${this.#bytes} bytes; ${where}]`,
        cut: this.#total,
        bytes: this.#bytes,
        spillPath,
        spillFault,
      };
    }
    const note = (cut: number): string => `[… ${cut.toLocaleString('en-US')} characters cut; ${where} …]`;
    const { text, cut } = joinCut(this.#head, this.#tail, this.#total, this.#limit, note);
    return { text, cut, bytes: this.#bytes, spillPath: cut > 0 ? spillPath : null, spillFault };
  }

  #add(text: string): void {
    if (text === '') return;
    this.#total += text.length;
    const room = this.#limit - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    if (text.length > room)
      this.#tail = (this.#tail + text.slice(Math.max(0, room))).slice(-Math.ceil(this.#limit / 4));
  }

  #keepRaw(text: string): void {
    if (this.#spill === null && this.#spillFault === null) {
      this.#raw.push(text);
      if (this.#bytes > MEMORY_LIMIT) this.#openSpill();
    } else this.#spill?.write(Buffer.from(text));
  }

  #openSpill(): void {
    if (this.#spillFault !== null) return;
    try {
      this.#spill = SpillFile.create(this.#options.spillFolder, this.#options.name);
      this.#spill.write(Buffer.from(this.#raw.join('')));
    } catch (cause) {
      this.#spillFault = cause instanceof Error ? cause.message : String(cause);
    }
    this.#raw = [];
  }

  #show(text: string, stream: Stream): void {
    const { onOutput } = this.#options;
    if (onOutput === undefined || this.#live > LIVE_LIMIT) return;
    const shown = this.#styled[stream].push(text);
    if (shown === '') return;
    this.#live += shown.length;
    onOutput(shown);
    if (this.#live > LIVE_LIMIT) onOutput('\n[… more output is not shown live; its end follows with the result …]\n');
  }
}

function isBinary(head: string): boolean {
  const sample = head.slice(0, 8192);
  if (sample.length < 64) return false;
  let unreadable = 0;
  for (let at = sample.indexOf('\uFFFD'); at >= 0; at = sample.indexOf('\uFFFD', at + 1)) unreadable += 1;
  return unreadable / sample.length > BINARY_SHARE;
}
