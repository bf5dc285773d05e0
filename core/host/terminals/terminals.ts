import type { Clock } from '../../kit/clock.ts';
import { hostProcesses, processIdentity } from '../../kit/process-tree/host-processes.ts';
import { ProcessScanner } from '../../kit/process-tree/process-scanner.ts';
import { stopTree } from '../../kit/process-tree/stop-tree.ts';
import { RUN_MARKER, toolEnvironment } from '../../kit/process-tree/tool-environment.ts';
import { trackTree, type TreeTracker } from '../../kit/process-tree/tree-tracker.ts';
import type { Random } from '../../kit/random.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { TerminalOutput, TerminalRow } from '../../protocol/terminal.ts';
import type { Pty } from './open-pty.ts';
import { Scrollback } from './scrollback.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface TerminalsOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly environment: Environment;
  /** Names of variables with keys: a person's shell has no use for ours (K5). */
  readonly hidden: () => readonly string[];
}

export interface OpenTerminal {
  readonly project_id: string;
  readonly run_id: string | null;
  readonly cwd: string;
  readonly cols: number;
  readonly rows: number;
}

interface Terminal {
  row: TerminalRow;
  readonly pty: Pty;
  readonly output: Scrollback;
  readonly tree: Promise<TreeTracker | null>;
}

const MAX_TERMINALS = 16;
const KEPT = 512 * 1024;
const READ_AT_ONCE = 64 * 1024;
/** A read waits so long for output before it answers with none; a connection is not held for ever. */
const WAIT_MS = 20_000;
const GRACE_MS = 1_000;

/** The shells of the app's bottom panel. They live as long as the core, survive a reload of the page, and end with all they started. */
export class Terminals {
  readonly #options: TerminalsOptions;
  readonly #open = new Map<string, Terminal>();

  constructor(options: TerminalsOptions) {
    this.#options = options;
  }

  list(): TerminalRow[] {
    return [...this.#open.values()].map(({ row }) => row);
  }

  async open(input: OpenTerminal): Promise<Result<TerminalRow, ApiError>> {
    if (this.#open.size >= MAX_TERMINALS) {
      return err({ code: 'limit_reached', message: `${MAX_TERMINALS} terminals are open. Close one first.` });
    }
    const { environment, hidden, random, clock } = this.#options;
    const { shell, args } = shellOf(environment);
    const env = toolEnvironment(environment, { runId: '', drop: hidden() });
    Reflect.deleteProperty(env, RUN_MARKER); // It belongs to no run: no sweep of runs may find it.
    const { openPty } = await import('./open-pty.ts');
    const { project_id, run_id, cwd, cols, rows } = input;
    let pty: Pty;
    try {
      pty = openPty({ shell, args, cwd, cols, rows, env: { ...env, TERM_PROGRAM: 'Espalier' } });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return err({ code: 'not_allowed', message: `No terminal could be opened in ${cwd}: ${why}` });
    }
    const terminal_id = `term_${random.hex(12)}`;
    const row = { terminal_id, project_id, run_id, cwd, shell, alive: true, exit_code: null };
    const terminal: Terminal = { row, pty, output: new Scrollback(KEPT), tree: treeOf(pty.pid, clock) };
    this.#open.set(terminal_id, terminal);
    pty.onData((text) => {
      terminal.output.append(text);
    });
    pty.onExit((exit_code) => {
      terminal.row = { ...terminal.row, alive: false, exit_code };
      terminal.output.wake();
    });
    return ok(row);
  }

  /** Output from a place on; waits up to 20 s for some. */
  async read(id: string, from: number): Promise<Result<TerminalOutput, ApiError>> {
    const terminal = this.#open.get(id);
    if (terminal === undefined) return unknown(id);
    if (from >= terminal.output.end && terminal.row.alive) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const cancel = this.#options.clock.after(WAIT_MS, resolve);
      await Promise.race([terminal.output.changed(), promise]);
      cancel();
    }
    const { from: start, data } = terminal.output.read(from, READ_AT_ONCE);
    const { alive, exit_code } = terminal.row;
    return ok({ from: start, data, next: start + data.length, alive, exit_code });
  }

  write(id: string, data: string): Result<{ done: true }, ApiError> {
    return this.#use(id, ({ pty }) => {
      pty.write(data);
    });
  }

  resize(id: string, cols: number, rows: number): Result<{ done: true }, ApiError> {
    return this.#use(id, ({ pty }) => {
      pty.resize(cols, rows);
    });
  }

  /** Ends a terminal with everything it started. */
  async close(id: string): Promise<Result<{ done: true }, ApiError>> {
    const terminal = this.#open.get(id);
    if (terminal === undefined) return unknown(id);
    await this.#end(terminal);
    this.#open.delete(id);
    terminal.output.wake();
    return ok({ done: true });
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.close(id)));
  }

  #use(id: string, act: (terminal: Terminal) => void): Result<{ done: true }, ApiError> {
    const terminal = this.#open.get(id);
    if (terminal === undefined) return unknown(id);
    if (!terminal.row.alive)
      return err({ code: 'already_ended', message: 'The shell has ended. Open a new terminal.' });
    act(terminal);
    return ok({ done: true });
  }

  async #end({ tree }: Terminal): Promise<void> {
    const tracker = await tree;
    if (tracker === null) return;
    await stopTree(tracker, { graceMs: GRACE_MS, clock: this.#options.clock });
    tracker.close();
  }
}

async function treeOf(pid: number, clock: Clock): Promise<TreeTracker | null> {
  const root = await processIdentity(pid);
  if (root === null) return null;
  return trackTree({
    scanner: new ProcessScanner({ source: hostProcesses(), clock }),
    root,
    marker: null,
    leads: true,
  });
}

function unknown(id: string): Result<never, ApiError> {
  return err({ code: 'not_found', message: `There is no terminal ${id}. Open a new one.` });
}

/** The person's own shell, as a terminal starts it. */
function shellOf(environment: Environment): { shell: string; args: string[] } {
  if (process.platform === 'win32') return { shell: environment['COMSPEC'] ?? 'cmd.exe', args: [] };
  const shell = environment['SHELL'];
  return {
    shell: shell !== undefined && shell !== '' ? shell : '/bin/sh',
    args: process.platform === 'darwin' ? ['-l'] : [],
  };
}
