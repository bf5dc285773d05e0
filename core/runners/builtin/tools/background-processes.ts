import type { Clock } from '../../../kit/clock.ts';
import { err, ok, type Result } from '../../../kit/result.ts';
import type { ProcessName } from '../../../protocol/report.ts';
import { type CapturedOutput, OutputCapture } from './output-capture.ts';
import type { ProgramEnd, ProgramRequest, Programs, RunningProgram } from './programs.ts';
import { SpillFile } from './spill-file.ts';

export interface BackgroundProcess {
  /** `bg_1`, `bg_2`, … within the run. */
  readonly id: string;
  readonly command: string;
  readonly pid: number;
  /** Null while it runs. */
  readonly end: ProgramEnd | null;
  /** Seconds from its start to its end or until now. */
  readonly seconds: number;
  /** File with all its output as it was written. */
  readonly logPath: string;
}

interface Entry {
  readonly id: string;
  readonly command: string;
  readonly startedAt: number;
  readonly program: RunningProgram;
  readonly pid: number;
  readonly capture: OutputCapture;
  readonly log: SpillFile;
  end: ProgramEnd | null;
  endedAt: number | null;
  readonly news: News;
}

interface News {
  /** Output came after the last `read`. */
  unread: boolean;
  /** Called on new output and at the end. */
  readonly watchers: Set<() => void>;
}

type StartRequest = Pick<ProgramRequest, 'file' | 'args' | 'cwd' | 'environment'> & {
  /** What is shown: the command as it was given. */
  readonly command: string;
  readonly spillFolder: string;
};

/** Living background processes of one run. More are a mistake, and each costs a log and a pipe. */
const MOST = 32;

/** The background processes of one run: started by `bash`, read, listed and ended by its companions, and ended with the run (C4). */
export class BackgroundProcesses {
  readonly #programs: Programs;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  #started = 0;
  /** Ends all of them; their programs are not bound to the call that started them. */
  readonly #stop = new AbortController();

  constructor(programs: Programs, clock: Clock) {
    this.#programs = programs;
    this.#clock = clock;
  }

  /** Starts one; returns as soon as it runs, or why it does not. */
  async start(request: StartRequest): Promise<Result<BackgroundProcess, string>> {
    const living = [...this.#entries.values()].filter((entry) => entry.end === null);
    if (living.length >= MOST)
      return err(`${MOST} background processes are running already; end one with bash_kill first`);
    const id = `bg_${(this.#started += 1)}`;
    let log: SpillFile;
    try {
      log = SpillFile.create(request.spillFolder, id);
    } catch (cause) {
      return err(`its log could not be created: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
    const capture = new OutputCapture({ spillFolder: request.spillFolder, name: id, spill: log });
    const startedAt = this.#clock.monotonic();
    const watchers = new Set<() => void>();
    const news: News = { unread: false, watchers };
    const { file, args, cwd, environment, command } = request;
    const onOutput: ProgramRequest['onOutput'] = (text, stream) => {
      capture.push(text, stream);
      news.unread = true;
      tell(watchers);
    };
    const program = this.#programs.start({
      file,
      args,
      cwd,
      environment,
      timeoutMs: null,
      signal: this.#stop.signal,
      onOutput,
    });
    const pid = await program.started;
    if (pid === null) {
      log.close();
      return err((await program.ended).message ?? 'unknown reason');
    }
    const entry: Entry = { id, command, program, pid, capture, log, startedAt, news, end: null, endedAt: null };
    this.#entries.set(id, entry);
    void program.ended.then((end) => this.#onEnd(entry, end));
    return ok(this.#describe(entry));
  }

  list(): BackgroundProcess[] {
    return [...this.#entries.values()].map((entry) => this.#describe(entry));
  }

  /** The output since the last read, and what the process is doing; null for an unknown id. */
  read(id: string): { process: BackgroundProcess; output: CapturedOutput } | null {
    const entry = this.#entries.get(id);
    if (entry === undefined) return null;
    entry.news.unread = false;
    return { process: this.#describe(entry), output: entry.capture.take() };
  }

  /** Resolves when `id` has unread output or has ended, after `ms` milliseconds, or when `signal` is aborted. */
  waitForNews(id: string, ms: number, signal: AbortSignal): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.end !== null || entry.news.unread || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        entry.news.watchers.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.#clock.after(ms, done);
      entry.news.watchers.add(done);
      signal.addEventListener('abort', done);
    });
  }

  /** Ends the process tree of `id`; null for an unknown id. */
  async kill(id: string): Promise<BackgroundProcess | null> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return null;
    if (entry.end === null) this.#onEnd(entry, await entry.program.stop());
    return this.#describe(entry);
  }

  /** Ends all that still run, at the end of the run; the answer lists them (C4). */
  async stopAll(): Promise<ProcessName[]> {
    const living = [...this.#entries.values()].filter((entry) => entry.end === null);
    await Promise.all(living.map((entry) => this.kill(entry.id)));
    this.#stop.abort();
    return living.map(({ pid, command }) => ({ pid, command }));
  }

  #onEnd(entry: Entry, end: ProgramEnd): void {
    if (entry.end !== null) return;
    entry.end = end;
    entry.endedAt = this.#clock.monotonic();
    entry.capture.flush();
    entry.log.close();
    tell(entry.news.watchers);
  }

  #describe({ id, command, pid, end, startedAt, endedAt, log }: Entry): BackgroundProcess {
    const seconds = Math.round(((endedAt ?? this.#clock.monotonic()) - startedAt) / 1000);
    return { id, command, pid, end, seconds, logPath: log.path };
  }
}

function tell(watchers: ReadonlySet<() => void>): void {
  for (const watcher of [...watchers]) watcher();
}
