import { delay, type Clock } from '../../core/kit/clock.ts';
import type { Random } from '../../core/kit/random.ts';
import { connectLocal, type ConnectError, type LocalConnection } from '../../core/host/serve/connect-local.ts';
import type { FrontOptions } from '../../core/host/serve/front.ts';
import { EXIT } from '../exit-status.ts';
import { spawnBackgroundHost } from './background-host.ts';
import type { CoreAccess, Cores, OpenOptions } from './cores.ts';
import { Failure } from './failure.ts';

/** What is needed to find or host a core. */
export interface SystemCoresOptions {
  readonly home: string;
  readonly root: string;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** This command, as others see it. */
  readonly name: string;
  /** Shows a line to the person who waits. */
  note(line: string): void;
}

/** A core that is starting, or ending, is waited for so long. */
const PATIENCE_MS = 15_000;
const LOOK_AGAIN_MS = 50;
/** How long an ask waits for a client that can answer (A1). */
const UNATTENDED_MS = 60_000;

/** The cores of this machine. */
export function systemCores(options: SystemCoresOptions): Cores {
  const { home, root, clock } = options;
  const until = async <T>(look: () => Promise<T | null>, what: () => string): Promise<T> => {
    const deadline = clock.monotonic() + PATIENCE_MS;
    for (;;) {
      const found = await look();
      if (found !== null) return found;
      if (clock.monotonic() > deadline) throw new Failure(EXIT.environment, what());
      await delay(clock, LOOK_AGAIN_MS);
    }
  };
  return {
    open(how) {
      let last = `${home} is in use by another Espalier that cannot be reached.`;
      return until(
        async () => {
          const joined = await connect(options);
          if (joined.ok) return joinedAccess(joined.value);
          last = refuse(joined.error, last);
          return joined.error.code === 'not_running' ? host(options, how) : null;
        },
        () => last,
      );
    },
    async join() {
      const joined = await connect(options);
      if (joined.ok) return joinedAccess(joined.value);
      refuse(joined.error, '');
      return null;
    },
    async openReading() {
      const joined = await connect(options);
      if (joined.ok) {
        const access = joinedAccess(joined.value);
        return { client: access.client, close: () => access.close() };
      }
      refuse(joined.error, '');
      const { openOfflineClient } = await import('../../core/host/offline/offline-client.ts');
      const opened = openOfflineClient(home, root);
      if (!opened.ok) throw new Failure(EXIT.environment, opened.error.message);
      return { client: opened.value.client, close: async () => opened.value.close() };
    },
    async joinBackground() {
      const running = await connect(options);
      if (running.ok) return joinedAccess(running.value);
      refuse(running.error, '');
      const child = spawnBackgroundHost(options);
      return until(
        async () => {
          if (child.failed() !== null) throw new Failure(EXIT.environment, child.failed() ?? '');
          const joined = await connect(options);
          return joined.ok ? joinedAccess(joined.value) : null;
        },
        () => 'The core in the background did not start in time.',
      );
    },
    leaveToBackground: () => void spawnBackgroundHost(options),
  };
}

function connect({ home, name }: SystemCoresOptions): ReturnType<typeof connectLocal> {
  return connectLocal(home, name);
}

/** The message to give when patience ends; a mismatch does not pass by waiting (D2, case 55). */
function refuse(error: ConnectError, last: string): string {
  if (error.code === 'protocol_mismatch') throw new Failure(EXIT.environment, error.message);
  return error.code === 'not_running' ? last : error.message;
}

function joinedAccess(connection: LocalConnection): CoreAccess {
  return {
    client: connection.client,
    pid: connection.pid,
    hosted: null,
    closed: connection.closed,
    async close() {
      connection.close();
      await connection.closed;
    },
  };
}

/** Hosts a core in this process; null when another was faster. */
async function host(options: SystemCoresOptions, { attended, work }: OpenOptions): Promise<CoreAccess | null> {
  const [{ openFront }, { openLog }, { HostPath }] = await Promise.all([
    import('../../core/host/serve/front.ts'),
    import('../../core/host/place/log-file.ts'),
    import('../../core/host/place/host-path.ts'),
  ]);
  const { home, version, clock, random, root } = options;
  const path = await HostPath.open({
    environment: options.environment,
    platform: process.platform,
    clock,
    ask: 'bare',
  });
  const { environment } = path;
  if (path.isLacking) options.note(`PATH: ${path.words}.`);
  const front: FrontOptions = {
    home,
    version,
    clock,
    random,
    environment,
    path,
    packageRoot: root,
    logger: openLog(home, environment['ESPALIER_LOG']),
    unattendedMs: attended ? UNATTENDED_MS : 0,
    onObstacle: (words) => {
      if (words !== null) options.note(`The core cannot start yet. ${words}`);
    },
    ...(work ? {} : { warmWorkers: 0 }),
  };
  const opened = await openFront(front, options.name);
  if (!opened.ok) {
    if (opened.error.code === 'home_locked') return null;
    throw new Failure(EXIT.environment, opened.error.message);
  }
  const { core, client, close, listen } = opened.value;
  const closed = Promise.withResolvers<void>();
  return {
    client,
    pid: process.pid,
    closed: closed.promise,
    hosted: {
      async listen(input) {
        const server = await listen(input);
        if (!server.ok) throw new Failure(EXIT.environment, server.error.message);
        return server.value;
      },
      clients: () => opened.value.clients,
      liveRuns: () => core.liveRuns(),
    },
    async close(how) {
      await close(how);
      closed.resolve();
    },
  };
}
