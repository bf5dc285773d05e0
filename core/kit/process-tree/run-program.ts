import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { delay } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { maskStream } from '../mask-stream.ts';
import type { MaskStream } from '../mask-stream.ts';
import { err, ok } from '../result.ts';
import type { Result } from '../result.ts';
import { isCmdLine } from './cmd-line.ts';
import { OutputReader } from './output-reader.ts';
import type { ProcessIdentity, ProcessRef } from './process-entry.ts';
import type { ProcessScanner } from './process-scanner.ts';
import { spawnError } from './spawn-failure.ts';
import type { SpawnError } from './spawn-failure.ts';
import { endLeftovers, stopTree } from './stop-tree.ts';
import type { StopOptions, StopReceipt } from './stop-tree.ts';
import { trackTree } from './tree-tracker.ts';
import type { TreeTracker } from './tree-tracker.ts';

/** A program to run to its end. */
export interface ProgramRun {
  readonly command: string;
  /** Passed byte for byte, never through a shell (B04). */
  readonly args: readonly string[];
  /** The whole environment; see `toolEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Standard input, closed after it; without it the program reads an end of file. */
  readonly input?: string | Uint8Array;
  readonly scanner: ProcessScanner;
  readonly clock: Clock;
  /** Aborting stops the program and everything it started. */
  readonly signal?: AbortSignal;
  /** Once it answers true, what is left of `graceMs` is not waited for. */
  readonly isUrgent?: () => boolean;
  /** Milliseconds from the abort to SIGKILL. */
  readonly graceMs: number;
  /** What becomes of processes that outlive the program: `leave` reports them, `end` ends and reports them. */
  readonly background: 'leave' | 'end';
  /** Never told by `onStdout` and `onStderr`, whoever prints them (K4). */
  readonly secrets?: readonly string[];
  readonly onStdout: (text: string) => void;
  readonly onStderr: (text: string) => void;
  /** Told as soon as it runs. */
  readonly onStart?: (identity: ProcessIdentity) => void;
}

/** How a program ended. */
export interface ProgramEnd {
  /** null when a signal ended it, or when it survived (see `receipt`). */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The receipt of the stop that the abort signal asked for; null at an end of its own. */
  readonly receipt: StopReceipt | null;
  /** Processes that outlived it: running still (`leave`) or ended by us (`end`). */
  readonly background: readonly ProcessRef[];
  /** Of those, the ones that could not be ended. */
  readonly survivors: readonly ProcessRef[];
}

/** After the program's exit its outputs are read until they are this long quiet: what it wrote itself is in the socket by then. */
const DRAIN_QUIET_MS = 50;

/** A background process that goes on talking holds the call this long at most (B01). */
const DRAIN_LIMIT_MS = 400;

type Child = ChildProcessByStdio<Writable | null, Readable, Readable>;

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Runs a program in a session and process group of its own. The call ends when the program itself exits, whoever still holds its
 * outputs. Fails with a value when it cannot be started.
 */
export async function runProgram(run: ProgramRun): Promise<Result<ProgramEnd, SpawnError>> {
  if (run.signal?.aborted)
    return err({ code: 'aborted', message: 'Stopped before it was started', command: run.command });
  let child: Child;
  try {
    child = start(run);
    if (child.pid === undefined) await once(child, 'spawn');
    child.on('error', () => undefined); // Only a failed start matters, and that has been told.
  } catch (error) {
    return err(await spawnError(run.command, run.cwd, error));
  }
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const mask = (): MaskStream => maskStream(run.secrets ?? []);
  const readers = [
    new OutputReader(child.stdout, run.onStdout, mask()),
    new OutputReader(child.stderr, run.onStderr, mask()),
  ];
  feed(child, run.input);
  const tracker = await track(child.pid as number, run);
  try {
    return ok(await finish(run, tracker, exited, readers));
  } finally {
    tracker.close();
    for (const reader of readers) reader.detach();
  }
}

function start(run: ProgramRun): Child {
  return spawn(run.command, run.args, {
    cwd: run.cwd,
    env: { ...run.env },
    // A session of its own: signals to our group do not reach it, and ours reach all of it.
    detached: true,
    windowsHide: true,
    windowsVerbatimArguments: isCmdLine(run.args),
    stdio: [run.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  }) as Child;
}

/** A program may end, or close its input, without reading all of it; that is its own affair. */
function feed(child: Child, input: string | Uint8Array | undefined): void {
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
}

async function track(pid: number, run: ProgramRun): Promise<TreeTracker> {
  const outputs = process.platform === 'linux' ? [1, 2].flatMap((descriptor) => linkOf(pid, descriptor)) : [];
  // One that was reaped before it could be looked at is no process any more, but may have left its session behind.
  const root = (await run.scanner.source.identify(pid)) ?? { pid, startTime: 'ended' };
  run.onStart?.(root);
  // The marker is the same for all that this worker runs; the core looks for it when the attempt ends.
  const evidence = { outputs, sealed: true };
  return trackTree({ scanner: run.scanner, root, marker: null, leads: true, evidence });
}

function linkOf(pid: number, descriptor: number): string[] {
  try {
    return [readlinkSync(`/proc/${pid}/fd/${descriptor}`)];
  } catch {
    return []; // Ended already.
  }
}

async function finish(
  run: ProgramRun,
  tracker: TreeTracker,
  exited: Promise<Exit>,
  readers: readonly OutputReader[],
): Promise<ProgramEnd> {
  const receipt = await stoppedOrExited(run, tracker, exited);
  const exit = receipt === null ? await exited : await Promise.race([exited, neverEnded(run.clock)]);
  await drain(run.clock, readers);
  if (receipt !== null) return { ...exit, receipt, background: [], survivors: receipt.survivors };
  const left = await leftovers(run, tracker, readers);
  return { ...exit, receipt, ...left };
}

/** The receipt of a stop, or null when the program ended before one was asked for. */
async function stoppedOrExited(
  run: ProgramRun,
  tracker: TreeTracker,
  exited: Promise<Exit>,
): Promise<StopReceipt | null> {
  const { signal } = run;
  if (signal === undefined) return exited.then(() => null);
  let onAbort = (): void => undefined;
  const aborted = new Promise<'aborted'>((resolve) => {
    onAbort = () => resolve('aborted');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  const first = await Promise.race([aborted, exited]);
  signal.removeEventListener('abort', onAbort);
  if (first !== 'aborted') return null;
  return stopTree(tracker, howToEnd(run));
}

function howToEnd({ graceMs, clock, isUrgent }: ProgramRun): StopOptions {
  return { graceMs, clock, ...(isUrgent === undefined ? {} : { isUrgent }) };
}

/** After a stop the exit is not waited for without end: one that cannot be ended never exits. */
async function neverEnded(clock: Clock): Promise<Exit> {
  await delay(clock, 1000);
  return { code: null, signal: null };
}

async function drain(clock: Clock, readers: readonly OutputReader[]): Promise<void> {
  const until = clock.monotonic() + DRAIN_LIMIT_MS;
  const ended = Promise.all(readers.map((reader) => reader.ended)).then(() => true);
  const bytes = (): number => readers.reduce((sum, reader) => sum + reader.bytes, 0);
  for (let before = -1; before !== bytes() && clock.monotonic() < until;) {
    before = bytes();
    if (await Promise.race([ended, quiet(clock)])) return;
  }
}

/** One quiet period, and one pass over what has arrived meanwhile: after a blocked loop the timer comes before the data. */
async function quiet(clock: Clock): Promise<false> {
  await delay(clock, DRAIN_QUIET_MS);
  await nextTurn();
  await nextTurn();
  return false;
}

async function leftovers(
  run: ProgramRun,
  tracker: TreeTracker,
  readers: readonly OutputReader[],
): Promise<Pick<ProgramEnd, 'background' | 'survivors'>> {
  const none = { background: [], survivors: [] };
  if (!(await mayHaveLeft(tracker, readers))) return none;
  if (run.background === 'end') {
    const { background, survivors } = await endLeftovers(tracker, howToEnd(run));
    return { background, survivors };
  }
  const view = await tracker.refresh().catch(() => null);
  const background = (view?.living ?? []).map(({ pid, command }) => ({ pid, command }));
  return { background, survivors: [] };
}

/**
 * A listing of the machine is worth it only with a sign that something is left: an output still held, a group that is not empty, or
 * a recorded descendant. Most programs leave none, and the core looks again at the end of the attempt.
 */
async function mayHaveLeft(tracker: TreeTracker, readers: readonly OutputReader[]): Promise<boolean> {
  if (readers.some((reader) => reader.isOpen) || process.platform === 'win32') return true;
  if (groupExists(tracker.root.pid)) return true;
  return (await tracker.stillLiving()).length > 0;
}

function groupExists(pgid: number): boolean {
  try {
    return process.kill(-pgid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
