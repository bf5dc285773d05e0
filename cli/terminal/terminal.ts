import { inertText } from '../../core/kit/terminal-text.ts';
import { paintLine } from './paint.ts';

/** The world outside a command. */
export interface Terminal extends Streams {
  /** Text for people, to stdout. Whoever it is of, it does nothing but be read. */
  show(text: string): Promise<void>;
  /** One line for people, to stderr; inert as well, with its mark in colour. */
  note(line: string): void;
}

/** Where a terminal writes to and reads from, replaced in tests. */
export interface Streams {
  /** Data, to stdout, as it is; resolves when it is handed over, so that nothing is cut at the end. */
  out(text: string): Promise<void>;
  /** Nobody reads stdout any more (`| head`). */
  readonly isUnread: boolean;
  /** One line to stderr, as it is. */
  err(line: string): void;
  /** A person can be asked: stdin and stderr are a terminal. */
  readonly isInteractive: boolean;
  /** Colours may be used on stderr. */
  readonly colour: boolean;
  /** Everything on stdin, or null when it is more than `maxBytes`. */
  readAll(maxBytes: number): Promise<Uint8Array | null>;
  /** Asks on stderr and answers the next line of stdin; null when the signal or the end of input comes first. */
  ask(question: string, signal: AbortSignal): Promise<string | null>;
  /** Calls `listener` at each Ctrl-C (or SIGTERM, SIGHUP) until the function it answers is called. */
  onInterrupt(listener: () => void): () => void;
}

/** The terminal over its streams: the one place where text for people becomes inert. */
export function terminalOver(streams: Streams): Terminal {
  return {
    ...streams,
    get isUnread() {
      return streams.isUnread;
    },
    show: (text) => streams.out(inertText(text)),
    note: (line) => streams.err(paintLine(inertText(line), streams.colour)),
  };
}
