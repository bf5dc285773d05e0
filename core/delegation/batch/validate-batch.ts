import { BATCH_MAXIMA, BatchInput, TaskDefaults, TaskInput, type Batch } from '../../protocol/batch.ts';
import type { BatchProblem } from '../../protocol/errors.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { BatchWorld } from './batch-world.ts';
import { checkTask, reportUnknownAgent, type CheckContext } from './check-task.ts';
import { checkDependencies } from './dependencies.ts';
import { pick, resolveTask, type Layer, type LayeredTask } from './layered-task.ts';
import { kindOf } from './normalise-value.ts';
import { schemaCheck } from './output-schema.ts';
import { ProblemList, taskPlace, THE_BATCH, THE_DEFAULTS, THE_OPTIONS, THE_SETTINGS } from './problem-list.ts';
import { isRecord, type RawBatch } from './raw-batch.ts';
import { readFields } from './read-fields.ts';
import { smallestBatch } from './smallest-batch.ts';

const HEAD = BatchInput.omit({ tasks: true, defaults: true }).shape;

type Head = Partial<Omit<BatchInput, 'tasks' | 'defaults'>>;

function readHead(raw: RawBatch, problems: ProblemList): Head {
  const rest = Object.fromEntries(Object.entries(raw).filter(([key]) => key !== 'tasks' && key !== 'defaults'));
  return readFields(rest, HEAD, 'batch', THE_BATCH, problems);
}

function readDefaults(raw: RawBatch, problems: ProblemList): Layer {
  const said = raw['defaults'];
  if (said === undefined || said === null) return { fields: {}, place: THE_DEFAULTS };
  if (isRecord(said)) {
    return { fields: readFields(said, TaskDefaults.shape, 'task', THE_DEFAULTS, problems), place: THE_DEFAULTS };
  }
  const message = `defaults must be an object, not ${kindOf(said)}`;
  problems.add(THE_BATCH, { field: 'defaults', message, fix: 'Write it as {"agent": "…", …}.' });
  return { fields: {}, place: THE_DEFAULTS };
}

function readTask(entry: unknown, index: number, problems: ProblemList): Partial<TaskInput> {
  const place = taskPlace(index);
  if (!isRecord(entry)) {
    const message = `a task must be an object with a goal, or the goal as text, not ${kindOf(entry)}`;
    problems.add(place, { field: null, message, fix: `The smallest valid batch is ${smallestBatch}` });
    return {};
  }
  if (entry['goal'] === undefined || entry['goal'] === null) {
    problems.add(place, { field: 'goal', message: 'the goal is missing', fix: 'Say in "goal" what is to be done.' });
  }
  return readFields(entry, TaskInput.shape, 'task', place, problems);
}

/** The task with the agent that it will have; one that does not exist is reported. */
function withAgent(task: Omit<LayeredTask, 'agent'>, context: CheckContext): LayeredTask {
  const { agents, defaults } = context.world;
  const said = pick(task.layers, 'agent') ?? { value: defaults.agent, place: THE_SETTINGS, field: 'defaultAgent' };
  const agent = agents.get(said.value) ?? null;
  if (agent === null) reportUnknownAgent(context, said);
  return { ...task, agent };
}

/** An agent that does not exist is reported also where every task names another: whoever wrote it meant something by it. */
function checkAgentOf({ fields: { agent }, place }: Layer, context: CheckContext): void {
  if (agent === undefined || context.world.agents.has(agent)) return;
  reportUnknownAgent(context, { value: agent, place, field: 'agent' });
}

function tooMany(count: number, existing: number): BatchProblem[] {
  const problems = new ProblemList();
  const already = existing > 0 ? ` with the ${existing} that it has` : '';
  const message = `the set would have ${count} tasks${already}; at most ${BATCH_MAXIMA.tasks} are possible`;
  problems.add(THE_BATCH, { field: 'tasks', message, fix: 'Split it into several batches.' });
  return problems.list();
}

function resolved(head: Head, tasks: readonly LayeredTask[], world: BatchWorld): Batch {
  return {
    title: head.title ?? null,
    max_concurrent: head.max_concurrent ?? null,
    fail_fast: head.fail_fast ?? false,
    tree_limits: head.tree_limits ?? {},
    wait: head.wait ?? null,
    client_token: head.client_token ?? null,
    tasks: tasks.flatMap((task) => (task.agent ? [resolveTask(task, task.agent, world)] : [])),
  };
}

/**
 * Validates a batch as a whole (S1–S3, S5) and fills in every field of every task. Either all of it is good or
 * nothing starts: the error holds all problems of all tasks. Touches nothing outside and starts nothing.
 */
export async function validateBatch(raw: RawBatch, world: BatchWorld): Promise<Result<Batch, BatchProblem[]>> {
  const existing = world.existing?.count ?? 0;
  const count = existing + raw.tasks.length;
  if (count > BATCH_MAXIMA.tasks) return err(tooMany(count, existing));
  const problems = new ProblemList();
  const head = readHead(raw, problems);
  const shared = [readDefaults(raw, problems), { fields: world.options ?? {}, place: THE_OPTIONS }];
  const treeLimits = head.tree_limits ?? {};
  const context: CheckContext = { world, problems, count, treeLimits, schemaCheck: schemaCheck() };
  for (const layer of shared) checkAgentOf(layer, context);
  const tasks = raw.tasks.map((entry, index) => {
    const place = taskPlace(index);
    const own = readTask(entry, index, problems);
    return withAgent({ index, place, own, layers: [{ fields: own, place }, ...shared] }, context);
  });
  for (const task of tasks) await checkTask(context, task);
  checkDependencies(tasks, world.existing?.ids ?? [], problems);
  const found = problems.list();
  return found.length > 0 ? err(found) : ok(resolved(head, tasks, world));
}
