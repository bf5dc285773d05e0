import { TerminalText } from '../../kit/terminal-text.ts';
import type { OpenEntry, RunnerPort } from '../contract.ts';
import { SpillFile } from './spill-file.ts';

/** Characters of one stream above which its middle is only in a file. */
const LONGEST = 1024 * 1024;
/** Of these, how many are the end; the rest is the beginning, as it came. */
const TAIL = 256 * 1024;
/** Characters of the plain end that are kept for the answer. */
const PLAIN_END = 1024 * 1024;

export type StreamName = 'stdout' | 'stderr';

/**
 * One output of a program in the transcript: as it comes, with its colours, bounded; the whole of a long one is in a file of its own. The entry
 * is opened by the first text, so that a silent stream has none.
 */
export class OutputEntry {
  readonly #port: RunnerPort;
  readonly #stream: StreamName;
  readonly #spillFolder: string;
  readonly #styled = new TerminalText('styled');
  readonly #plain = new TerminalText('plain');
  #entry: OpenEntry | null = null;
  #shown = 0;
  #styledTail = '';
  #plainEnd = '';
  #plainLength = 0;
  /** What a file would have to begin with, while there is none. */
  #raw: string[] = [];
  #rawLength = 0;
  #spill: SpillFile | null = null;
  #spillFault: string | null = null;

  constructor(port: RunnerPort, stream: StreamName, spillFolder: string) {
    this.#port = port;
    this.#stream = stream;
    this.#spillFolder = spillFolder;
  }

  /** The output as plain text; of a very long one its end, from the beginning of a line, and where the whole is. */
  get plain(): string {
    const end = this.#plainEnd.slice(-PLAIN_END);
    const cut = this.#plainLength - end.length;
    return cut === 0 ? end : `${this.#gap(cut).trimStart()}${fromLine(end)}`;
  }

  push(text: string): void {
    this.#keep(text);
    this.#show(this.#styled.push(text));
    this.#addPlain(this.#plain.push(text));
  }

  /** The program is over: what was held back is shown, and the entry closed. */
  end(): void {
    this.#show(this.#styled.end());
    this.#addPlain(this.#plain.end());
    const cut = this.#shown - (LONGEST - TAIL) - this.#styledTail.length;
    if (this.#styledTail !== '')
      this.#entry?.append(cut > 0 ? `${this.#gap(cut)}${fromLine(this.#styledTail)}` : this.#styledTail);
    this.#entry?.end();
    this.#spill?.close();
    if (this.#spill === null) return;
    const fault = this.#spill.fault === null ? '' : ` (${this.#spill.fault})`;
    const whole = `The whole ${this.#stream}, ${this.#rawLength.toLocaleString('en-US')} characters, is in ${this.#spill.path}${fault}.`;
    this.#port.transcript.add({ type: 'notice', level: 'info' }, whole);
  }

  #gap(cut: number): string {
    const where =
      this.#spill === null
        ? `the whole could not be kept: ${this.#spillFault ?? 'unknown reason'}`
        : `the whole is in ${this.#spill.path}`;
    return `\n[… ${cut.toLocaleString('en-US')} characters cut; ${where} …]\n`;
  }

  #show(text: string): void {
    if (text === '') return;
    const room = LONGEST - TAIL - this.#shown;
    this.#shown += text.length;
    this.#entry ??= this.#port.transcript.open({ type: 'output', stream: this.#stream });
    if (room > 0) this.#entry.append(text.slice(0, room));
    if (text.length > room) this.#styledTail = (this.#styledTail + text.slice(Math.max(0, room))).slice(-TAIL);
  }

  #addPlain(text: string): void {
    this.#plainLength += text.length;
    this.#plainEnd += text;
    // Not at each piece: cutting costs as much as the whole.
    if (this.#plainEnd.length > 2 * PLAIN_END) this.#plainEnd = this.#plainEnd.slice(-PLAIN_END);
  }

  #keep(text: string): void {
    this.#rawLength += text.length;
    if (this.#spill !== null) return this.#spill.write(text);
    if (this.#spillFault !== null) return;
    this.#raw.push(text);
    if (this.#rawLength <= LONGEST) return;
    try {
      this.#spill = new SpillFile(this.#spillFolder, this.#stream);
      this.#spill.write(this.#raw.join(''));
    } catch (cause) {
      this.#spillFault = cause instanceof Error ? cause.message : String(cause);
    }
    this.#raw = [];
  }
}

/** Without the rest of a line at the beginning, if a line begins soon. */
function fromLine(text: string): string {
  const start = text.indexOf('\n') + 1;
  if (start > 0 && start < text.length / 2) return text.slice(start);
  const first = text.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? text.slice(1) : text;
}
