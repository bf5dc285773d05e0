import type { Worker } from 'node:worker_threads';
import type { CancelTimer, Clock } from '../../kit/clock.ts';
import type { JobFailure, JobIn, JobOut, JobRequest, JobResponse, JobType } from './jobs.ts';

let configuredEntry: URL | string | null = null;

/**
 * Says where the entry of the storage threads is (built from `core/registry/reader/thread.ts`). A host that runs from a
 * bundle calls this once before it opens storage; from source the file beside this one is used.
 */
export function setStorageThreadEntry(entry: URL | string): void {
  configuredEntry = entry;
}

/** A few threads that do blocking work on databases, in the order it was asked for. */
export interface StorageThreads {
  /** Rejects with what the job threw (its `code` kept), or if the thread died. */
  run<T extends JobType>(type: T, input: JobIn<T>): Promise<JobOut<T>>;
  /** Waits for the jobs that were asked for, then ends the threads. */
  close(): Promise<void>;
}

/** At most `max` threads, started when there is work and ended after 10 s without. */
export function createStorageThreads(clock: Clock, max: number): StorageThreads {
  return new ThreadPool(clock, max);
}

interface PendingJob {
  readonly request: JobRequest;
  readonly resolve: (output: JobOut<JobType>) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  current: PendingJob | null;
  cancelIdle: CancelTimer | null;
}

// An idle thread costs about 8 MB; starting one costs some 30 ms.
const IDLE_MS = 10_000;

class ThreadPool implements StorageThreads {
  readonly #clock: Clock;
  readonly #max: number;
  readonly #threads = new Set<Thread>();
  readonly #queue: PendingJob[] = [];
  #lastId = 0;
  #whenEmpty: (() => void)[] = [];

  constructor(clock: Clock, max: number) {
    this.#clock = clock;
    this.#max = max;
  }

  run<T extends JobType>(type: T, input: JobIn<T>): Promise<JobOut<T>> {
    const { promise, resolve, reject } = Promise.withResolvers<JobOut<JobType>>();
    this.#lastId += 1;
    // The signature pairs the type with its input and output; the union of all requests cannot say so.
    this.#queue.push({ request: { id: this.#lastId, type, input } as JobRequest, resolve, reject });
    this.#next();
    return promise;
  }

  async close(): Promise<void> {
    if (this.#working()) await new Promise<void>((done) => this.#whenEmpty.push(done));
    const ending = [...this.#threads];
    this.#threads.clear();
    for (const thread of ending) thread.cancelIdle?.();
    await Promise.all(ending.map((thread) => thread.worker.terminate()));
  }

  #working(): boolean {
    return this.#queue.length > 0 || [...this.#threads].some((thread) => thread.current !== null);
  }

  #next(): void {
    for (let job = this.#queue[0]; job !== undefined; job = this.#queue[0]) {
      const idle = [...this.#threads].find((thread) => thread.current === null);
      if (idle === undefined && this.#threads.size >= this.#max) return;
      this.#queue.shift();
      try {
        this.#give(idle ?? this.#start(), job);
      } catch (error) {
        job.reject(asError(error));
      }
    }
    if (this.#working()) return;
    const waiting = this.#whenEmpty;
    this.#whenEmpty = [];
    for (const done of waiting) done();
  }

  #give(thread: Thread, job: PendingJob): void {
    thread.cancelIdle?.();
    thread.cancelIdle = null;
    thread.worker.postMessage(job.request);
    thread.current = job;
    thread.worker.ref();
  }

  #start(): Thread {
    const entry = configuredEntry ?? new URL('./thread.ts', import.meta.url);
    // Loaded with the first thread: most starts need none.
    const threads = process.getBuiltinModule('node:worker_threads');
    const worker = new threads.Worker(entry, { name: 'espalier-storage', execArgv: [] });
    const thread: Thread = { worker, current: null, cancelIdle: null };
    this.#threads.add(thread);
    worker.on('message', (response: JobResponse) => this.#settle(thread, response));
    worker.on('error', (error) => this.#lose(thread, asError(error)));
    worker.on('exit', (code) => this.#lose(thread, new Error(`A storage thread ended unexpectedly (${String(code)})`)));
    return thread;
  }

  #settle(thread: Thread, response: JobResponse): void {
    const job = thread.current;
    if (job?.request.id !== response.id) return;
    thread.current = null;
    thread.worker.unref();
    thread.cancelIdle = this.#clock.after(IDLE_MS, () => {
      this.#threads.delete(thread);
      void thread.worker.terminate();
    });
    if (response.ok) job.resolve(response.output);
    else job.reject(errorOf(response.failure));
    this.#next();
  }

  #lose(thread: Thread, reason: Error): void {
    if (!this.#threads.delete(thread)) return;
    thread.cancelIdle?.();
    thread.current?.reject(reason);
    this.#next();
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

function errorOf(failure: JobFailure): Error {
  const error = new Error(failure.message);
  error.stack = failure.stack;
  return failure.code === null ? error : Object.assign(error, { code: failure.code });
}
