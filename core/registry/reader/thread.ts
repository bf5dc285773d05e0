// The entry of a storage thread: takes one job at a time from the process that started it and answers each.
import { parentPort } from 'node:worker_threads';
import { JOBS, type JobFailure, type JobRequest, type JobResponse } from './jobs.ts';

function answer(request: JobRequest): JobResponse {
  try {
    // The table pairs each type with its input; TypeScript cannot follow that through the union.
    const job = JOBS[request.type] as (input: JobRequest['input']) => (JobResponse & { ok: true })['output'];
    return { id: request.id, ok: true, output: job(request.input) };
  } catch (error) {
    return { id: request.id, ok: false, failure: failureOf(error) };
  }
}

function failureOf(error: unknown): JobFailure {
  if (!(error instanceof Error)) return { message: String(error), code: null, stack: '' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return { message: error.message, code, stack: error.stack ?? '' };
}

parentPort?.on('message', (request: JobRequest) => parentPort?.postMessage(answer(request)));
