import type { AgentDefinition } from '../../protocol/agents.ts';
import type { Task, TaskDefaults, TaskInput } from '../../protocol/batch.ts';
import type { Isolation, RunLimits } from '../../protocol/settings.ts';
import type { BatchWorld } from './batch-world.ts';
import { THE_SETTINGS, type Place } from './problem-list.ts';

/** Fields, and where they were written. */
export interface Layer {
  readonly fields: Partial<TaskDefaults>;
  readonly place: Place;
}

/** A value and where it comes from. */
export interface Sourced<T> {
  readonly value: T;
  readonly place: Place;
  /** Name of the field there. */
  readonly field: string;
}

/** A task with the layers that fill it: its own fields, the batch's defaults, the options; the first that speaks counts. */
export interface LayeredTask {
  readonly index: number;
  readonly place: Place;
  readonly own: Partial<TaskInput>;
  readonly layers: readonly Layer[];
  /** Null while the agent is unknown. */
  readonly agent: AgentDefinition | null;
}

/** What the first layer that speaks says of a field. */
export function pick<K extends keyof TaskDefaults>(
  layers: readonly Layer[],
  key: K,
): Sourced<NonNullable<TaskDefaults[K]>> | null {
  for (const { fields, place } of layers) {
    const value = fields[key];
    if (value !== undefined) return { value: value, place, field: key };
  }
  return null;
}

const agentPlace = (agent: AgentDefinition): Place => ({
  task_index: null,
  name: `The agent "${agent.id}"`,
  prefix: `agents.${agent.id}.`,
});

/** A limit of a task: of the first layer that sets it, else of the agent, else of the settings. */
export function pickLimit(
  task: LayeredTask,
  world: BatchWorld,
  key: keyof RunLimits,
): (Sourced<number> & { readonly asked: boolean }) | null {
  const field = `limits.${key}`;
  for (const { fields, place } of task.layers) {
    const value = fields.limits?.[key];
    if (value !== undefined) return { value, place, field, asked: true };
  }
  const own = task.agent?.limits?.[key];
  if (task.agent && own !== undefined) return { value: own, place: agentPlace(task.agent), field, asked: false };
  const value = world.defaults.limits?.[key];
  return value === undefined ? null : { value, place: THE_SETTINGS, field, asked: false };
}

/** The model of a task; null when nobody names one, and always for a program without a model. */
export function pickModel(task: LayeredTask, world: BatchWorld): Sourced<string> | null {
  const { agent } = task;
  if (agent === null || agent.runner === 'command') return null;
  const said = pick(task.layers, 'model');
  if (said) return said;
  if (agent.model !== undefined) return { value: agent.model, place: agentPlace(agent), field: 'model' };
  // An external agent has its own choice of models; that of the settings is one of our providers.
  if (agent.runner !== 'builtin' || world.defaults.model === null) return null;
  return { value: world.defaults.model, place: THE_SETTINGS, field: 'defaultModel' };
}

/** Where a task works: as it says, else its agent, else the settings. */
export function pickIsolation(task: LayeredTask, world: BatchWorld): Sourced<Isolation> {
  const said = pick(task.layers, 'isolation');
  if (said) return said;
  const own = task.agent?.isolation;
  if (task.agent && own !== undefined) return { value: own, place: agentPlace(task.agent), field: 'isolation' };
  return { value: world.defaults.isolation, place: THE_SETTINGS, field: 'isolation' };
}

/** The models that may stand in for the task's own (R8). */
export function pickFallbacks(task: LayeredTask): Sourced<string[]> {
  const said = pick(task.layers, 'fallback_models');
  if (said) return said;
  const place = task.agent ? agentPlace(task.agent) : THE_SETTINGS;
  return { value: task.agent?.fallback_models ?? [], place, field: 'fallback_models' };
}

function mergedLimits(task: LayeredTask, agent: AgentDefinition, world: BatchWorld): RunLimits {
  const limits = [...task.layers].reverse().map((layer) => layer.fields.limits);
  return Object.assign({}, world.defaults.limits, agent.limits, ...limits) as RunLimits;
}

type Runtime = Pick<Task, 'agent' | 'model' | 'effort' | 'isolation' | 'permission' | 'limits' | 'fallback_models'>;

/** The fields that agent and settings fill too. */
function runtimeOf(task: LayeredTask, agent: AgentDefinition, world: BatchWorld): Runtime {
  const said = <K extends keyof TaskDefaults>(key: K) => pick(task.layers, key)?.value;
  return {
    agent: agent.id,
    model: pickModel(task, world)?.value ?? null,
    effort: said('effort') ?? agent.effort ?? null,
    isolation: pickIsolation(task, world).value,
    permission: said('permission') ?? agent.permission ?? world.defaults.permission,
    limits: mergedLimits(task, agent, world),
    fallback_models: pickFallbacks(task).value,
  };
}

type Order = Pick<Task, 'depends_on' | 'depends_on_any_outcome' | 'retry' | 'best_effort'>;

function orderOf({ layers }: LayeredTask): Order {
  return {
    depends_on: [...new Set(pick(layers, 'depends_on')?.value)],
    depends_on_any_outcome: pick(layers, 'depends_on_any_outcome')?.value ?? false,
    retry: pick(layers, 'retry')?.value ?? 0,
    best_effort: pick(layers, 'best_effort')?.value ?? false,
  };
}

/** The task with every field filled in. */
export function resolveTask(task: LayeredTask, agent: AgentDefinition, world: BatchWorld): Task {
  const said = <K extends keyof TaskDefaults>(key: K) => pick(task.layers, key)?.value ?? null;
  return {
    ...runtimeOf(task, agent, world),
    ...orderOf(task),
    id: task.own.id ?? null,
    goal: task.own.goal ?? '',
    label: said('label'),
    context: said('context'),
    output_schema: said('output_schema'),
    acceptance: said('acceptance'),
    images: said('images') ?? [],
    files: said('files') ?? [],
    tools: said('tools'),
    base_ref: said('base_ref'),
  };
}
