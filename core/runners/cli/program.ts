import type { Clock } from '../../kit/clock.ts';
import type { ProcessRef } from '../../kit/process-tree/process-entry.ts';
import type { SpawnError } from '../../kit/process-tree/spawn-failure.ts';
import { startAgent, type AgentExit, type AgentProcess } from '../agent-process.ts';
import { oneLine } from '../agent-failure.ts';
import { maskingOf } from '../masked.ts';
import { JsonLines } from '../json-lines.ts';
import { START_FAILURES } from '../start-failure.ts';
import type { Adapter, AdapterContext, CliAgent } from './adapter.ts';
import type { AgentFailure } from './agent-event.ts';
import { classify } from './classify.ts';
import { object } from './json.ts';

export interface ProgramOptions {
  readonly adapter: Adapter;
  readonly context: Omit<AdapterContext, 'send'>;
  readonly command: string;
  /** Before those of the adapter. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly graceMs: number;
  /** Whatever it says that is no message: a banner, its standard error. */
  readonly onNoise: (text: string) => void;
}

/** After its input was closed a program has so long to end by itself. */
const LEAVE_MS = 5000;
/** So long after its output has ended it may still be about to exit. */
const OUTPUT_GONE_MS = 2000;

/** One start of an agent's program: its lines go to the adapter, the adapter's to it. */
export class AgentProgram {
  readonly agent: CliAgent;
  /** Resolves with why nothing more comes from it: it has ended, closed its output, or never started. */
  readonly over: Promise<AgentFailure>;
  readonly #options: ProgramOptions;
  readonly #started: Promise<AgentProcess | SpawnError>;
  #process: AgentProcess | null = null;
  #lines: JsonLines | null = null;
  #hasSpoken = false;
  #hasExited = false;
  /** Lines for a program that is still being started. */
  #early: string[] = [];

  constructor(options: ProgramOptions) {
    this.#options = options;
    this.agent = options.adapter({
      ...options.context,
      send: (message) => this.#write(`${JSON.stringify(message)}\n`),
    });
    this.#started = this.#start();
    this.over = this.#watch();
  }

  /** Whether it serves one prompt a start. */
  get servesOnePrompt(): boolean {
    return this.agent.launch.input !== null;
  }

  /** It ended before it had said anything: nothing was begun (R8). */
  get diedSilent(): boolean {
    return this.#hasExited && !this.#hasSpoken;
  }

  /** What it said on its standard error last. */
  get stderr(): string {
    return this.#process?.stderr ?? '';
  }

  /**
   * Ends it with everything below it: by the end of its input, then by signals (C4). Answers what it had left behind. One that does not obey anyway
   * is not waited for.
   */
  async leave(obeys: boolean): Promise<readonly ProcessRef[]> {
    const started = await this.#started;
    if ('code' in started) return [];
    started.closeInput();
    const { clock } = this.#options;
    const late = new Promise<void>((resolve) => clock.after(obeys ? LEAVE_MS : 0, resolve));
    const left = await Promise.race([started.exited.then(() => true), late.then(() => false)]);
    const others = await started.end({ graceMs: this.#options.graceMs });
    return left ? others : [];
  }

  /** Ends it with everything below it; `polite` is what its own protocol has for that (C3). */
  async stop(polite: () => Promise<void>): Promise<void> {
    const started = await this.#started;
    if (!('code' in started)) await started.end({ graceMs: this.#options.graceMs, polite });
  }

  async #start(): Promise<AgentProcess | SpawnError> {
    const { context, command, args, environment, clock, onNoise } = this.#options;
    const { launch } = this.agent;
    const mask = maskingOf(context.assignment);
    const lines = new JsonLines({
      value: (value) => this.agent.take(object(mask.message(value))),
      noise: (text) => onNoise(mask.text(text)),
    });
    const result = await startAgent({
      command,
      args: [...args, ...launch.args],
      env: { ...environment, ...launch.env },
      cwd: context.assignment.workspace,
      marker: context.assignment.run_id,
      clock,
      mask: mask.text,
      onStdout: (chunk) => {
        this.#hasSpoken = true;
        lines.push(chunk);
      },
      onStderr: onNoise,
    });
    if (!result.ok) return result.error;
    const process = result.value;
    this.#process = process;
    this.#lines = lines;
    void process.closed.then(() => lines.end());
    if (launch.input !== null) {
      process.write(launch.input);
      process.closeInput();
    } else this.agent.begin();
    for (const line of this.#early.splice(0)) process.write(line);
    return process;
  }

  async #watch(): Promise<AgentFailure> {
    const started = await this.#started;
    if ('code' in started) return { reason: START_FAILURES[started.code], message: started.message };
    const exit = await Promise.race([started.exited, this.#silence(started)]);
    this.#hasExited = exit !== null;
    // Something that it started may hold its output open: what it said last is whole all the same.
    this.#lines?.end();
    this.agent.ended?.(exit?.code ?? null);
    return this.#failure(exit);
  }

  /** A program that can say nothing any more, and does not end, would be waited for without end: null after a while. */
  async #silence(process: AgentProcess): Promise<null> {
    await process.closed;
    return new Promise((resolve) => this.#options.clock.after(OUTPUT_GONE_MS, () => resolve(null)));
  }

  #failure(exit: AgentExit | null): AgentFailure {
    const how =
      exit === null
        ? 'closed its output and went on'
        : exit.signal === null
          ? `ended without a result (exit ${exit.code})`
          : `was ended by ${exit.signal}`;
    const last = this.stderr.split('\n').findLast((line) => line.trim() !== '');
    const { reason } = classify(this.stderr, null, 'process');
    return { reason, message: oneLine(`The agent ${how}${last === undefined ? '' : `: ${last.trim()}`}`) };
  }

  #write(line: string): void {
    if (this.#process === null) this.#early.push(line);
    else this.#process.write(line);
  }
}
