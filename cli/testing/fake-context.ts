import { tmpdir } from 'node:os';
import { systemClock } from '../../core/kit/clock.ts';
import { systemRandom } from '../../core/kit/random.ts';
import type { ApiClient } from '../../core/host/serve/local-connection.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { Failure } from '../core/failure.ts';
import type { CoreAccess, Cores, HostedAccess } from '../core/cores.ts';
import { terminalOver, type Terminal } from '../terminal/terminal.ts';

/** What a test wants the world around a command to be. */
export interface FakeWorld {
  readonly client: ApiClient;
  readonly home?: string;
  readonly cwd?: string;
  readonly stdin?: string;
  readonly interactive?: boolean;
  /** Whether whoever read stdout has left. */
  readonly unread?: () => boolean;
  /** No core runs: what is stored is read. */
  readonly stored?: boolean;
  /** Lines typed, each given to the next question. */
  readonly typed?: string[];
  /** The core runs in this process. */
  readonly hosted?: Omit<HostedAccess, 'settled'> & Partial<HostedAccess>;
  /** When the core that serves first goes, which is another process' then; the next one runs in this process. */
  readonly goes?: Promise<void>;
  /** So often it cannot be served again after that. */
  readonly refusals?: number;
}

/** Where a core of this process serves the web app. */
export const SERVED_HERE = 'http://127.0.0.1:9/#token=t';

function fakeServe(world: FakeWorld, access: () => CoreAccess, served: unknown[]): Cores['serve'] {
  return async (input, told) => {
    const times = served.push(input);
    if (times > 1 && times <= (world.refusals ?? 0) + 1) throw new Failure(3, 'Port 9 is in use.');
    const hosted = world.goes !== undefined && times === 1 ? undefined : world.hosted;
    await told(hosted === undefined ? (await world.client.app.listen(input)).url : SERVED_HERE, access().pid);
    return {
      hosted: hosted === undefined ? null : { ...hosted, closed: new Promise(() => undefined) },
      gone: (hosted === undefined ? world.goes : undefined) ?? new Promise(() => undefined),
      close: () => access().close(),
    };
  };
}

type Seen = { out: string; readonly notes: string[]; readonly questions: string[] };

function fakeTerminal(world: FakeWorld, seen: Seen, listeners: Set<() => void>): Terminal {
  return terminalOver({
    out: async (text) => void (seen.out += text),
    err: (line) => void seen.notes.push(line),
    get isUnread() {
      return world.unread?.() ?? false;
    },
    isInteractive: world.interactive ?? false,
    colour: false,
    async readAll(maxBytes) {
      const bytes = new TextEncoder().encode(world.stdin ?? '');
      return bytes.length > maxBytes ? null : bytes;
    },
    ask(question, signal) {
      seen.questions.push(question);
      const line = world.typed?.shift();
      if (line !== undefined) return Promise.resolve(line);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)));
    },
    onInterrupt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
}

/** A context that notes what a command does to the world. */
export function createFakeContext(world: FakeWorld) {
  const seen = {
    out: '',
    notes: [] as string[],
    questions: [] as string[],
    closed: 0,
    served: [] as unknown[],
    background: 0,
  };
  const listeners = new Set<() => void>();
  const access = (): CoreAccess => ({
    client: world.client,
    pid: 7,
    hosted: world.hosted === undefined ? null : { settled: async () => undefined, ...world.hosted },
    closed: new Promise(() => undefined),
    close: async () => void (seen.closed += 1),
  });
  const context: CommandContext = {
    terminal: fakeTerminal(world, seen, listeners),
    cores: {
      open: async () => access(),
      serve: fakeServe(world, access, seen.served),
      join: async () => access(),
      joinBackground: async () => access(),
      openReading: async () => ({
        client: world.client,
        isStored: world.stored ?? false,
        close: () => access().close(),
      }),
      leaveToBackground: () => void (seen.background += 1),
    },
    environment: {},
    cwd: world.cwd ?? tmpdir(),
    home: world.home ?? '/home/of/espalier',
    root: '/package',
    version: '1.2.3',
    clock: systemClock,
    random: systemRandom,
  };
  const interrupt = (): void => {
    for (const listener of [...listeners]) listener();
  };
  return { context, seen, interrupt };
}

/** Arguments as the command line would give them. */
export function givenArguments(
  positionals: readonly string[],
  options: Readonly<Record<string, string | true>> = {},
): ParsedArguments {
  const text = (name: string): string | undefined => {
    const value = options[name];
    return value === true ? undefined : value;
  };
  return {
    positionals,
    flag: (name) => options[name] === true,
    text,
    number: (name) => (text(name) === undefined ? undefined : Number(text(name))),
  };
}
