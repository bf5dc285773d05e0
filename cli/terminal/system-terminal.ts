import { createInterface } from 'node:readline';
import { terminalOver, type Terminal } from './terminal.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The terminal of this process. */
export function systemTerminal(): Terminal {
  // What became of data is told to who wrote it; for words to people there is then nobody to tell.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return terminalOver({
    out: (text) =>
      new Promise((resolve, reject) => {
        process.stdout.write(text, (error) => {
          // A reader that has left (`| head`) is no error of ours.
          if (error == null || (error as NodeJS.ErrnoException).code === 'EPIPE') resolve();
          else reject(error);
        });
      }),
    err: writeLine,
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
  });
}

/** A full disk under stderr must not end work that goes on without it: to a file it is written at once, and throws. */
function writeLine(line: string): void {
  try {
    process.stderr.write(`${line}\n`);
  } catch {
    return; // There is nobody to tell.
  }
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
