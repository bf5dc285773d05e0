import type { AgentDefinition } from '../../protocol/agents.ts';
import type { TaskDefaults } from '../../protocol/batch.ts';
import type { Isolation, Permission, RunLimits } from '../../protocol/settings.ts';

/** Who sees to it that a limit is kept (R11). */
export type Enforcement = 'enforced' | 'watched' | 'unsupported';

/** What the profile of an agent says about limits and ceilings (R11). `cost` is money and tokens. */
export interface AgentSupport {
  readonly turns: Enforcement;
  readonly tool_calls: Enforcement;
  readonly tools: Enforcement;
  readonly cost: Enforcement;
}

/** All that validation knows beside the batch. */
export interface BatchWorld {
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  /** True for `<provider id>/<model>` of a configured provider that has the model. Asked for built-in runs only. */
  isKnownModel(model: string): boolean;
  /** For "did you mean". */
  readonly knownModels: readonly string[];
  /** All tools that a built-in run can have, also those of MCP servers. */
  readonly knownTools: readonly string[];
  /** True when the price of a model is known (R5). */
  canPrice(model: string): boolean;
  /** Limits of money beside those of the batch that hold for its tasks, by name: of the settings, of the tree around them (R5). */
  readonly moneyLimits?: readonly string[];
  /** From the settings: what holds where neither task, batch, options nor agent say anything. */
  readonly defaults: {
    readonly agent: string;
    readonly model: string | null;
    readonly permission: Permission;
    readonly isolation: Isolation;
    readonly limits?: RunLimits;
  };
  /** From flags: they fill what neither the task nor the batch's `defaults` say. */
  readonly options?: TaskDefaults;
  /** The profile of an agent; without it the built-in runner enforces all, and others are taken to be watched. */
  supportOf?(agent: AgentDefinition): AgentSupport;
  /** The set that the tasks are added to (S8). */
  readonly existing?: { readonly ids: readonly string[]; readonly count: number };
}

const ENFORCED: AgentSupport = { turns: 'enforced', tool_calls: 'enforced', tools: 'enforced', cost: 'enforced' };
const WATCHED: AgentSupport = { turns: 'watched', tool_calls: 'watched', tools: 'watched', cost: 'watched' };

/** What an agent's limits are worth, by its profile or else by its runner. */
export function supportOf(world: BatchWorld, agent: AgentDefinition): AgentSupport {
  if (world.supportOf) return world.supportOf(agent);
  if (agent.runner === 'builtin') return ENFORCED;
  // A program without a model has no turns, calls or cost that could exceed a limit; its tools are its own affair.
  return agent.runner === 'command' ? { ...ENFORCED, tools: 'unsupported' } : WATCHED;
}
