import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostProcesses, processIdentity } from '../kit/process-tree/host-processes.ts';
import type { ProcessEntry, ProcessIdentity } from '../kit/process-tree/process-entry.ts';
import { RUN_MARKER } from '../kit/process-tree/tool-environment.ts';

/** Waits until `condition` holds, looking every 10 ms; fails after `limitMs` naming `what`. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  limitMs = 60_000,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited ${limitMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A root that waits for {@link HeldRoot.go} before it becomes `script`, as a worker waits for its task. */
export interface HeldRoot {
  readonly child: ChildProcess;
  readonly identity: ProcessIdentity;
  /** Lets it become `sh -c script`. */
  go(): void;
  readonly exited: Promise<void>;
}

/** What was killed is gone after so long, however busy the machine is. */
const DYING_MS = 3000;

/** A scratch folder and the processes started in it; {@link ProcessLab.dispose} ends whatever carries its marker or was noted. */
export class ProcessLab {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'espalier-processes-')));
  readonly runId = `run_${this.folder.slice(-6)}${process.pid}`;
  readonly #roots: HeldRoot[] = [];
  /** What scripts named; some of it can be found by nothing else. */
  readonly #noted: ProcessIdentity[] = [];

  path(name: string): string {
    return join(this.folder, name);
  }

  /** The pid that a script wrote to `name`, once it is there; with `program`, once that is what runs: between fork and exec it is the shell. */
  async pidIn(name: string, program?: string): Promise<number> {
    await until(`a pid in ${name}`, () => /^\d+\n/.test(readOr(this.path(name))));
    const pid = Number.parseInt(readOr(this.path(name)), 10);
    const identity = await processIdentity(pid);
    if (identity === null) return pid;
    this.#noted.push(identity);
    const runs = async (): Promise<boolean> =>
      (await hostProcesses().inspect([identity])).get(pid)?.commandLine === program;
    if (program !== undefined) await until(`${program} runs as ${name}`, runs);
    return pid;
  }

  /** Bytes of a file, 0 without one. */
  size(name: string): number {
    return statSync(this.path(name), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Starts a root in a session of its own, with the marker. */
  async hold(script: string, options: { env?: Record<string, string>; cwd?: string } = {}): Promise<HeldRoot> {
    const child = spawn('sh', ['-c', 'read go; exec sh -c "$1"', 'sh', script], {
      detached: true,
      cwd: options.cwd ?? this.folder,
      env: { PATH: process.env.PATH ?? '', LAB: this.folder, [RUN_MARKER]: this.runId, ...options.env },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const identity = await processIdentity(child.pid ?? 0);
    if (identity === null) throw new Error('the root did not start');
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const root = { child, identity, exited, go: () => void child.stdin?.end('go\n') };
    this.#roots.push(root);
    return root;
  }

  /** All processes of the machine that have this lab's marker, work in its folder, or were named by {@link pidIn}. */
  async leftovers(): Promise<ProcessEntry[]> {
    const source = hostProcesses();
    const { entries } = await source.list();
    const running = entries.filter((entry) => !entry.state.startsWith('Z') && entry.pid !== process.pid);
    const details = await source.inspect(running);
    const noted = new Set((await source.living(this.#noted)).map(({ pid }) => pid));
    return running.filter(
      (entry) =>
        noted.has(entry.pid) ||
        entry.marker === this.runId ||
        details.get(entry.pid)?.cwd?.startsWith(this.folder) === true,
    );
  }

  /** Ends what is left and removes the folder; returns what had been left. */
  async dispose(): Promise<ProcessEntry[]> {
    // What was just ended may still be on its way out, on a machine that is busy.
    const deadline = performance.now() + DYING_MS;
    let left = await this.leftovers();
    while (left.length > 0 && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      left = await this.leftovers();
    }
    await hostProcesses().signal({ signal: 'SIGKILL', processes: left, groups: [] });
    await Promise.all(this.#roots.map(({ exited }) => exited));
    rmSync(this.folder, { recursive: true, force: true });
    return left;
  }
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // not written yet
  }
}
