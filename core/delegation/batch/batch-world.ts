import type { AgentDefinition } from '../../protocol/agents.ts';
import type { TaskDefaults } from '../../protocol/batch.ts';
import { profileOf } from '../../protocol/profiles/agent-profiles.ts';
import type { AgentProfile, Enforcement } from '../../protocol/profiles/profile.ts';
import type { Isolation, Permission, RunLimits } from '../../protocol/settings.ts';

/** What the profile of an agent says about limits, and about the ceiling of its tools (R11). */
export type AgentSupport = Readonly<Record<keyof RunLimits | 'tools', Enforcement>>;

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
  /** The profile of an agent; without it what `core/protocol/profiles` says of it. */
  supportOf?(agent: AgentDefinition): AgentSupport;
  /** Why no worktree can be made in the project, with the way out; null when one can. Asked for only when a task wants one (W2). */
  isolationObstacle?(): Promise<string | null>;
  /** The set that the tasks are added to (S8). */
  readonly existing?: { readonly ids: readonly string[]; readonly count: number };
}

const LIMITS = [
  'max_turns',
  'max_tool_calls',
  'max_cost_usd',
  'max_tokens',
  'timeout_seconds',
  'idle_timeout_seconds',
] as const satisfies (keyof RunLimits)[];

const ENFORCED: AgentSupport = {
  max_turns: 'enforced',
  max_tool_calls: 'enforced',
  max_cost_usd: 'enforced',
  max_tokens: 'enforced',
  timeout_seconds: 'enforced',
  idle_timeout_seconds: 'enforced',
  tools: 'enforced',
};

/** What an agent's limits are worth, by its profile or else by its runner. */
export function supportOf(world: BatchWorld, agent: AgentDefinition): AgentSupport {
  if (world.supportOf) return world.supportOf(agent);
  if (agent.runner === 'builtin') return ENFORCED;
  // A program without a model has no turns, calls or cost that could exceed a limit; its tools are its own affair.
  if (agent.runner === 'command') return { ...ENFORCED, tools: 'unsupported' };
  const profile = profileOf(agent);
  // An agent without a profile is told of as a mistake of its own.
  return profile === null ? ENFORCED : profileSupport(profile);
}

function profileSupport({ limits, ceiling }: AgentProfile): AgentSupport {
  const support: Partial<Record<keyof RunLimits, Enforcement>> = {};
  for (const limit of LIMITS) support[limit] = limits[limit].by;
  return { ...ENFORCED, ...support, tools: ceiling.by };
}
