import { delay } from '../../kit/clock.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { ApiRouter } from '../api/router.ts';
import { claimHome, type HostError } from '../core/claim-home.ts';
import { openDoors } from './doors.ts';
import type { CoreFront, FrontOptions } from './front.ts';
import type { HttpServer } from './http-server.ts';
import type { ListenInput } from '../../protocol/listen.ts';
import type { Listeners } from './listeners.ts';

/** A data folder whose web app is served, and whose core is about to be. */
export interface EarlyFront {
  readonly server: HttpServer;
  /** Loads the core and opens it; clients that have come wait for it. Called once; where it fails, everything is closed. */
  open(): Promise<Result<CoreFront, HostError>>;
}

/**
 * Claims the data folder and serves the page, which holds no data, before the core is loaded: its modules take several times as long as all of this.
 * What a start is refused for has been looked at by then: the lock, the settings, the database, the sockets (docs/decisions/0007).
 */
export async function openEarlyFront(
  options: FrontOptions,
  client: string,
  input: ListenInput,
): Promise<Result<EarlyFront, HostError | ApiError>> {
  const claimed = await claimHome(options);
  if (!claimed.ok) return claimed;
  const claim = claimed.value;
  claim.announce({ starting: true });
  const router = Promise.withResolvers<ApiRouter>();
  const doors = await openDoors(options, claim, router.promise);
  if (!doors.ok) {
    await claim.release();
    return doors;
  }
  const listening = await doors.value.listeners.open(input);
  if (!listening.ok) {
    await doors.value.close();
    await claim.release();
    return err(listening.error);
  }
  return ok({
    server: listening.value,
    async open() {
      // Leaves the loop to the first request, if it comes at once.
      await Promise.race([listening.value.firstAnswer, delay(options.clock, HEAD_START_MS)]);
      await loadCore(doors.value.listeners);
      const { openFront } = await import('./front.ts');
      return openFront(options, client, { claim, doors: doors.value, serve: router.resolve });
    },
  });
}

/** The core in parts, so that requests for the page are answered between them; each holds up the loop for 10 to 40 ms. */
const PARTS: readonly (() => Promise<unknown>)[] = [
  () => import('zod'),
  () => import('../../protocol/contract.ts'),
  () => import('../api/router.ts'),
];

async function loadCore(listeners: Listeners): Promise<void> {
  for (const load of PARTS) {
    await load();
    await answered(listeners);
  }
}

/** Whoever was given the address asks for the page next, if it is a program: its answer is waited for so long at most. A person takes longer than the whole start. */
const HEAD_START_MS = 20;
/** So many turns of the loop at most are left to requests before the core goes on to be loaded. */
const MAX_TURNS = 1000;

/** What has come is answered first. */
async function answered(listeners: Listeners): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    if (turn > 0 && listeners.busy === 0) return;
  }
}
