import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpuOf, pssOf } from './process-usage.ts';

/** What one empty worker costs: the runtime itself, which any worker pays. */
export interface EmptyWorker {
  /** Milliseconds from the first start to the last end, divided by the number of workers. */
  readonly wallMs: number;
  readonly cpuSeconds: number;
}

/** Starts `count` times `node -e 0` at once, again and again. */
export async function measureEmptyWorkers(count: number, times: number): Promise<EmptyWorker> {
  const reapedBefore = reaped();
  const began = performance.now();
  for (let time = 0; time < times; time += 1) {
    const workers = Array.from({ length: count }, () => spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }));
    await Promise.all(workers.map((worker) => once(worker, 'exit')));
  }
  const all = count * times;
  return { wallMs: (performance.now() - began) / all, cpuSeconds: (reaped() - reapedBefore) / all };
}

/** Bytes (PSS) of one of `count` empty workers that are alive at once and do nothing. */
export async function measureEmptyMemory(count: number): Promise<number> {
  const program = "require('node:fs').writeSync(1, '.'); setInterval(() => 0, 1e9)";
  const workers = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  try {
    await Promise.all(workers.map(({ stdout }) => once(stdout, 'data')));
    return workers.reduce((sum, { pid }) => sum + (pssOf(pid ?? 0) ?? 0), 0) / count;
  } finally {
    await Promise.all(workers.map(end));
  }
}

async function end(worker: ChildProcess): Promise<void> {
  const exited = once(worker, 'exit');
  worker.kill('SIGKILL');
  await exited;
}

/** Our own processor time counts for nobody: what starts a worker is not the worker. */
function reaped(): number {
  return cpuOf(process.pid)?.reaped ?? 0;
}
