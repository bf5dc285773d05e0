import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { Settings } from '../../protocol/settings.ts';
import { createRouter, localClient, type ApiRouter } from '../api/router.ts';
import { DesktopWatches } from '../desktop/desktop-watches.ts';
import { claimHome, type ClaimedHome, type HostError } from '../core/claim-home.ts';
import { hostCore, type HostCoreOptions, type OwnedCore } from '../core/host-core.ts';
import { exportRedactor } from '../secrets/export-redactor.ts';
import type { ApiClient } from './local-connection.ts';
import { openDoors, type Doors } from './doors.ts';
import type { HttpServer } from './http-server.ts';
import type { ListenInput } from '../../protocol/listen.ts';

/** How a process becomes the core of a data folder, with everything by which clients reach it. */
export type FrontOptions = Omit<HostCoreOptions, 'listen'>;

/** A core in this process with its doors: the local socket, HTTP listeners, message ports. */
export interface CoreFront {
  readonly core: OwnedCore;
  /** For message ports. */
  readonly router: ApiRouter;
  /** The API without any transport between. */
  readonly client: ApiClient;
  /** Clients connected over sockets now. */
  readonly clients: number;
  /** Opens the web app's listener, or answers the one that fits and is open already. */
  listen(input: ListenInput): Promise<Result<HttpServer, ApiError>>;
  /** Closes the doors, then the core. */
  close(options?: { readonly endAll?: boolean }): Promise<void>;
}

/** What is open before the core is there. */
export interface EarlyParts {
  readonly claim: ClaimedHome;
  readonly doors: Doors;
  /** Gives those that wait at the doors the API. */
  serve(router: ApiRouter): void;
}

/** Hosts the core of a data folder, and lets clients in (D2). `client` names this process to others. `early` is closed where this fails. */
export async function openFront(
  options: FrontOptions,
  client: string,
  early: EarlyParts | null = null,
): Promise<Result<CoreFront, HostError>> {
  const claim = early === null ? await claimHome(options) : ok(early.claim);
  if (!claim.ok) return claim;
  const parts: { doors: Doors | null } = { doors: null };
  const hosted = await hostCore(
    {
      ...options,
      listen: async (input) => {
        if (parts.doors === null) return err({ code: 'shutting_down', message: 'The core is still starting.' });
        const opened = await parts.doors.listeners.open(input);
        return opened.ok ? ok({ url: opened.value.url }) : opened;
      },
    },
    claim.value,
  );
  if (!hosted.ok) {
    await early?.doors.close();
    return hosted;
  }
  const core = hosted.value;
  const router = routerOf(core, options);
  const doors = early === null ? await openDoors(options, core, router) : ok(early.doors);
  if (!doors.ok) {
    await core.close();
    return doors;
  }
  parts.doors = doors.value;
  if (early !== null) {
    early.serve(router);
    core.announce({ starting: undefined });
  }
  return ok(frontOf(core, router, doors.value, client));
}

function frontOf(core: OwnedCore, router: ApiRouter, doors: Doors, client: string): CoreFront {
  return {
    core,
    router,
    client: localClient(router, client),
    get clients() {
      return doors.clients;
    },
    listen: (input) => doors.listeners.open(input),
    async close(how) {
      await doors.close();
      await core.close(how);
    },
  };
}

function routerOf(core: OwnedCore, { clock, random, environment, logger }: FrontOptions): ApiRouter {
  const settings = (): Settings => core.settings();
  const redact = (text: string): string => exportRedactor(settings(), environment)(text);
  const desktops = new DesktopWatches({ hub: core.hub, clock, random, settings, redact });
  return createRouter(core.service, core.hub, logger, desktops);
}
