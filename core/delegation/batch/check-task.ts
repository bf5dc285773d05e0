import type { AgentDefinition } from '../../protocol/agents.ts';
import type { TreeLimits } from '../../protocol/batch.ts';
import { AGENT_PROFILES, profileOf } from '../../protocol/profiles/agent-profiles.ts';
import type { Enforcement } from '../../protocol/profiles/profile.ts';
import type { RunLimits } from '../../protocol/settings.ts';
import { supportOf, type AgentSupport, type BatchWorld } from './batch-world.ts';
import { goalMistake } from './goal-rules.ts';
import {
  pick,
  pickFallbacks,
  pickIsolation,
  pickLimit,
  pickModel,
  type LayeredTask,
  type Sourced,
} from './layered-task.ts';
import type { SchemaCheck } from './output-schema.ts';
import { listed, quote } from './problem.ts';
import { THE_BATCH, THE_SETTINGS, type ProblemList } from './problem-list.ts';
import { didYouMean } from './suggest.ts';

/** What the checks of one task share. */
export interface CheckContext {
  readonly world: BatchWorld;
  readonly problems: ProblemList;
  /** Tasks of the whole set. */
  readonly count: number;
  readonly treeLimits: TreeLimits;
  readonly schemaCheck: SchemaCheck;
}

/** A name that is not among the known ones. */
function unknownName(
  { problems }: CheckContext,
  what: 'agent' | 'model' | 'tool',
  { value, place, field }: Sourced<string>,
  known: readonly string[],
): void {
  const suggestion = didYouMean(value, known);
  const meant = suggestion ? ` (did you mean "${suggestion}"?)` : '';
  const fix = suggestion ? `Write "${suggestion}". Known: ${listed(known)}.` : `Use one of: ${listed(known)}.`;
  problems.add(place, { field, message: `there is no ${what} ${quote(value)}${meant}`, fix, suggestion });
}

/** Reports an agent that does not exist. */
export function reportUnknownAgent(context: CheckContext, agent: Sourced<string>): void {
  unknownName(context, 'agent', agent, [...context.world.agents.keys()]);
}

function checkGoal(context: CheckContext, task: LayeredTask): void {
  const { goal } = task.own;
  if (goal === undefined) return;
  const command = task.agent?.runner === 'command';
  const mistake = goalMistake(goal, { count: context.count, command });
  if (mistake) context.problems.add(task.place, { field: 'goal', ...mistake });
}

function checkModels(context: CheckContext, task: LayeredTask): void {
  const { world, problems } = context;
  const model = pickModel(task, world);
  if (model === null) {
    const message = `the agent ${quote(task.agent?.id ?? '')} needs a model and none is chosen`;
    const fix =
      'Set a key, such as ANTHROPIC_API_KEY; or name a model as "<provider>/<model>", in the task or as the default model of the settings ' +
      '(`espalier config set defaultModel <provider>/<model>`). Without any, the app has a scripted Demo.';
    // The same for all tasks: said once, and mended in one place.
    problems.add(THE_SETTINGS, { field: 'defaultModel', message, fix });
    return;
  }
  const fallbacks = pickFallbacks(task);
  for (const one of [model, ...fallbacks.value.map((value) => ({ ...fallbacks, value }))]) {
    if (!world.isKnownModel(one.value)) unknownName(context, 'model', one, world.knownModels);
  }
}

/** Tools are named by our names for every agent: its profile knows what they are called there. */
function checkTools(context: CheckContext, task: LayeredTask): void {
  const tools = pick(task.layers, 'tools');
  if (tools === null) return;
  for (const value of tools.value) {
    // Which tools a server has is known only when it runs.
    if (!context.world.knownTools.includes(value) && !/^mcp__\w/.test(value)) {
      unknownName(context, 'tool', { ...tools, value }, context.world.knownTools);
    }
  }
}

/** Limits and ceilings that the agent's profile can neither enforce nor watch (R11). */
function checkSupport(context: CheckContext, task: LayeredTask, agent: AgentDefinition): void {
  if (pick(task.layers, 'best_effort')?.value) return;
  const { tools: ceiling, ...limits } = supportOf(context.world, agent);
  const asked: Omit<Sourced<unknown>, 'value'>[] = [];
  for (const [key, by] of Object.entries(limits) as [keyof RunLimits, Enforcement][]) {
    const limit = pickLimit(task, context.world, key);
    if (by === 'unsupported' && limit?.asked) asked.push(limit);
  }
  const tools = pick(task.layers, 'tools');
  if (tools && ceiling === 'unsupported') asked.push(tools);
  for (const { place, field } of [...asked, ...treeSupport(context, limits)]) {
    const message = `nobody can see to it that the agent ${quote(agent.id)} keeps ${field}`;
    const fix = 'Take it out, choose another agent, or say "best_effort": true.';
    context.problems.add(place, { field, message, fix });
  }
}

/** Limits around the task that its agent cannot keep; of the built-in runner the prices tell (R5). */
function treeSupport(
  { world, treeLimits }: CheckContext,
  limits: Omit<AgentSupport, 'tools'>,
): Omit<Sourced<unknown>, 'value'>[] {
  const keys = (Object.keys(treeLimits) as (keyof TreeLimits)[]).filter((key) => limits[key] === 'unsupported');
  const around = limits.max_cost_usd === 'unsupported' ? (world.moneyLimits ?? []) : [];
  return [
    ...keys.map((key) => ({ place: THE_BATCH, field: `tree_limits.${key}` })),
    ...around.map((field) => ({ place: THE_SETTINGS, field })),
  ];
}

/** An agent outside of us that cannot be started, as nothing says how (R11). */
function checkProgram({ problems }: CheckContext, task: LayeredTask, agent: AgentDefinition): void {
  const { runner, adapter, command } = agent;
  if (runner !== 'acp' && runner !== 'cli') return;
  const profile = profileOf(agent);
  if (profile !== null && (command ?? profile.program.command) !== '') return;
  const { place } = pick(task.layers, 'agent') ?? { place: THE_SETTINGS };
  const known = AGENT_PROFILES.filter((one) => one.runner === runner).map(({ id }) => id);
  const message =
    profile === null && adapter !== undefined
      ? `the agent ${quote(agent.id)} has the adapter ${quote(adapter)}, which the runner ${runner} does not know`
      : `nothing says which program the agent ${quote(agent.id)} is`;
  const fix = `Give it a "command" or one of the adapters ${listed(known)} in the settings.`;
  problems.add(place, { field: 'agent', message, fix });
}

/** Money cannot be limited where the price is unknown (R5). */
function checkPrices(context: CheckContext, task: LayeredTask): void {
  const { world, problems, treeLimits } = context;
  const limits = [];
  const own = pickLimit(task, world, 'max_cost_usd');
  if (own) limits.push(own);
  if (treeLimits.max_cost_usd !== undefined) limits.push({ place: THE_BATCH, field: 'tree_limits.max_cost_usd' });
  for (const field of world.moneyLimits ?? []) limits.push({ place: THE_SETTINGS, field });
  const models = [pickModel(task, world)?.value ?? [], pickFallbacks(task).value].flat();
  const unpriced = models.filter((model) => world.isKnownModel(model) && !world.canPrice(model));
  for (const { place, field } of limits) {
    for (const model of unpriced) {
      const message = `${field} cannot be kept, as the price of ${quote(model)} is unknown`;
      const fix = 'Give the model a "price" in the settings, limit max_tokens instead, or take the limit out.';
      problems.add(place, { field, message, fix });
    }
  }
}

async function checkSchema({ problems, schemaCheck }: CheckContext, task: LayeredTask): Promise<void> {
  const schema = pick(task.layers, 'output_schema');
  if (schema === null) return;
  for (const { pointer, what, fix } of await schemaCheck(schema.value)) {
    const message = `output_schema is invalid${pointer === '' ? '' : ` at ${pointer}`}: ${what}`;
    problems.add(schema.place, { field: 'output_schema', message, fix, pointer });
  }
}

/** Isolation that cannot be had is told before anything starts (W2); what changes until the start fails the task then. */
async function checkIsolation({ world, problems }: CheckContext, task: LayeredTask): Promise<void> {
  const isolation = pickIsolation(task, world);
  if (isolation.value !== 'worktree') return;
  const obstacle = (await world.isolationObstacle?.()) ?? null;
  if (obstacle === null) return;
  const fix = 'Say "isolation": "none", or mend what stands in the way.';
  problems.add(isolation.place, {
    field: isolation.field,
    message: `no worktree can be made: ${withoutStop(obstacle)}`,
    fix,
  });
}

const withoutStop = (text: string): string => text.replace(/\.$/, '');

/** All rules that look at one task alone (S3, S5, R5, R11, W2). */
export async function checkTask(context: CheckContext, task: LayeredTask): Promise<void> {
  checkGoal(context, task);
  await checkSchema(context, task);
  if (task.agent === null) return;
  if (task.agent.runner === 'builtin') {
    checkModels(context, task);
    checkPrices(context, task);
  }
  // A program without a model has none; that a list of them means nothing to it is told by `checkSupport`.
  if (task.agent.runner !== 'command') checkTools(context, task);
  checkProgram(context, task, task.agent);
  checkSupport(context, task, task.agent);
  await checkIsolation(context, task);
}
