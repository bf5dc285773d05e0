import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiRouter } from '../api/router.ts';
import type { ClaimedHome, HostError } from '../core/claim-home.ts';
import type { CoreOptions } from '../core/core-options.ts';
import { Listeners } from './listeners.ts';
import { startLocalApi, type LocalApi } from './local-api.ts';

/** By which clients reach one core: the local socket and HTTP listeners. */
export interface Doors {
  readonly local: LocalApi;
  readonly listeners: Listeners;
  /** Clients connected over sockets now. */
  readonly clients: number;
  close(): Promise<void>;
}

/** Opens the local socket, and says where it is; listeners come as they are asked for. The API may come later: clients wait for it. */
export async function openDoors(
  options: CoreOptions,
  claim: Pick<ClaimedHome, 'announce'>,
  router: ApiRouter | Promise<ApiRouter>,
): Promise<Result<Doors, HostError>> {
  let local: LocalApi;
  try {
    local = await startLocalApi(options.home, router, options.clock);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return err({ code: 'home_unusable', message: `The core's socket could not be opened: ${why}` });
  }
  claim.announce({ apiSocket: local.path });
  const listeners = new Listeners(options, claim.announce, router);
  return ok({
    local,
    listeners,
    get clients() {
      return local.clients + listeners.clients;
    },
    async close() {
      await Promise.all([listeners.close(), local.close()]);
    },
  });
}
