import { Worker } from 'node:worker_threads';
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

interface Pending {
  readonly request: JobRequest;
  readonly resolve: (output: JobOut<JobType>) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  current: Pending | null;
  cancelIdle: CancelTimer | null;
}

// An idle thread costs about 8 MB; starting one costs some 30 ms.
const IDLE_MS = 10_000;

/** At most `max` threads, started when there is work and ended after 10 s without. */
export function createStorageThreads(clock: Clock, max: number): StorageThreads {
  const threads = new Set<Thread>();
  const queue: Pending[] = [];
  let lastId = 0;
  let whenEmpty: (() => void)[] = [];

  const give = (thread: Thread, job: Pending): void => {
    thread.cancelIdle?.();
    thread.cancelIdle = null;
    thread.current = job;
    thread.worker.ref();
    thread.worker.postMessage(job.request);
  };

  const next = (): void => {
    for (let job = queue[0]; job !== undefined; job = queue[0]) {
      const idle = [...threads].find((thread) => thread.current === null);
      if (idle === undefined && threads.size >= max) return;
      queue.shift();
      try {
        give(idle ?? start(), job);
      } catch (error) {
        job.reject(error instanceof Error ? error : new Error(String(error)));
      }
    }
    if ([...threads].some((thread) => thread.current !== null)) return;
    const waiting = whenEmpty;
    whenEmpty = [];
    for (const done of waiting) done();
  };

  const settle = (thread: Thread, response: JobResponse): void => {
    const job = thread.current;
    if (job?.request.id !== response.id) return;
    thread.current = null;
    thread.worker.unref();
    thread.cancelIdle = clock.after(IDLE_MS, () => {
      threads.delete(thread);
      void thread.worker.terminate();
    });
    if (response.ok) job.resolve(response.output);
    else job.reject(errorOf(response.failure));
    next();
  };

  const lose = (thread: Thread, reason: Error): void => {
    if (!threads.delete(thread)) return;
    thread.cancelIdle?.();
    thread.current?.reject(reason);
    next();
  };

  const start = (): Thread => {
    const worker = new Worker(configuredEntry ?? new URL('./thread.ts', import.meta.url), {
      name: 'espalier-storage',
      execArgv: [],
    });
    const thread: Thread = { worker, current: null, cancelIdle: null };
    threads.add(thread);
    worker.on('message', (response: JobResponse) => settle(thread, response));
    worker.on('error', (error) => lose(thread, error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', (code) => lose(thread, new Error(`A storage thread ended unexpectedly (${String(code)})`)));
    return thread;
  };

  return {
    run<T extends JobType>(type: T, input: JobIn<T>): Promise<JobOut<T>> {
      return new Promise<JobOut<T>>((resolve, reject) => {
        lastId += 1;
        const request = { id: lastId, type, input } as JobRequest;
        queue.push({ request, resolve: resolve as Pending['resolve'], reject });
        next();
      });
    },
    async close() {
      if (queue.length > 0 || [...threads].some((thread) => thread.current !== null)) {
        await new Promise<void>((done) => whenEmpty.push(done));
      }
      const ending = [...threads];
      threads.clear();
      for (const thread of ending) thread.cancelIdle?.();
      await Promise.all(ending.map((thread) => thread.worker.terminate()));
    },
  };
}

function errorOf(failure: JobFailure): Error {
  const error = new Error(failure.message);
  error.stack = failure.stack;
  return failure.code === null ? error : Object.assign(error, { code: failure.code });
}
