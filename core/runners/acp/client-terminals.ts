import { hostProcesses } from '../../kit/process-tree/host-processes.ts';
import type { ProcessRef } from '../../kit/process-tree/process-entry.ts';
import { ProcessScanner } from '../../kit/process-tree/process-scanner.ts';
import { runProgram } from '../../kit/process-tree/run-program.ts';
import { toolEnvironment } from '../../kit/process-tree/tool-environment.ts';
import type { Assignment } from '../../protocol/frames.ts';
import { resolveInside } from '../../workspace/containment/resolve-inside.ts';
import type { RunnerPort } from '../contract.ts';
import { programGraceMs } from '../stop-grace.ts';
import type { CallLog } from './call-log.ts';
import { refused } from './client-files.ts';
import { RequestError } from './connection.ts';
import type { Permissions } from './permissions.ts';
import { listOf, numberOf, textOf, type Fields } from './wire.ts';

/** Characters of output that are kept when the agent names no limit. */
const KEPT = 1024 * 1024;

interface ExitStatus {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

interface Terminal {
  readonly abort: AbortController;
  readonly limit: number;
  readonly exited: Promise<ExitStatus>;
  output: string;
  truncated: boolean;
  exit: ExitStatus | null;
}

/** Commands that an agent has us run: in the workspace, with the environment of tools, ended with everything they started (A3, C4, K5). */
export class ClientTerminals {
  readonly #assignment: Assignment;
  readonly #port: RunnerPort;
  readonly #permissions: Permissions;
  readonly #calls: CallLog;
  readonly #terminals = new Map<string, Terminal>();
  readonly #scanner: ProcessScanner;
  readonly #background: ProcessRef[] = [];
  #count = 0;

  constructor(assignment: Assignment, port: RunnerPort, permissions: Permissions, calls: CallLog) {
    this.#assignment = assignment;
    this.#port = port;
    this.#permissions = permissions;
    this.#calls = calls;
    this.#scanner = new ProcessScanner({ source: hostProcesses(), clock: port.clock });
  }

  /** `terminal/create`. */
  async create(params: Fields): Promise<object> {
    const command = textOf(params['command']) ?? '';
    const args = Array.isArray(params['args']) ? params['args'].map(String) : [];
    const place = await resolveInside(this.#assignment.workspace, textOf(params['cwd']) ?? '.');
    if (!place.ok) throw RequestError.invalidParams(undefined, place.error.message);
    if (!(await this.#permissions.allowsCommand([command, ...args].join(' ')))) throw refused();
    const { environment, agent, run_id: runId, hidden_variables: drop } = this.#assignment;
    const own = listOf(params['env']).map(({ name, value }) => [String(name), String(value)] as const);
    // Some agents send a whole command line; a shell reads it as it was meant.
    const isLine = args.length === 0 && /\s/.test(command);
    const program = isLine ? { command: '/bin/sh', args: ['-c', command] } : { command, args };
    const env = toolEnvironment({ ...environment, ...agent.env, ...Object.fromEntries(own) }, { runId, drop });
    this.#count += 1;
    const terminalId = `terminal-${this.#count}`;
    this.#terminals.set(terminalId, this.#start(terminalId, { ...program, env, cwd: place.value.path }, params));
    return { terminalId };
  }

  /** `terminal/output`. */
  output(params: Fields): object {
    const { output, truncated, exit } = this.#of(params);
    return { output, truncated, ...(exit === null ? {} : { exitStatus: exit }) };
  }

  /** `terminal/wait_for_exit`. */
  waitForExit(params: Fields): Promise<object> {
    return this.#of(params).exited;
  }

  /** `terminal/kill`: ends the command and everything that it started; its output stays. */
  async kill(params: Fields): Promise<object> {
    const terminal = this.#of(params);
    terminal.abort.abort();
    await terminal.exited;
    return {};
  }

  /** `terminal/release`. */
  async release(params: Fields): Promise<object> {
    await this.kill(params);
    this.#terminals.delete(textOf(params['terminalId']) ?? '');
    return {};
  }

  /** Ends all of them; answers what they had left running. */
  async endAll(): Promise<readonly ProcessRef[]> {
    const terminals = [...this.#terminals.values()];
    for (const { abort } of terminals) abort.abort();
    await Promise.all(terminals.map(({ exited }) => exited));
    return this.#background;
  }

  #of(params: Fields): Terminal {
    const id = textOf(params['terminalId']) ?? '';
    const terminal = this.#terminals.get(id);
    if (terminal === undefined) throw RequestError.resourceNotFound(id);
    return terminal;
  }

  #start(
    id: string,
    program: { command: string; args: string[]; env: Record<string, string>; cwd: string },
    params: Fields,
  ): Terminal {
    const abort = new AbortController();
    const exit = Promise.withResolvers<ExitStatus>();
    const limit = Math.min(KEPT, Math.max(0, numberOf(params['outputByteLimit']) ?? KEPT));
    const terminal: Terminal = { abort, limit, exited: exit.promise, output: '', truncated: false, exit: null };
    void this.#run(id, program, terminal).then((status) => {
      terminal.exit = status;
      exit.resolve(status);
    });
    return terminal;
  }

  async #run(
    id: string,
    program: { command: string; args: string[]; env: Record<string, string>; cwd: string },
    terminal: Terminal,
  ): Promise<ExitStatus> {
    const { clock, stop } = this.#port;
    const write = (text: string): void => this.#write(id, terminal, text);
    const result = await runProgram({
      ...program,
      scanner: this.#scanner,
      clock,
      signal: AbortSignal.any([stop, terminal.abort.signal]),
      graceMs: programGraceMs(this.#assignment.limits.stop_grace_seconds),
      background: 'end',
      onStdout: write,
      onStderr: write,
    });
    if (!result.ok) {
      write(`${result.error.message}\n`);
      return { exitCode: 127, signal: null };
    }
    this.#background.push(...result.value.background);
    return { exitCode: result.value.code, signal: result.value.signal };
  }

  #write(id: string, terminal: Terminal, text: string): void {
    this.#port.alive();
    this.#calls.terminalOutput(id, text);
    const all = terminal.output + text;
    terminal.truncated ||= all.length > terminal.limit;
    const kept = terminal.limit === 0 ? '' : all.slice(-terminal.limit);
    // Never half of a pair at the cut.
    terminal.output = /^[\uDC00-\uDFFF]/.test(kept) ? kept.slice(1) : kept;
  }
}
