import type { Batch, Task } from '../protocol/batch.ts';
import type { DispatchAnswer } from '../protocol/api/dispatch.ts';
import type { GatedRun } from '../protocol/pause.ts';
import type { RunRow, SetRow } from '../protocol/rows.ts';
import { NO_TOKENS } from '../protocol/token-sums.ts';
import { stateWords, type WaitReason } from '../protocol/lifecycle.ts';
import { taskLabel } from './lines/set-lines.ts';
import { gatesAround } from './gates.ts';
import { NO_TOTALS } from './set-status.ts';
import type { Step } from './step.ts';

/** Who dispatches: the user, or a run through its delegate tool. */
export type Dispatcher =
  | { readonly type: 'user' }
  | { readonly type: 'run'; readonly run: RunRow; readonly call_id: string; readonly wait: boolean };

/**
 * Stores a validated batch as a set with one queued run per task (S4, S6, L1). Ids and numbers are given here and never
 * change. Limits of depth and fan-out were checked before (see `decide-call.ts`).
 */
export function decideDispatch(step: Step, projectId: string, batch: Batch, by: Dispatcher): DispatchAnswer {
  const { tree, context } = step;
  const number = tree.conversation.sets + 1;
  const set: SetRow = {
    delegation_id: context.newId('deleg'),
    conversation_id: tree.conversation.conversation_id,
    set: number,
    parent_run_id: by.type === 'run' ? by.run.run_id : null,
    parent_call_id: by.type === 'run' ? by.call_id : null,
    title: batch.title,
    count: batch.tasks.length,
    ended: 0,
    status: 'running',
    totals: NO_TOTALS,
    max_concurrent: batch.max_concurrent ?? context.limits.concurrencyPerSet,
    fail_fast: batch.fail_fast,
    ...(Object.keys(batch.tree_limits).length === 0 ? {} : { tree_limits: batch.tree_limits }),
    wait: by.type === 'run' && by.wait,
    paused: false,
    revision: 0,
    created_at: context.now,
    started_at: null,
    ended_at: null,
  };
  step.emit({ type: 'set_dispatched', v: 1, set });
  const parent = by.type === 'run' ? by.run : null;
  const place = { parent, retryOf: null };
  const runIds = batch.tasks.map((task, index) => queueTask(step, projectId, task, { ...place, set, index }));
  return {
    conversation_id: set.conversation_id,
    delegation_id: set.delegation_id,
    set: number,
    count: runIds.length,
    run_ids: runIds,
    note: `Stored as set ${number}. The tasks run in the background; this does not mean that they are done.`,
  };
}

/** Queues a run for a task; one that depends on others asks for no place yet. `once` is for a lead (T1). */
export function queueTask(
  step: Step,
  projectId: string,
  task: Task,
  place: RunPlace,
  reason?: WaitReason,
  once = false,
): string {
  const run = newRun(step, projectId, task, place, reason);
  step.queue(run, task, once);
  if (run.reason !== 'dependency') step.effect({ type: 'ask_place', run_id: run.run_id, head: false });
  return run.run_id;
}

/** Place of a new run in its tree. */
export interface RunPlace {
  readonly set: SetRow | null;
  readonly index: number | null;
  readonly parent: RunRow | null;
  readonly retryOf: RunRow | null;
  /** The run with whose session it goes on (C5). */
  readonly continues?: RunRow;
  /** A person adds it to a set at work (S8). */
  readonly added?: boolean;
}

/** The row of a run that is about to be queued; `reason` says what it waits for. */
export function newRun(
  step: Step,
  projectId: string,
  task: Task,
  place: RunPlace,
  reason: WaitReason = queueReason(step, task, place),
): RunRow {
  const { context, tree } = step;
  const runId = context.newId('run');
  const { agent, label, goal, model, permission, isolation, limits } = task;
  return {
    run_id: runId,
    conversation_id: tree.conversation.conversation_id,
    project_id: projectId,
    ...whereabouts(place, runId),
    label,
    goal,
    agent,
    runner: context.agents.get(agent)?.runner ?? 'builtin',
    model,
    permission,
    isolation,
    worktree: null,
    state: 'queued',
    reason,
    until: null,
    paused: false,
    words: stateWords('queued', reason),
    ...UNBEGUN,
    max_turns: limits.max_turns ?? context.limits.maxTurns,
    max_cost_usd: limits.max_cost_usd ?? null,
    queued_at: context.now,
    ...origin(place),
  };
}

/** What it comes from. The retry of a run that continued another one continues it again. */
function origin({ retryOf, continues, added }: RunPlace): Pick<RunRow, 'retry_of' | 'continues' | 'added'> {
  return {
    retry_of: retryOf?.run_id ?? null,
    continues: continues?.run_id ?? retryOf?.continues ?? null,
    added: added ?? (retryOf ?? continues)?.added ?? false,
  };
}

type Whereabouts = 'delegation_id' | 'set' | 'task_index' | 'parent_run_id' | 'root_run_id' | 'depth' | 'lead' | 'tag';

function whereabouts({ set, index, parent, retryOf, continues }: RunPlace, runId: string): Pick<RunRow, Whereabouts> {
  const root_run_id = (retryOf ?? continues ?? parent)?.root_run_id ?? runId;
  const above = { parent_run_id: parent?.run_id ?? null, root_run_id };
  if (set === null)
    return { ...above, delegation_id: null, set: null, task_index: null, depth: 0, lead: true, tag: '' };
  return {
    ...above,
    delegation_id: set.delegation_id,
    set: set.set,
    task_index: index,
    depth: (parent?.depth ?? 0) + 1,
    lead: false,
    tag: index === null ? '' : taskLabel({ set: set.set, index, count: set.count }),
  };
}

function queueReason(step: Step, task: Task, place: RunPlace): WaitReason {
  return task.depends_on.length > 0 ? 'dependency' : placeReason(step, placeOf(place));
}

/** Where a run that is not there yet will be. */
export function placeOf({ set, parent }: Pick<RunPlace, 'set' | 'parent'>): GatedRun {
  return {
    run_id: '',
    paused: false,
    delegation_id: set?.delegation_id ?? null,
    parent_run_id: parent?.run_id ?? null,
  };
}

/** What a run waits for that could start: a place, or the end of a pause (R1, R9). */
export function placeReason(step: Step, run: GatedRun): WaitReason {
  return gatesAround(step, run).length > 0 ? 'paused' : 'concurrency';
}

const UNBEGUN = {
  outcome: null,
  exit_reason: null,
  failure_reason: null,
  caveats: [],
  error: null,
  failure_text: null,
  failure_line: null,
  advice: null,
  activity: null,
  turns: 0,
  tool_calls: 0,
  tokens: NO_TOKENS,
  cost_usd: 0,
  cost_status: 'estimated',
  total_cost_usd: 0,
  total_tokens: 0,
  started_at: null,
  ended_at: null,
  active_seconds: 0,
  active_since: null,
  last_activity_at: null,
  summary: null,
  text_cut: false,
  attempts: 0,
  pid: null,
  proof: null,
  survivors: [],
  retried_by: null,
  continued_by: null,
  seen: true,
} as const satisfies Partial<RunRow>;
