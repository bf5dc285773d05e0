import { createInterface } from 'node:readline';
import type { Terminal } from './terminal.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The terminal of this process. */
export function systemTerminal(): Terminal {
  // A reader that has left (`| head`) is no error of ours; there is nobody to tell.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  return {
    out: (text) =>
      new Promise((resolve) => {
        process.stdout.write(text, () => resolve());
      }),
    note: (line) => void process.stderr.write(`${line}\n`),
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    colour: process.stderr.isTTY === true && (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb',
    readAll,
    ask,
    onInterrupt(listener) {
      for (const signal of SIGNALS) process.on(signal, listener);
      return () => {
        for (const signal of SIGNALS) process.off(signal, listener);
      };
    },
  };
}

async function readAll(maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function ask(question: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(null);
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    const end = (answer: string | null): void => {
      signal.removeEventListener('abort', onAbort);
      lines.close();
      resolve(answer);
    };
    const onAbort = (): void => end(null);
    signal.addEventListener('abort', onAbort, { once: true });
    lines.once('close', () => end(null));
    // In raw mode Ctrl-C is a key: it means what it means everywhere.
    lines.once('SIGINT', () => {
      end(null);
      process.kill(process.pid, 'SIGINT');
    });
    lines.question(question, (answer) => end(answer));
  });
}
