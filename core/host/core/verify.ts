import type { Clock } from '../../kit/clock.ts';
import { joinCut } from '../../kit/cut-middle.ts';
import type { ProcessScanner } from '../../kit/process-tree/process-scanner.ts';
import { runProgram, type ProgramEnd } from '../../kit/process-tree/run-program.ts';
import { plainText } from '../../kit/terminal-text.ts';
import type { Task } from '../../protocol/batch.ts';
import type { ProcessName } from '../../protocol/report.ts';
import type { AcceptanceResult } from '../../protocol/result-entry.ts';
import { commandLine } from '../../runners/command/command-line.ts';

type VerifyCommand = NonNullable<Task['acceptance']>['verify'][number];
type CommandResult = AcceptanceResult['commands'][number];

/** Verify commands to run, and where. */
export interface Verification {
  readonly commands: readonly VerifyCommand[];
  readonly workspace: string;
  /** Whole environment, with the run's marker (K5). */
  readonly environment: Readonly<Record<string, string>>;
  /** Masked in what the commands print (K4). */
  readonly secrets: readonly string[];
  readonly scanner: ProcessScanner;
  readonly clock: Clock;
  /** From the request to SIGKILL when a command is ended, milliseconds. */
  readonly graceMs: number;
  /** Aborted: the command at work is ended with all its processes, and no other begins. */
  readonly signal: AbortSignal;
  /** Once it answers true, what is left of `graceMs` is not waited for. */
  readonly isUrgent: () => boolean;
  /** Told before each command. */
  readonly onCommand: (command: string) => void;
}

/** What came of them. */
export interface Verified {
  readonly acceptance: AcceptanceResult;
  /** Processes of the commands that could not be ended. */
  readonly survivors: readonly ProcessName[];
}

const TIMEOUT_SECONDS = 600;
/** Characters of a command's output that are kept, head and tail. */
const OUTPUT = 8000;

/**
 * Runs the verify commands of a task one after the other, each to its end (T4): all of them, so that people see everything that is wrong. One that was
 * stopped leaves the status `none`: nothing was accepted or refused.
 */
export async function verify(verification: Verification): Promise<Verified> {
  const { commands, signal, onCommand } = verification;
  const results: CommandResult[] = [];
  const survivors: ProcessName[] = [];
  for (const command of commands) {
    if (signal.aborted) break;
    onCommand(command.command);
    const { result, left } = await runCommand(command, verification);
    results.push(result);
    survivors.push(...left);
  }
  const passed = results.every(({ exit_code }) => exit_code === 0);
  const status = signal.aborted ? 'none' : passed ? 'passed' : 'failed';
  return { acceptance: { status, commands: results }, survivors };
}

async function runCommand(
  { command, timeout_seconds = TIMEOUT_SECONDS }: VerifyCommand,
  { workspace, environment, secrets, scanner, clock, graceMs, signal, isUrgent }: Verification,
): Promise<{ readonly result: CommandResult; readonly left: readonly ProcessName[] }> {
  const timeout = new AbortController();
  const cancel = clock.after(timeout_seconds * 1000, () => timeout.abort());
  const output = new KeptOutput();
  const began = clock.monotonic();
  const { file, args } = commandLine({}, command, { platform: process.platform, environment });
  const ended = await runProgram({
    command: file,
    args,
    env: environment,
    cwd: workspace,
    secrets,
    scanner,
    clock,
    graceMs,
    signal: AbortSignal.any([signal, timeout.signal]),
    isUrgent,
    background: 'end',
    onStdout: (text) => output.push(text),
    onStderr: (text) => output.push(text),
  });
  cancel();
  if (!ended.ok) output.note(ended.error.message);
  else if (timeout.signal.aborted) output.note(`Ended: it took longer than ${timeout_seconds} s.`);
  else if (signal.aborted) output.note('Stopped.');
  else if (ended.value.signal !== null) output.note(`Ended by ${ended.value.signal}.`);
  const seconds = Math.round(clock.monotonic() - began) / 1000;
  const result = { command, exit_code: ended.ok ? statusOf(ended.value) : null, seconds, output: output.text };
  return {
    result,
    left: ended.ok ? [...ended.value.survivors] : [],
  };
}

/** A status that our own end of it brought about is not the command's word. */
function statusOf({ code, receipt }: ProgramEnd): number | null {
  return receipt === null ? code : null;
}

/** The beginning and the end of an output, bounded while it comes. */
class KeptOutput {
  #head = '';
  #tail = '';
  #total = 0;
  #note = '';

  push(text: string): void {
    this.#total += text.length;
    const room = OUTPUT - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail = (this.#tail + text.slice(room)).slice(-OUTPUT);
  }

  /** Ours, after what the command wrote. */
  note(text: string): void {
    this.#note = text;
  }

  get text(): string {
    const kept = plainText(joinCut(this.#head, this.#tail, this.#total, OUTPUT).text).trimEnd();
    return [kept, this.#note].filter((part) => part !== '').join('\n');
  }
}
