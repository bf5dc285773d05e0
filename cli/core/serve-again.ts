import { delay } from '../../core/kit/clock.ts';
import type { CommandContext } from '../command-context.ts';
import { toFailure } from './api-failure.ts';
import type { Served } from './cores.ts';

/** Between two tries to serve again. */
const AGAIN_MS = 1_000;

/** Where the web app was served, with the token in the address. */
export interface Place {
  readonly url: string;
  readonly host: string;
}

/**
 * Serves the web app again where it was, when the core of another process has taken its listener with it: by the next core of the data folder, or by one
 * in this process. What does not work is told once and tried again. Null when it is `interrupted` before.
 */
export async function serveAgain(
  { cores, terminal, clock }: CommandContext,
  { url, host }: Place,
  interrupted: Promise<'interrupted'>,
): Promise<Served | null> {
  const { port, hash } = new URL(url);
  const input = { port: Number(port), host, token: hash.slice('#token='.length) };
  for (let told = ''; ;) {
    try {
      return await cores.serve(input, async (_, pid) => {
        const who = pid === process.pid ? 'this process' : `process ${String(pid)}`;
        terminal.note(`The core has ended; ${who} has taken its place, at the same address.`);
      });
    } catch (error) {
      const problem = toFailure(error).message;
      if (problem !== told) terminal.note(`The web app is not served just now. ${problem}`);
      told = problem;
    }
    if ((await Promise.race([interrupted, delay(clock, AGAIN_MS)])) === 'interrupted') return null;
  }
}
