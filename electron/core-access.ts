import { dataFolder } from '../core/host/place/data-folder.ts';
import { openLog } from '../core/host/place/log-file.ts';
import { connectLocal } from '../core/host/serve/connect-local.ts';
import type { ApiClient, LocalConnection } from '../core/host/serve/local-connection.ts';
import { openFront, type CoreFront } from '../core/host/serve/front.ts';
import { serveMessagePort } from '../core/host/serve/message-port.ts';
import { systemClock } from '../core/kit/clock.ts';
import type { Logger } from '../core/kit/logger.ts';
import { systemRandom } from '../core/kit/random.ts';
import type { PathOrigin } from '../core/host/core/core-options.ts';
import { exportRedactor } from '../core/host/secrets/export-redactor.ts';
import { ok } from '../core/kit/result.ts';
import type { GiveKey } from './key-store.ts';
import type { MessagePortMain } from 'electron';
import type { CoreAccess } from './open-core.ts';

/** Where the core of this desktop lives. */
export interface CorePlace {
  readonly home: string;
  /** Folder with `dist`, `migrations`, `assets` as real files. */
  readonly packageRoot: string;
  readonly version: string;
  /** Variables for tools and keys; the person's login shell and key store may have added to it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly path: PathOrigin;
}

/** The core that the windows show: in this process, or hosted by another one. */
export interface DesktopCore {
  /** It is in this process, and ends with it. */
  readonly isOurs: boolean;
  readonly client: ApiClient;
  /** Serves the API over one end of a message channel until that closes. */
  servePort(port: MessagePortMain): void;
  /** Masks known secrets. */
  redact(text: string): Promise<string>;
  /** A key of the keychain counts at once, and no more when it is forgotten; null for a core that has its own environment. */
  readonly giveKey: GiveKey | null;
  suspended(): void;
  resumed(): void;
  /** Commits everything. Workers at work go on, unless `endAll` says to end them first. One of another process is only left. */
  close(options: { readonly endAll: boolean }): Promise<void>;
  /** Resolves when one of another process is gone. */
  readonly closed: Promise<void>;
}

/** How long an ask waits for a client that can answer (A1): a closed window may be opened again. */
const UNATTENDED_MS = 60_000;
const CLIENT = 'desktop';

/** The data folder of this process' environment. */
export function desktopHome(): string {
  return dataFolder(process.env);
}

/** The cores of this machine's data folder. */
export function coreAccess(place: CorePlace): CoreAccess<DesktopCore> {
  const logger = openLog(place.home, process.env['ESPALIER_LOG']);
  return {
    clock: systemClock,
    async host() {
      const parts = { clock: systemClock, random: systemRandom, logger, unattendedMs: UNATTENDED_MS };
      const opened = await openFront({ ...place, ...parts }, CLIENT);
      return opened.ok ? ok(hostedCore(opened.value, place, logger)) : opened;
    },
    async connect() {
      const connected = await connectLocal(place.home, CLIENT);
      return connected.ok ? ok(joinedCore(connected.value, place, logger)) : connected;
    },
  };
}

function hostedCore(front: CoreFront, { environment }: CorePlace, logger: Logger): DesktopCore {
  const { core, router, client } = front;
  return {
    isOurs: true,
    servePort: (port) => serveMessagePort(port, router),
    client,
    redact: (text) => Promise.resolve(exportRedactor(core.settings(), environment)(text)),
    giveKey: (name, value, outside) => core.keys.give(name, value, outside),
    suspended: () => logger.info({}, 'the machine goes to sleep'),
    resumed() {
      logger.info({}, 'the machine woke up');
      // Timers of lines stood still meanwhile: every client is told everything anew.
      core.hub.refresh();
    },
    close: (options) => front.close(options),
    closed: new Promise(() => undefined),
  };
}

function joinedCore(connection: LocalConnection, { environment }: CorePlace, logger: Logger): DesktopCore {
  const { client, closed } = connection;
  return {
    isOurs: false,
    servePort: (port) => connection.relay(port),
    client,
    giveKey: null,
    redact: async (text) => exportRedactor(await client.settings.get(), environment)(text),
    // That process hears it from the system itself.
    suspended: () => undefined,
    resumed: () => logger.info({}, 'the machine woke up; another process hosts the core'),
    close: () => Promise.resolve(connection.close()),
    closed,
  };
}
