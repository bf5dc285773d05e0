import type { BatchWorld } from '../../delegation/batch/batch-world.ts';
import { parseBatchValue } from '../../delegation/batch/parse-batch.ts';
import { validateBatch } from '../../delegation/batch/validate-batch.ts';
import { lowerPermission } from '../../delegation/ceilings.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { Task, TaskInput } from '../../protocol/batch.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { problemText } from './calls.ts';

/** What of a task may be another one in its next run (C5). */
export interface TaskEdits {
  readonly goal?: string | undefined;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
}

/**
 * The task with its edits, validated anew like one that comes for the first time (S1): agents and models may have gone since. `world` is that of
 * its set without the task itself. It never gets a wider permission than it had.
 */
export async function editedTask(task: Task, edits: TaskEdits, world: BatchWorld): Promise<Result<Task, ApiError>> {
  const invalid = (problems: ApiError['problems'] & object): Result<Task, ApiError> =>
    err({ code: 'invalid_batch', message: problemText(problems), problems });
  const { existing = { ids: [], count: 1 } } = world;
  const others = { ids: existing.ids, count: Math.max(0, existing.count - 1) };
  const raw = parseBatchValue({ tasks: [inputOf(task, edits, world)] });
  if (!raw.ok) return invalid(raw.error);
  const valid = await validateBatch(raw.value.batch, { ...world, existing: others });
  if (!valid.ok) return invalid(valid.error);
  const [next] = valid.value.tasks;
  if (next === undefined) return err({ code: 'invalid_input', message: 'Write what the run is to do.' });
  return ok({ ...next, permission: lowerPermission(next.permission, task.permission) });
}

/** The stored task as it would be written, with its edits. What the earlier agent brought with it does not go to another one. */
function inputOf(task: Task, edits: TaskEdits, world: BatchWorld): Partial<TaskInput> {
  const said = Object.fromEntries(Object.entries(task).filter(([, value]) => value !== null)) as Partial<TaskInput>;
  const goal = edits.goal ?? task.goal;
  const agent = edits.agent ?? task.agent;
  const model = edits.model ?? task.model;
  if (agent === task.agent) return { ...said, goal, ...(model === null ? {} : { model }) };
  const { model: _model, fallback_models: _fallback, effort: _effort, permission: _permission, ...rest } = said;
  const chosen = world.agents.get(agent);
  // A built-in agent without a model of its own goes on with that of the task.
  const kept = edits.model ?? (chosen?.runner === 'builtin' && chosen.model === undefined ? model : null);
  return { ...rest, goal, agent, ...(kept === null ? {} : { model: kept }) };
}
