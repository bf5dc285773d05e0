import { BUILTIN_TOOLS } from '../../runners/builtin/tools/builtin-tools.ts';
import type { BatchWorld } from '../../delegation/batch/batch-world.ts';
import type { AgentDefinition } from '../../protocol/agents.ts';
import type { TaskDefaults } from '../../protocol/batch.ts';
import type { DispatchOptions } from '../../protocol/api/dispatch.ts';
import type { NamedModel } from '../../protocol/named-model.ts';
import type { Settings } from '../../protocol/settings.ts';
import type { Price } from '../../protocol/usage.ts';
import { VENDORS } from '../../providers/models/endpoint.ts';
import { resolveModel } from '../../providers/models/resolve.ts';
import { MODEL_TABLE } from '../../providers/models/table.ts';
import { BUILTIN_AGENTS } from './builtin-agents.ts';

/** All tools that a built-in run can have. */
export const TOOL_NAMES: readonly string[] = [
  ...BUILTIN_TOOLS.map(({ name }) => name),
  'delegate_task',
  'report_result',
];

type Environment = Readonly<Record<string, string | undefined>>;

/** Agents that no file defines, the user's own over the built-in ones of the same name. */
export function agentsOf(settings: Settings): ReadonlyMap<string, AgentDefinition> {
  const agents = new Map(BUILTIN_AGENTS.map((agent) => [agent.id, agent]));
  for (const [id, agent] of Object.entries(settings.agents)) {
    agents.set(id, { ...agent, id, description: agent.description ?? `${agent.runner} agent`, source: 'settings' });
  }
  return agents;
}

/** Models that can be named: those of the settings, and those of vendors whose key is there. */
export function modelsOf(settings: Settings, environment: Environment): NamedModel[] {
  const refs = new Set<string>();
  for (const [id, provider] of Object.entries(settings.providers)) {
    for (const model of Object.keys(provider.models ?? {})) refs.add(`${id}/${model}`);
  }
  for (const vendor of Object.keys(VENDORS) as (keyof typeof VENDORS)[]) {
    for (const model of Object.keys(MODEL_TABLE[vendor].models)) refs.add(`${vendor}/${model}`);
  }
  if (settings.defaultModel !== undefined) refs.add(settings.defaultModel);
  return [...refs].map((ref) => {
    const resolved = resolveModel(settings, ref, environment);
    const price = resolved.ok ? resolved.value.price : null;
    return { ref, priced: price !== null, price, has_key: resolved.ok, is_default: ref === settings.defaultModel };
  });
}

/** What the flags of a dispatch fill (cli.md). */
function optionDefaults(options: DispatchOptions | undefined): TaskDefaults {
  if (options === undefined) return {};
  const { agent, model, isolation, permission, timeout_seconds } = options;
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
    ...(isolation === undefined ? {} : { isolation }),
    ...(permission === undefined ? {} : { permission }),
    ...(timeout_seconds === undefined ? {} : { limits: { timeout_seconds } }),
  };
}

/** The price of a model now, or null when it is unknown. */
export function priceOf(settings: Settings, environment: Environment, model: string): Price | null {
  const found = resolveModel(settings, model, environment);
  return found.ok ? found.value.price : null;
}

/** Limits of money that hold for everything that is started (R5). */
function settingsLimits({ limits }: Settings, options: DispatchOptions | undefined): string[] {
  return [
    ...(options?.max_cost_usd === undefined ? [] : ['--max-cost']),
    ...(limits.treeCostUsd === undefined ? [] : ['limits.treeCostUsd']),
    ...(limits.dayCostUsd === undefined ? [] : ['limits.dayCostUsd']),
  ];
}

/** Everything that validation of a batch looks at (S3). `moneyLimits`: those that hold in the tree that it goes into. */
export function batchWorld(
  settings: Settings,
  agents: BatchWorld['agents'],
  environment: Environment,
  options?: DispatchOptions,
  moneyLimits: readonly string[] = [],
): BatchWorld {
  const resolve = (ref: string): ReturnType<typeof resolveModel> => resolveModel(settings, ref, environment);
  return {
    agents,
    isKnownModel: (ref) => {
      const found = resolve(ref);
      return found.ok || found.error.code === 'no_key';
    },
    knownModels: modelsOf(settings, environment).map(({ ref }) => ref),
    knownTools: TOOL_NAMES,
    moneyLimits: [...moneyLimits, ...settingsLimits(settings, options)],
    canPrice: (ref) => {
      const found = resolve(ref);
      return found.ok && found.value.price !== null;
    },
    defaults: {
      agent: settings.defaultAgent,
      model: settings.defaultModel ?? null,
      permission: settings.permission,
      isolation: settings.isolation,
    },
    options: optionDefaults(options),
  };
}
