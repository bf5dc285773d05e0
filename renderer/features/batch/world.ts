import type { AgentDefinition } from '../../../core/protocol/agents.ts';
import type { Permission, RunLimits } from '../../../core/protocol/settings.ts';
import type { TaskFields } from './draft.ts';
import { numberIn, objectOf, textOf } from './task-fields.ts';

/** A model that can be named. */
export interface KnownModel {
  readonly ref: string;
  readonly priced: boolean;
  readonly has_key: boolean;
}

/** What the editor knows beside the batch. */
export interface World {
  readonly agents: readonly (AgentDefinition & { readonly installed?: boolean | null })[];
  readonly models: readonly KnownModel[];
  readonly defaultAgent: string;
  readonly defaultModel: string | null;
  readonly permission: Permission;
  /** Runs of one set that may be at work at once. */
  readonly perSet: number;
  /** Runs of the app at work, and how many may be. */
  readonly atWork: number;
  readonly places: number;
  /** USD that the app may still spend today; null without such a limit. */
  readonly leftUsd: number | null;
}

/** What a task will run with, as far as it can be said before the core has looked at it. */
export interface Effective {
  readonly agent: string;
  /** Null when there is no such agent. */
  readonly definition: AgentDefinition | null;
  readonly command: boolean;
  /** Null: the agent's own choice, or none. */
  readonly model: string | null;
  readonly limits: TaskFields;
  readonly retry: number;
  /** What holds when the task itself says nothing. */
  readonly isolation: string;
  /** Nothing keeps it from changing files of the project itself. A program may do anything. */
  readonly mayWrite: boolean;
}

const firstText = (...texts: (string | null | undefined)[]): string | null =>
  texts.find((text) => text !== undefined && text !== null && text !== '') ?? null;

function modelOf(
  task: TaskFields,
  defaults: TaskFields,
  definition: AgentDefinition | null,
  world: World,
): string | null {
  if (definition?.runner === 'command') return null;
  const ofSettings = definition?.runner === 'builtin' ? world.defaultModel : null;
  return firstText(textOf(task, 'model'), textOf(defaults, 'model'), definition?.model, ofSettings);
}

function mayWrite(task: TaskFields, defaults: TaskFields, definition: AgentDefinition | null, world: World): boolean {
  const isolation = firstText(textOf(task, 'isolation'), textOf(defaults, 'isolation'), definition?.isolation);
  if (isolation === 'worktree') return false;
  const permission = firstText(textOf(task, 'permission'), textOf(defaults, 'permission'), definition?.permission);
  return definition?.runner === 'command' || (permission ?? world.permission) !== 'plan';
}

/** The task's own fields over the batch's defaults over the agent's (S5). */
export function effective(task: TaskFields, head: TaskFields, world: World): Effective {
  const defaults = objectOf(head, 'defaults');
  const agent = firstText(textOf(task, 'agent'), textOf(defaults, 'agent')) ?? world.defaultAgent;
  const definition = world.agents.find(({ id }) => id === agent) ?? null;
  const limits: RunLimits = definition?.limits ?? {};
  return {
    agent,
    definition,
    command: definition?.runner === 'command',
    model: modelOf(task, defaults, definition, world),
    limits: { ...limits, ...objectOf(defaults, 'limits'), ...objectOf(task, 'limits') },
    retry: numberIn(task, 'retry') ?? numberIn(defaults, 'retry') ?? 0,
    isolation: firstText(textOf(defaults, 'isolation'), definition?.isolation) ?? 'none',
    mayWrite: mayWrite(task, defaults, definition, world),
  };
}
