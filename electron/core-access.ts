import type { MessagePortMain } from 'electron';
import { dataFolder } from '../core/host/place/data-folder.ts';
import { openLog } from '../core/host/place/log-file.ts';
import { connectLocal } from '../core/host/serve/connect-local.ts';
import { openFront } from '../core/host/serve/front.ts';
import { serveMessagePort } from '../core/host/serve/message-port.ts';
import { systemClock } from '../core/kit/clock.ts';
import { systemRandom } from '../core/kit/random.ts';
import { err, ok } from '../core/kit/result.ts';
import { ApiError } from '../core/protocol/errors.ts';
import type { CoreAccess, LocalCore, RunningCore } from './open-core.ts';

/** Where the core of this desktop lives. */
export interface CorePlace {
  readonly home: string;
  /** Folder with `dist`, `migrations`, `assets` as real files. */
  readonly packageRoot: string;
  readonly version: string;
}

/** How long an ask waits for a client that can answer (A1): a closed window may be opened again. */
const UNATTENDED_MS = 60_000;
const CLIENT = 'desktop';

/** The data folder of this process' environment. */
export function desktopHome(): string {
  return dataFolder(process.env);
}

/** The cores of this machine's data folder. */
export function coreAccess(place: CorePlace): CoreAccess<MessagePortMain> {
  return {
    clock: systemClock,
    async host() {
      const opened = await openFront(
        {
          ...place,
          clock: systemClock,
          random: systemRandom,
          logger: openLog(place.home, process.env['ESPALIER_LOG']),
          environment: process.env,
          unattendedMs: UNATTENDED_MS,
        },
        CLIENT,
      );
      if (!opened.ok) return opened;
      const front = opened.value;
      const core: LocalCore<MessagePortMain> = {
        servePort: (port) => serveMessagePort(port, front.router),
        close: () => front.close(),
      };
      return ok(core);
    },
    async connect() {
      const connected = await connectLocal(place.home, CLIENT);
      if (!connected.ok) return connected;
      const { client, close } = connected.value;
      const core: RunningCore = {
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
      return ok(core);
    },
  };
}
