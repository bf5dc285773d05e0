import { DesktopDriver, type DesktopShell } from '../core/host/desktop/desktop-driver.ts';
import type { QuitFacts } from '../core/host/desktop/quit.ts';
import { dataFolder } from '../core/host/place/data-folder.ts';
import { openLog } from '../core/host/place/log-file.ts';
import { connectLocal, type ApiClient, type LocalConnection } from '../core/host/serve/connect-local.ts';
import { openFront, type CoreFront } from '../core/host/serve/front.ts';
import { serveMessagePort } from '../core/host/serve/message-port.ts';
import { systemClock } from '../core/kit/clock.ts';
import type { Logger } from '../core/kit/logger.ts';
import { systemRandom } from '../core/kit/random.ts';
import type { PathOrigin } from '../core/host/core/core-options.ts';
import { exportRedactor } from '../core/host/secrets/export-redactor.ts';
import { err, ok } from '../core/kit/result.ts';
import { ApiError } from '../core/protocol/errors.ts';
import type { Settings } from '../core/protocol/settings.ts';
import type { GiveKey } from './key-store.ts';
import type { CoreAccess, RunningCore } from './open-core.ts';

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

/** A core in this process, as far as the desktop needs it. */
export interface HostedDesktop {
  /** Serves the API over one end of a message channel until that closes. */
  servePort(port: Parameters<typeof serveMessagePort>[0]): void;
  readonly client: ApiClient;
  settings(): Settings;
  redact(text: string): string;
  /** A key of the keychain counts at once, and no more when it is forgotten. */
  readonly giveKey: GiveKey;
  /** Has the shell tell and show what the core commits. */
  drive(shell: DesktopShell): Promise<void>;
  /** What there is to do when somebody quits now. */
  quitFacts(): Promise<Omit<QuitFacts, 'hasTray'>>;
  suspended(): void;
  resumed(): void;
  /** Commits everything. Workers at work go on, unless `endAll` says to end them first. */
  close(options: { readonly endAll: boolean }): Promise<void>;
}

/** How long an ask waits for a client that can answer (A1): a closed window may be opened again. */
const UNATTENDED_MS = 60_000;
const CLIENT = 'desktop';

/** The data folder of this process' environment. */
export function desktopHome(): string {
  return dataFolder(process.env);
}

/** The cores of this machine's data folder. */
export function coreAccess(place: CorePlace): CoreAccess<HostedDesktop> {
  const logger = openLog(place.home, process.env['ESPALIER_LOG']);
  return {
    clock: systemClock,
    async host() {
      const parts = { clock: systemClock, random: systemRandom, logger, unattendedMs: UNATTENDED_MS };
      const opened = await openFront({ ...place, ...parts }, CLIENT);
      return opened.ok ? ok(hostedDesktop(opened.value, place, logger)) : opened;
    },
    async connect() {
      const connected = await connectLocal(place.home, CLIENT);
      return connected.ok ? ok(runningCore(connected.value)) : connected;
    },
  };
}

function hostedDesktop(front: CoreFront, { environment }: CorePlace, logger: Logger): HostedDesktop {
  const { core, router, client } = front;
  const redact = (text: string): string => exportRedactor(core.settings(), environment)(text);
  let driver: DesktopDriver | null = null;
  return {
    servePort: (port) => serveMessagePort(port, router),
    client,
    settings: () => core.settings(),
    redact,
    giveKey: (name, value, outside) => core.keys.give(name, value, outside),
    async drive(shell) {
      driver = await DesktopDriver.start({
        hub: core.hub,
        clock: systemClock,
        shell,
        settings: () => core.settings(),
        redact,
      });
    },
    quitFacts: async () => (await driver?.quitFacts()) ?? { atWork: 0, queued: 0, asks: 0 },
    suspended: () => logger.info({}, 'the machine goes to sleep'),
    resumed() {
      logger.info({}, 'the machine woke up');
      // Timers of lines stood still meanwhile: every client is told everything anew.
      core.hub.refresh();
    },
    async close(options) {
      driver?.close();
      await front.close(options);
    },
  };
}

function runningCore({ client, close }: LocalConnection): RunningCore {
  return {
    async listen() {
      try {
        const { url } = await client.app.listen({ port: 0, host: '127.0.0.1' });
        return ok(url);
      } catch (error) {
        const known = ApiError.safeParse((error as { data?: unknown }).data).data;
        return err(known ?? { code: 'internal', message: 'The running core did not open its web page.' });
      }
    },
    close,
  };
}
