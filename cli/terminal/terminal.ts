/** The world outside a command, replaced in tests. */
export interface Terminal {
  /** Data, to stdout; resolves when it is handed over, so that nothing is cut at the end. */
  out(text: string): Promise<void>;
  /** One line for people, to stderr. */
  note(line: string): void;
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
