/** What a worker reads from its standard input, once: a line of JSON. Never in argv or environment, which tools inherit. */
export interface StartInput {
  /** One-time start token. */
  readonly token: string;
  /** null for a worker that waits in the pool. */
  readonly attempt_id: string | null;
  /** File that names the core's socket; a later core writes another address to the same file. */
  readonly address_file: string;
  /** Version of the worker's code, as the core saw it at the start; shown in the handshake. */
  readonly bundle: string;
  /** Runner to load while the handshake is under way. */
  readonly runner: string;
}

/** The bytes for the standard input. */
export function encodeStartInput(input: StartInput): Uint8Array {
  return Buffer.from(`${JSON.stringify(input)}\n`);
}

/** Throws when the text is not what a core writes: the worker was started by something else. */
export function parseStartInput(text: string): StartInput {
  const value = JSON.parse(text) as Partial<StartInput> | null;
  const texts = [value?.token, value?.address_file, value?.bundle, value?.runner];
  const attempt = value?.attempt_id;
  if (texts.every((each) => typeof each === 'string') && (attempt === null || typeof attempt === 'string')) {
    return value as StartInput;
  }
  throw new Error('A worker is started by the core of Espalier, not by hand.');
}
