import type { Task } from '../protocol/batch.ts';
import { isEnded } from '../protocol/lifecycle.ts';
import { NOTHING_ELSE } from '../protocol/bare-report.ts';
import type { RunReport } from '../protocol/report.ts';
import { OUTSIDE, type RunRow } from '../protocol/rows.ts';
import type { Permission } from '../protocol/settings.ts';
import { NO_TOKENS } from '../protocol/token-sums.ts';
import { decideCall } from './decide-call.ts';
import { newRun } from './decide-dispatch.ts';
import { decideEnd } from './decide-end.ts';
import { moveRun } from './move.ts';
import type { Step } from './step.ts';
import { hasOpenSet } from './tree.ts';

/**
 * A lead outside: a client that delegates over MCP from its own terminal. We start no worker for it and hear of it only when it calls, so it has no attempt,
 * holds no place, and its own model and money are not ours to count.
 *
 * | what happens                         | its row                                  | what is below it                                  |
 * |--------------------------------------|------------------------------------------|---------------------------------------------------|
 * | first call of a connection           | queued → starting → running → waiting: user | –                                              |
 * | a call that waits for children       | waiting: children                        | at work                                           |
 * | the last such call is answered       | waiting: user                            | ended                                             |
 * | it asks a person                     | waiting: question, then waiting: user    | –                                                 |
 * | its connection is cut                | as it was; the same client may come back | goes on; answers are kept for it                  |
 * | it has gone, and sets are open       | waiting: children                        | goes on: a task is never dropped (P6)             |
 * | it has gone, and no set is open      | ended: completed                         | –                                                 |
 * | it is stopped                        | ended: stopped; its calls are refused    | stopped first (C3)                                |
 *
 * It cannot be told later: a delegation waits unless it says otherwise, and it gets the result of one in the background by a call that waits (P6). It is
 * not steered, paused, retried or continued from here.
 */
export function decideOutsideOpen(
  step: Step,
  projectId: string,
  { client, goal, permission }: { readonly client: string; readonly goal: string; readonly permission: Permission },
): string {
  const task: Task = { ...NO_TASK, goal, agent: client, permission };
  const place = { set: null, index: null, parent: null, retryOf: null };
  const run: RunRow = { ...newRun(step, projectId, task, place), runner: OUTSIDE, cost_status: 'included' };
  const { run_id } = run;
  step.queue(run, task);
  step.emit({ type: 'conversation_changed', v: 1, conversation_id: run.conversation_id, lead_run_id: run_id });
  moveRun(step, run_id, 'starting');
  moveRun(step, run_id, 'running');
  moveRun(step, run_id, 'waiting', 'user');
  step.activity(run_id, 'Connected');
  return run_id;
}

const NO_TASK: Omit<Task, 'goal' | 'agent' | 'permission'> = {
  id: null,
  label: null,
  context: null,
  model: null,
  effort: null,
  output_schema: null,
  acceptance: null,
  images: [],
  files: [],
  tools: null,
  isolation: 'none',
  base_ref: null,
  limits: {},
  depends_on: [],
  depends_on_any_outcome: false,
  retry: 0,
  fallback_models: [],
  best_effort: false,
};

/** Stores a call of it; each is a turn of its own for the fan-out (R3). The same id again is answered again (P7). */
export function decideOutsideCall(
  step: Step,
  runId: string,
  call: { readonly call_id: string; readonly tool: string; readonly arguments: unknown; readonly waits: boolean },
): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined || isEnded(run.state)) return;
  const { waits, ...told } = call;
  decideCall(step, runId, told);
  const counted = { ...progressOf(run), turns: run.turns + 1, tool_calls: run.tool_calls + 1 };
  step.emit({ type: 'run_progressed', v: 1, run_id: runId, progress: counted });
  if (waits && run.reason === 'user') moveRun(step, runId, 'waiting', 'children');
}

/** It has gone for good: it ends when nothing is open below it, so that what it began comes to its end. */
export function decideOutsideGone(step: Step, runId: string): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined || isEnded(run.state)) return;
  step.activity(runId, 'Disconnected');
  if (hasOpenSet(step.tree, runId)) {
    moveRun(step, runId, 'waiting', 'children');
    return;
  }
  step.report(runId, reportOf(step, run), null);
  decideEnd(step, runId, {}, null);
}

function progressOf({ turns, tool_calls, active_seconds }: RunRow): RunReport['progress'] {
  return { turns, tool_calls, tokens: NO_TOKENS, cost_usd: 0, cost_status: 'included', active_seconds };
}

function reportOf(step: Step, run: RunRow): RunReport {
  const sets = step.tree.childSets.get(run.run_id)?.length ?? 0;
  return {
    progress: progressOf(run),
    answer: `${run.agent} has disconnected. It delegated ${sets === 1 ? 'one set' : `${sets} sets`}.`,
    ...NOTHING_ELSE,
  };
}
