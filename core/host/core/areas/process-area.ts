import { endProcesses } from '../../../kit/process-tree/end-processes.ts';
import { hostProcesses } from '../../../kit/process-tree/host-processes.ts';
import type { ProcessRef } from '../../../kit/process-tree/process-entry.ts';
import { ok, type Result } from '../../../kit/result.ts';
import type { ApiError } from '../../../protocol/errors.ts';
import type { RunProcesses, SurvivorsReceipt } from '../../../protocol/processes.ts';
import { readAttempts } from '../../../registry/store/read-rows.ts';
import { exportRedactor } from '../../secrets/export-redactor.ts';
import type { CoreService } from '../../service.ts';
import type { Core } from '../core.ts';
import { findRun } from '../run-changes.ts';

type Named = Pick<ProcessRef, 'pid' | 'command'>;

/** What of the machine belongs to a run: the inspector's *Process* tab. Command lines are shown without known secrets. */
export function processArea(core: Core): Pick<CoreService['runs'], 'processes' | 'end_survivors'> {
  return {
    processes: ({ run_id }) => processesOf(core, run_id),
    end_survivors: ({ run_id }) => endSurvivors(core, run_id),
  };
}

function cleaner(core: Core): (refs: readonly ProcessRef[]) => Named[] {
  const redact = exportRedactor(core.settings.value, core.options.environment);
  return (refs) => refs.map(({ pid, command }) => ({ pid, command: redact(command) }));
}

async function processesOf(core: Core, runId: string): Promise<Result<RunProcesses, ApiError>> {
  const found = await findRun(core, runId);
  if (!found.ok) return found;
  const { engine, run } = found.value;
  const attempt = core.attempts.ofRun(runId);
  const redact = exportRedactor(core.settings.value, core.options.environment);
  const [measured, alive] = await Promise.all([
    attempt === null ? null : core.attempts.pool.sample(attempt),
    aliveOf(run.survivors),
  ]);
  return ok({
    at: core.options.clock.now(),
    attempts: readAttempts(engine.db, runId),
    processes: measured?.map((use) => ({ ...use, command: redact(use.command) })) ?? null,
    survivors: run.survivors.map(({ pid, command, started }) => ({
      pid,
      command: redact(command),
      alive: started === undefined ? null : alive.has(pid),
    })),
  });
}

/** Pids of those that are still the same processes. */
async function aliveOf(refs: readonly ProcessRef[]): Promise<ReadonlySet<number>> {
  const known = refs.flatMap(({ pid, started }) => (started === undefined ? [] : { pid, startTime: started }));
  if (known.length === 0) return new Set();
  return new Set((await hostProcesses().living(known)).map(({ pid }) => pid));
}

async function endSurvivors(core: Core, runId: string): Promise<Result<SurvivorsReceipt, ApiError>> {
  const found = await findRun(core, runId);
  if (!found.ok) return found;
  const { engine, conversation_id, run } = found.value;
  const { clock } = core.options;
  const graceMs = core.settings.value.limits.stopGraceSeconds * 1000;
  const done = await endProcesses(run.survivors, { source: hostProcesses(), clock, graceMs });
  const dealtWith = new Set([...done.ended, ...done.gone].map(({ pid }) => pid));
  await engine.fact(conversation_id, (step) => {
    const now = step.tree.runs.get(runId)?.survivors ?? [];
    const before = new Map(run.survivors.map((ref) => [ref.pid, ref.started]));
    // An attempt that ended meanwhile may have left others under the same pids.
    const survivors = now.filter(({ pid, started }) => !dealtWith.has(pid) || before.get(pid) !== started);
    if (survivors.length < now.length) step.emit({ type: 'survivors_ended', v: 1, run_id: runId, survivors });
  });
  const clean = cleaner(core);
  return ok({
    ended: clean(done.ended),
    gone: clean(done.gone),
    survivors: clean(done.survivors),
    untouched: clean(done.untouched),
  });
}
