import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `holds` says yes, looking every `everyMs`; rejects with `what` after `limitMs`. */
export async function until(what: string, holds: () => boolean, everyMs = 20, limitMs = 60_000): Promise<void> {
  const began = performance.now();
  while (!holds()) {
    if (performance.now() - began > limitMs) throw new Error(`waited too long for ${what}`);
    await sleep(everyMs);
  }
}
