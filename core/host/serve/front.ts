import { join } from 'node:path';
import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { Settings } from '../../protocol/settings.ts';
import { createRouter, localClient, type ApiRouter } from '../api/router.ts';
import { DesktopWatches } from '../desktop/desktop-watches.ts';
import { hostCore, type HostCoreOptions, type HostError, type OwnedCore } from '../core/host-core.ts';
import { exportRedactor } from '../secrets/export-redactor.ts';
import type { ApiClient } from './connect-local.ts';
import { startHttpServer, type HttpServer } from './http-server.ts';
import { startLocalApi, type LocalApi } from './local-api.ts';

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
  listen(input: { readonly port: number; readonly host: string }): Promise<Result<HttpServer, ApiError>>;
  /** Closes the doors, then the core. */
  close(options?: { readonly endAll?: boolean }): Promise<void>;
}

/** Addresses that one core may listen on; each has its own token. */
const MAX_LISTENERS = 8;

/** Hosts the core of a data folder, and lets clients in (D2). `client` names this process to others. */
export async function openFront(options: FrontOptions, client: string): Promise<Result<CoreFront, HostError>> {
  const front: { listen: CoreFront['listen'] | null } = { listen: null };
  const hosted = await hostCore({
    ...options,
    listen: async (input) => {
      if (front.listen === null) return err({ code: 'shutting_down', message: 'The core is still starting.' });
      const opened = await front.listen(input);
      return opened.ok ? ok({ url: opened.value.url }) : opened;
    },
  });
  if (!hosted.ok) return hosted;
  const core = hosted.value;
  const { clock, random } = options;
  const settings = (): Settings => core.settings();
  const redact = (text: string): string => exportRedactor(settings(), options.environment)(text);
  const desktops = new DesktopWatches({ hub: core.hub, clock, random, settings, redact });
  const router = createRouter(core.service, core.hub, options.logger, desktops);
  let local: LocalApi;
  try {
    local = await startLocalApi(options.home, router, options.clock);
  } catch (error) {
    await core.close();
    const why = error instanceof Error ? error.message : String(error);
    return err({ code: 'home_unusable', message: `The core's socket could not be opened: ${why}` });
  }
  core.announce({ apiSocket: local.path });
  const listeners = new Listeners(options, core, router);
  front.listen = (input) => listeners.open(input);
  return ok({
    core,
    router,
    client: localClient(router, client),
    get clients() {
      return local.clients + listeners.clients;
    },
    listen: (input) => listeners.open(input),
    async close(how) {
      await Promise.all([listeners.close(), local.close()]);
      await core.close(how);
    },
  });
}

/** The HTTP listeners of one core. */
class Listeners {
  readonly #options: FrontOptions;
  readonly #core: OwnedCore;
  readonly #router: ApiRouter;
  readonly #open: { readonly host: string; readonly server: HttpServer }[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: FrontOptions, core: OwnedCore, router: ApiRouter) {
    this.#options = options;
    this.#core = core;
    this.#router = router;
  }

  get clients(): number {
    return this.#open.reduce((sum, { server }) => sum + server.clients, 0);
  }

  /** One after the other, so that two who ask at once are given the same one. */
  open(input: { readonly port: number; readonly host: string }): Promise<Result<HttpServer, ApiError>> {
    const turn = this.#turn.then(() => this.#openNow(input));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #openNow({ port, host }: { port: number; host: string }): Promise<Result<HttpServer, ApiError>> {
    const known = this.#open.find((one) => one.host === host && (port === 0 || port === one.server.port));
    if (known !== undefined) return ok(known.server);
    if (this.#open.length >= MAX_LISTENERS) {
      return err({ code: 'limit_reached', message: 'This core listens on enough addresses. Use one of them.' });
    }
    const { clock, random, logger, packageRoot } = this.#options;
    const rendererFolder = join(packageRoot, 'dist', 'renderer');
    const opened = await startHttpServer({ port, host, router: this.#router, rendererFolder, clock, random, logger });
    if (!opened.ok) return err({ code: 'not_allowed', message: opened.error.message });
    this.#open.push({ host, server: opened.value });
    this.#core.announce({ url: opened.value.address });
    return opened;
  }

  async close(): Promise<void> {
    await this.#turn;
    await Promise.all(this.#open.map(({ server }) => server.close()));
  }
}
