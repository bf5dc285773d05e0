import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoreProcess } from '../measure/core-process.ts';
import { measureEmptyMemory, measureEmptyWorkers } from '../measure/empty-workers.ts';
import { HELD_GOAL } from '../measure/model-messages.ts';
import type { ModelServer } from '../measure/model-server.ts';
import { pssOf } from '../measure/process-usage.ts';

/** Runs at once: the cap as shipped, of the app and of a set (R1). */
const AT_ONCE = 10;

/** Starts of the baseline in one round; one alone is over too fast to be measured well. */
const BASELINE_TIMES = 4;

/** What one child cost. */
export interface ChildCost {
  readonly wallMs: number;
  /** Of core and workers, with the pool filled up again. */
  readonly cpuSeconds: number;
  /** The core's part of it. */
  readonly coreCpuSeconds: number;
}

/** One fresh core, from its start to its end. Memory in bytes (PSS). */
export interface Round {
  readonly empty: { readonly wallMs: number; readonly cpuSeconds: number; readonly memory: number };
  readonly first10: ChildCost;
  readonly second10: ChildCost;
  readonly hundred: ChildCost;
  readonly workerMemory: number;
  readonly warmMemory: number;
  readonly coreIdleMemory: number;
  readonly coreBusyMemory: number;
}

/** Measures everything once, next to its own baseline. */
export async function measureRound(model: ModelServer): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
  const core = await CoreProcess.start(folder, model.url);
  try {
    await core.atRest();
    const coreIdleMemory = core.memory();
    const before = await measureEmptyWorkers(AT_ONCE, BASELINE_TIMES);
    const first10 = await childCost(core, 10);
    const second10 = await childCost(core, 10);
    const hundred = await childCost(core, 100);
    const after = await measureEmptyWorkers(AT_ONCE, BASELINE_TIMES);
    const memory = await measureEmptyMemory(AT_ONCE);
    return {
      empty: {
        wallMs: (before.wallMs + after.wallMs) / 2,
        cpuSeconds: (before.cpuSeconds + after.cpuSeconds) / 2,
        memory,
      },
      first10,
      second10,
      hundred,
      coreIdleMemory,
      ...(await memoryAtWork(core, model)),
    };
  } finally {
    await core.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function childCost(core: CoreProcess, count: number): Promise<ChildCost> {
  const before = core.usage();
  const { wallMs } = await core.dispatch('Say that it is done', count, AT_ONCE);
  await core.atRest();
  const after = core.usage();
  const coreCpu = after.core - before.core;
  return {
    wallMs: wallMs / count,
    cpuSeconds: (coreCpu + after.workers - before.workers) / count,
    coreCpuSeconds: coreCpu / count,
  };
}

/** Memory while all workers wait for their model at the same time. */
async function memoryAtWork(
  core: CoreProcess,
  model: ModelServer,
): Promise<Pick<Round, 'workerMemory' | 'warmMemory' | 'coreBusyMemory'>> {
  const ended = core.dispatch(HELD_GOAL, AT_ONCE, AT_ONCE);
  await model.held(AT_ONCE);
  await core.atRest(AT_ONCE);
  const { busy, idle } = core.workers();
  const measured = { workerMemory: mean(busy), warmMemory: mean(idle), coreBusyMemory: core.memory() };
  model.release(AT_ONCE);
  await ended;
  return measured;
}

function mean(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (pssOf(pid) ?? 0), 0) / pids.length;
}
