import { LineEditor } from './line-editor.ts';
import { terminalOver, type Terminal } from './terminal.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The terminal of this process. */
export function systemTerminal(): Terminal {
  // What became of data is told to who wrote it; for words to people there is then nobody to tell.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const editor = new LineEditor(process.stdin, process.stderr);
  let isUnread = false;
  return terminalOver({
    out: (text) =>
      new Promise((resolve, reject) => {
        process.stdout.write(text, (error) => {
          // A reader that has left (`| head`) is no error of ours.
          isUnread ||= codeOf(error) === 'EPIPE';
          if (error == null || isUnread) resolve();
          else reject(error);
        });
      }),
    get isUnread() {
      return isUnread;
    },
    err: (line) => editor.write(line),
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    colour: process.stderr.isTTY === true && (process.env['NO_COLOR'] ?? '') === '' && process.env['TERM'] !== 'dumb',
    readAll,
    ask: (question, signal) => editor.ask(question, signal),
    onInterrupt(listener) {
      for (const signal of SIGNALS) process.on(signal, listener);
      return () => {
        for (const signal of SIGNALS) process.off(signal, listener);
      };
    },
  });
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null | undefined)?.code;
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
