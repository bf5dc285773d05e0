import { hostProcesses } from '../../kit/process-tree/host-processes.ts';
import { ProcessScanner } from '../../kit/process-tree/process-scanner.ts';
import { runProgram, type ProgramEnd } from '../../kit/process-tree/run-program.ts';
import type { SpawnError } from '../../kit/process-tree/spawn-failure.ts';
import { toolEnvironment } from '../../kit/process-tree/tool-environment.ts';
import { plainText } from '../../kit/terminal-text.ts';
import type { Assignment } from '../../protocol/frames.ts';
import type { Progress, RunReport } from '../../protocol/report.ts';
import { outputSecrets } from '../../providers/secrets/output-secrets.ts';
import { NO_TOKENS } from '../../protocol/token-sums.ts';
import type { Runner, RunnerPort } from '../contract.ts';
import { bareReport } from '../bare-report.ts';
import { START_FAILURES } from '../start-failure.ts';
import { programGraceMs } from '../stop-grace.ts';
import { commandLine } from './command-line.ts';
import { OutputEntry, type StreamName } from './output-entry.ts';
import { outputAnswer } from './output-answer.ts';

/**
 * Executes a run as one program (runner `command`): no model, no turns. Its outputs are the transcript, its exit status decides (T2), its output is
 * the answer. It cannot be steered; a stop or deadline ends its process tree and keeps what it wrote.
 */
export const runCommand: Runner = async (assignment, port) => {
  const { goal, agent, workspace, spill_folder, limits } = assignment;
  port.transcript.add({ type: 'user', origin: 'goal', steer_id: null }, goal);
  const outputs: Record<StreamName, OutputEntry> = {
    stdout: new OutputEntry(port, 'stdout', spill_folder),
    stderr: new OutputEntry(port, 'stderr', spill_folder),
  };
  const activity = new Activity(port);
  activity.tell(`Running ${goal}`);
  const take = (stream: StreamName, text: string): void => {
    port.alive();
    outputs[stream].push(text);
    activity.see(text);
  };
  const environment = environmentOf(assignment);
  const { file, args, input } = commandLine(agent, goal, { platform: process.platform, environment });
  const result = await runProgram({
    command: file,
    args,
    env: environment,
    cwd: workspace,
    input,
    scanner: new ProcessScanner({ source: hostProcesses(), clock: port.clock }),
    clock: port.clock,
    signal: port.stop,
    graceMs: programGraceMs(limits.stop_grace_seconds),
    background: 'end',
    secrets: outputSecrets(assignment),
    onStdout: (text) => take('stdout', text),
    onStderr: (text) => take('stderr', text),
  });
  for (const output of [outputs.stdout, outputs.stderr]) output.end();
  const progress = progressOf(port);
  port.progress(progress);
  const [stdout, stderr] = [outputs.stdout.plain, outputs.stderr.plain];
  const answer = outputAnswer(stdout, stderr, result.ok && succeeded(result.value));
  const report = { ...bareReport(port, progress), answer };
  if (!result.ok) return { report: { ...report, error: errorOf(result.error, port) }, session: null };
  const { code, signal, receipt, background } = result.value;
  // A status that our own stop brought about is not the program's word.
  const exit = receipt === null ? { code, signal } : null;
  return { report: { ...report, exit, background: [...background] }, session: null };
};

function environmentOf({ environment, agent, run_id, hidden_variables }: Assignment): Record<string, string> {
  return toolEnvironment({ ...environment, ...agent.env }, { runId: run_id, drop: hidden_variables });
}

function succeeded({ code, signal, receipt }: ProgramEnd): boolean {
  return receipt !== null || (code === 0 && signal === null);
}

function progressOf(port: RunnerPort): Progress {
  return {
    turns: 0,
    tool_calls: 0,
    tokens: NO_TOKENS,
    cost_usd: 0,
    cost_status: 'included',
    active_seconds: port.activeSeconds(),
  };
}

/** Why it did not start; a stop that came first is told by `cut_by`. */
function errorOf({ code, message }: SpawnError, { stop }: RunnerPort): RunReport['error'] {
  return stop.aborted ? null : { reason: START_FAILURES[code], message };
}

const ACTIVITY_EVERY_MS = 250;
const ACTIVITY_LENGTH = 120;

/** Tells the latest line of output as the activity, not more often than people can read. */
class Activity {
  readonly #port: RunnerPort;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(port: RunnerPort) {
    this.#port = port;
  }

  tell(text: string): void {
    const line = Array.from(text.replace(/\s+/g, ' ').trim());
    if (line.length === 0) return;
    this.#port.activity(
      line.length <= ACTIVITY_LENGTH ? line.join('') : `${line.slice(0, ACTIVITY_LENGTH - 1).join('')}…`,
    );
  }

  see(output: string): void {
    const now = this.#port.clock.monotonic();
    if (now - this.#toldAt < ACTIVITY_EVERY_MS) return;
    const line = plainText(output.slice(-4096))
      .split('\n')
      .findLast((one) => one.trim() !== '');
    if (line === undefined) return;
    this.#toldAt = now;
    this.tell(line);
  }
}
