import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { StringDecoder } from 'node:string_decoder';
import { delay, type Clock } from '../kit/clock.ts';
import { hostProcesses } from '../kit/process-tree/host-processes.ts';
import type { ProcessRef } from '../kit/process-tree/process-entry.ts';
import { ProcessScanner } from '../kit/process-tree/process-scanner.ts';
import { spawnError, type SpawnError } from '../kit/process-tree/spawn-failure.ts';
import { stopTree } from '../kit/process-tree/stop-tree.ts';
import { trackTree, type TreeTracker } from '../kit/process-tree/tree-tracker.ts';
import { err, ok, type Result } from '../kit/result.ts';
import { plainText } from '../kit/terminal-text.ts';

/** Characters of an agent's stderr that are kept for messages: its end. */
const STDERR_KEPT = 16 * 1024;

/** Of the grace, how much an agent gets to leave by its own protocol; the rest is for its handlers of SIGTERM. */
const POLITE_SHARE = 0.6;

/** An agent that ended by itself may still have said why; its outputs are read so long. */
const DRAIN_MS = 400;

/** An agent program to hold a conversation with. */
export interface AgentProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment; see `toolEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Run id that the environment's marker holds: what left the tree unseen is found by it. */
  readonly marker?: string;
  readonly clock: Clock;
  /** Takes secrets out of what it writes to stderr. */
  readonly mask: (text: string) => string;
  readonly onStdout: (chunk: Buffer) => void;
  /** Told of every piece of text on stderr. */
  readonly onStderr: (text: string) => void;
}

/** How a program ended by itself. */
export interface AgentExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * An agent program that we talk to over its standard input and output, in a session of its own, with its descendants recorded while it runs (C4):
 * the tools of most agents have sessions of their own, so that only the walked tree finds them.
 */
export class AgentProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #tracker: Promise<TreeTracker>;
  readonly #clock: Clock;
  readonly #mask: (text: string) => string;
  readonly #drained: Promise<unknown>;
  #stderr = '';
  #ended: Promise<readonly ProcessRef[]> | null = null;
  /** Resolves when the program has ended, with what it wrote last already told. */
  readonly exited: Promise<AgentExit>;
  /** Resolves when nothing comes from it any more, although it may still run. */
  readonly closed: Promise<void>;

  /** Use {@link startAgent}. */
  constructor(child: ChildProcessWithoutNullStreams, program: AgentProgram) {
    this.#child = child;
    this.#tracker = track(child.pid ?? 0, program);
    this.#clock = program.clock;
    this.#mask = program.mask;
    const exit = Promise.withResolvers<AgentExit>();
    if (child.exitCode !== null || child.signalCode !== null)
      exit.resolve({ code: child.exitCode, signal: child.signalCode });
    else child.once('exit', (code, signal) => exit.resolve({ code, signal }));
    child.on('error', () => undefined);
    // A dying reader resets the pipe; that shows in its exit.
    child.stdin.on('error', () => undefined);
    child.stdout.on('error', () => undefined);
    child.stderr.on('error', () => undefined);
    const decoder = new StringDecoder('utf8');
    child.stderr.on('data', (chunk: Buffer) => this.#heardError(decoder.write(chunk), program.onStderr));
    child.stdout.on('data', (chunk: Buffer) => program.onStdout(chunk));
    this.closed = new Promise((resolve) => child.stdout.once('close', () => resolve()));
    this.#drained = Promise.all([this.closed, new Promise((resolve) => child.stderr.once('close', resolve))]);
    this.exited = exit.promise.then(async (how) => {
      await Promise.race([this.#drained, delay(this.#clock, DRAIN_MS)]);
      return how;
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The end of what it wrote to stderr, as plain text. */
  get stderr(): string {
    return this.#mask(plainText(this.#stderr).trim());
  }

  /** Writes to its input; false when that is closed, and nobody will read it. */
  write(text: string): boolean {
    const { stdin } = this.#child;
    if (stdin.destroyed || stdin.writableEnded) return false;
    stdin.write(text);
    return true;
  }

  /** Nothing more will be said: agents end by themselves then. */
  closeInput(): void {
    this.#child.stdin.end();
  }

  /**
   * Ends the program and everything that it started (C3, C4): `polite` first, then SIGTERM, then SIGKILL after the grace. Answers what ran beside the
   * program itself and was ended, or survived. Once; later calls get the same answer.
   */
  end(options: { readonly graceMs: number; readonly polite?: () => Promise<void> }): Promise<readonly ProcessRef[]> {
    this.#ended ??= this.#end(options);
    return this.#ended;
  }

  async #end({ graceMs, polite }: { graceMs: number; polite?: () => Promise<void> }): Promise<readonly ProcessRef[]> {
    const tracker = await this.#tracker;
    // Walked before anything ends: what dies takes the link to its children with it.
    await tracker.refresh().catch(() => null);
    const leave = async (): Promise<void> => {
      await polite?.();
      this.closeInput();
      await this.exited;
    };
    const share = graceMs * POLITE_SHARE;
    await Promise.race([leave(), delay(this.#clock, share)]);
    const view = await tracker.refresh().catch(() => null);
    // What shares its session is the agent itself; its tools have sessions of their own.
    const itself = new Set(view?.living.flatMap(({ pid, session }) => (session === this.pid ? [pid] : [])));
    const receipt = await stopTree(tracker, { graceMs: graceMs - share, clock: this.#clock });
    tracker.close();
    for (const stream of [this.#child.stdout, this.#child.stderr, this.#child.stdin]) stream.destroy();
    return [...receipt.ended, ...receipt.survivors].filter(({ pid }) => pid !== this.pid && !itself.has(pid));
  }

  #heardError(text: string, tell: (text: string) => void): void {
    if (text === '') return;
    this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    tell(this.#mask(text));
  }
}

/** Starts an agent program; fails with a value when it cannot be started. */
export async function startAgent(program: AgentProgram): Promise<Result<AgentProcess, SpawnError>> {
  const { command, args, env, cwd } = program;
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(command, args, { cwd, env: { ...env }, detached: true, windowsHide: true, stdio: 'pipe' });
    if (child.pid === undefined) await once(child, 'spawn');
  } catch (error) {
    return err(await spawnError(command, cwd, error));
  }
  return ok(new AgentProcess(child, program));
}

/** Records what it starts from now on; one that has ended already is no process any more, but may have left its session behind. */
async function track(pid: number, { clock, marker }: Pick<AgentProgram, 'clock' | 'marker'>): Promise<TreeTracker> {
  const scanner = new ProcessScanner({ source: hostProcesses(), clock });
  const root = (await scanner.source.identify(pid)) ?? { pid, startTime: 'ended' };
  return trackTree({ scanner, root, marker: marker ?? null, leads: true, evidence: { sealed: true } });
}
