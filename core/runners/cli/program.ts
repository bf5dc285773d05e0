import type { Writable } from 'node:stream';
import type { Clock } from '../../kit/clock.ts';
import { hostProcesses } from '../../kit/process-tree/host-processes.ts';
import { ProcessScanner } from '../../kit/process-tree/process-scanner.ts';
import { runProgram, type ProgramEnd } from '../../kit/process-tree/run-program.ts';
import type { SpawnError } from '../../kit/process-tree/spawn-failure.ts';
import type { Result } from '../../kit/result.ts';
import { plainText } from '../../kit/terminal-text.ts';
import type { FailureReason } from '../../protocol/outcome.ts';
import type { Adapter, AdapterContext, CliAgent } from './adapter.ts';
import type { AgentFailure } from './agent-event.ts';
import { classify } from './classify.ts';
import { LineReader } from './line-reader.ts';

export interface ProgramOptions {
  readonly adapter: Adapter;
  readonly context: Omit<AdapterContext, 'send'>;
  readonly command: string;
  /** Before those of the adapter. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly graceMs: number;
  /** A line that is no message, and everything on its standard error. */
  readonly onNoise: (line: string) => void;
}

/** After its input was closed a program has so long to end by itself. */
const LEAVE_MS = 5000;
/** So long after its output has ended it may still be about to exit. */
const OUTPUT_GONE_MS = 2000;
const STDERR_TAIL = 16 * 1024;

/** One start of an agent's program: its lines go to the adapter, the adapter's to it. */
export class AgentProgram {
  readonly agent: CliAgent;
  /** Resolves when the program and everything below it is gone. */
  readonly ended: Promise<Result<ProgramEnd, SpawnError>>;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  #input: Writable | null = null;
  #stderr = '';
  #left = false;
  #outputLost = false;
  #polite: (() => Promise<void>) | null = null;

  constructor(options: ProgramOptions) {
    this.#clock = options.clock;
    this.agent = options.adapter({
      ...options.context,
      send: (message) => void this.#input?.write(`${JSON.stringify(message)}\n`),
    });
    this.ended = this.#run(options);
  }

  /** What it said on its standard error last. */
  get stderr(): string {
    return plainText(this.#stderr).trim();
  }

  /** The end of its input tells it to leave; one that stays is ended. Resolves when it is gone. */
  async leave(): Promise<Result<ProgramEnd, SpawnError>> {
    this.#left = true;
    this.#input?.end();
    const cancel = this.#clock.after(LEAVE_MS, () => this.#stop.abort());
    const end = await this.ended;
    cancel();
    return end;
  }

  /** Ends it with everything below it; `polite` is what its own protocol has for that (C3). */
  async stop(polite: () => Promise<void>): Promise<Result<ProgramEnd, SpawnError>> {
    this.#left = true;
    this.#polite = async () => {
      await polite();
      this.#input?.end();
      await this.ended;
    };
    this.#stop.abort();
    return this.ended;
  }

  /** Why a program that ended by itself, without a word about its turn, failed. */
  failure(end: Result<ProgramEnd, SpawnError>): AgentFailure {
    if (!end.ok) return { reason: START_FAILURES[end.error.code], message: end.error.message };
    const { code, signal } = end.value;
    const how = this.#outputLost
      ? 'closed its output without an answer'
      : signal === null
        ? `ended (exit ${code})`
        : `was ended by ${signal}`;
    const last = this.stderr.split('\n').findLast((line) => line.trim() !== '');
    const words = last === undefined ? '' : `: ${last.trim().slice(0, 500)}`;
    return { ...classify(this.stderr.slice(-4000), null, 'process'), message: `The agent ${how}${words}` };
  }

  #run({ command, args, environment, context, clock, graceMs, onNoise }: ProgramOptions): typeof this.ended {
    const { launch } = this.agent;
    const reader = new LineReader({ message: (message) => this.agent.take(message), noise: onNoise });
    const running = runProgram({
      command,
      args: [...args, ...launch.args],
      env: { ...environment, ...launch.env },
      cwd: context.assignment.workspace,
      ...(launch.input === null ? { onInput: (input) => this.#begin(input) } : { input: launch.input }),
      scanner: new ProcessScanner({ source: hostProcesses(), clock }),
      clock,
      signal: this.#stop.signal,
      graceMs,
      polite: () => this.#polite?.() ?? Promise.resolve(),
      background: 'end',
      onStdout: (text) => reader.push(text),
      onStderr: (text) => {
        this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL);
        onNoise(text);
      },
      onOutputEnd: () => this.#outputEnded(),
    });
    return running.then((end) => {
      reader.end();
      this.agent.ended?.(end.ok ? end.value.code : null);
      return end;
    });
  }

  #begin(input: Writable): void {
    this.#input = input;
    this.agent.begin();
  }

  /** A program that can say nothing any more, and does not end, would be waited for without end. */
  #outputEnded(): void {
    if (this.#left) return;
    this.#clock.after(OUTPUT_GONE_MS, () => {
      this.#outputLost = true;
      this.#stop.abort();
    });
  }
}

const START_FAILURES: Readonly<Record<SpawnError['code'], FailureReason>> = {
  not_found: 'agent_not_found',
  not_executable: 'agent_not_found',
  cwd_missing: 'process',
  bad_argument: 'bad_request',
  too_large: 'bad_request',
  output_exists: 'storage',
  aborted: 'process',
  failed: 'process',
};
