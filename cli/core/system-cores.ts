import { delay, type Clock } from '../../core/kit/clock.ts';
import type { Random } from '../../core/kit/random.ts';
import { connectLocal } from '../../core/host/serve/connect-local.ts';
import type { ConnectError, LocalConnection } from '../../core/host/serve/local-connection.ts';
import type { ErrorCode } from '../../core/protocol/errors.ts';
import type { HostError } from '../../core/host/core/claim-home.ts';
import type { CoreFront, FrontOptions } from '../../core/host/serve/front.ts';
import type { ListenInput } from '../../core/protocol/listen.ts';
import { EXIT } from '../exit-status.ts';
import { spawnBackgroundHost } from './background-host.ts';
import type { CoreAccess, Cores, OpenOptions, Served } from './cores.ts';
import { Failure } from './failure.ts';
import { refuseFaultyHome } from './home-fault.ts';

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
/** What is measured and verified at the end of a run, and takes longer, is begun by the next core again. */
const SETTLED_MS = 5_000;
/** How long an ask waits for a client that can answer (A1). */
const UNATTENDED_MS = 60_000;

/** The cores of this machine. */
export function systemCores(options: SystemCoresOptions): Cores {
  const { home, root, clock } = options;
  const until: Until = async (look, what) => {
    const deadline = clock.monotonic() + PATIENCE_MS;
    for (;;) {
      const found = await look();
      if (found !== null) return found;
      if (clock.monotonic() > deadline) throw new Failure(EXIT.environment, what());
      await delay(clock, LOOK_AGAIN_MS);
    }
  };
  return {
    open: (how) => joinOrHost(options, until, joinedAccess, () => host(options, how)),
    serve: (input, told) =>
      joinOrHost(
        options,
        until,
        (running) => serveJoined(joinedAccess(running), input, told),
        () => serveHere(options, input, told),
      ),
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
        return { client: access.client, isStored: false, close: () => access.close() };
      }
      refuse(joined.error, '');
      const { openOfflineClient } = await import('../../core/host/offline/offline-client.ts');
      const opened = openOfflineClient(home, root);
      if (!opened.ok) throw new Failure(EXIT.environment, opened.error.message);
      return { client: opened.value.client, isStored: true, close: async () => opened.value.close() };
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

/** Looks again until something is found; says `what` was waited for when patience ends. */
type Until = <T>(look: () => Promise<T | null>, what: () => string) => Promise<T>;

/** The running core, or one hosted here; one that starts or ends meanwhile is waited for. */
function joinOrHost<T>(
  options: SystemCoresOptions,
  until: Until,
  join: (running: LocalConnection) => Promise<T> | T,
  hostHere: () => Promise<T | null>,
): Promise<T> {
  let last = `${options.home} is in use by another Espalier that cannot be reached.`;
  return until(
    async () => {
      const joined = await connect(options);
      if (joined.ok) return join(joined.value);
      last = refuse(joined.error, last);
      return joined.error.code === 'not_running' ? hostHere() : null;
    },
    () => last,
  );
}

async function connect({ home, name }: SystemCoresOptions): ReturnType<typeof connectLocal> {
  refuseFaultyHome(home);
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

/** Has the running core listen. */
async function serveJoined(
  access: CoreAccess,
  input: ListenInput,
  told: (url: string, pid: number) => Promise<void>,
): Promise<Served> {
  try {
    await told((await access.client.app.listen(input)).url, access.pid);
  } catch (error) {
    await access.close();
    throw error;
  }
  return { hosted: null, gone: access.closed, close: () => access.close() };
}

/** Serves the page by this process, and then loads the core; null when another was faster. */
async function serveHere(
  options: SystemCoresOptions,
  input: ListenInput,
  told: (url: string, pid: number) => Promise<void>,
): Promise<Served | null> {
  const { openEarlyFront } = await import('../../core/host/serve/early-front.ts');
  const front = await frontOptions(options, { attended: true, work: true });
  const early = await openEarlyFront(front, options.name, input);
  if (!early.ok) return notHosted(early.error);
  await told(early.value.server.url, process.pid);
  const closed = Promise.withResolvers<void>();
  const opening = early.value.open();
  let core: CoreFront | null = null;
  const opened = opening.then((result) => {
    if (!result.ok) throw new Failure(EXIT.environment, result.error.message);
    core = result.value;
  });
  opened.catch(closed.reject);
  return {
    hosted: { atWork: () => core?.core.atWork() ?? 0, closed: closed.promise },
    gone: new Promise(() => undefined),
    async close() {
      // What is being opened is closed whole. Why it could not be opened has been told by then.
      await opened.catch(() => undefined);
      await core?.close();
      closed.resolve();
    },
  };
}

/** Hosts a core in this process; null when another was faster. */
async function host(options: SystemCoresOptions, how: OpenOptions): Promise<CoreAccess | null> {
  const [{ openFront }, front] = await Promise.all([
    import('../../core/host/serve/front.ts'),
    frontOptions(options, how),
  ]);
  const opened = await openFront(front, options.name);
  if (!opened.ok) return notHosted(opened.error);
  const { core, client, close } = opened.value;
  const closed = Promise.withResolvers<void>();
  return {
    client,
    pid: process.pid,
    closed: closed.promise,
    hosted: {
      clients: () => opened.value.clients,
      settled: () => core.settled(SETTLED_MS),
      atWork: () => core.atWork(),
    },
    async close() {
      await close();
      closed.resolve();
    },
  };
}

/** Null where another core has the folder by now; anything else that is in the way does not pass. */
function notHosted(error: { readonly code: HostError['code'] | ErrorCode; readonly message: string }): null {
  if (error.code === 'home_locked') return null;
  throw new Failure(EXIT.environment, error.message);
}

async function frontOptions(options: SystemCoresOptions, { attended, work }: OpenOptions): Promise<FrontOptions> {
  const [{ openLog }, { HostPath }] = await Promise.all([
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
  return {
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
}
