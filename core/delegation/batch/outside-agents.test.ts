import { expect, it } from 'vitest';
import type { AgentDefinition } from '../../protocol/agents.ts';
import type { BatchWorld } from './batch-world.ts';
import { parseBatch } from './parse-batch.ts';
import { validateBatch } from './validate-batch.ts';

const AGENTS: readonly AgentDefinition[] = [
  { id: 'outside', runner: 'acp', command: 'outside-agent', description: '', source: 'settings' },
  { id: 'claude-agent-acp', runner: 'acp', adapter: 'claude-agent-acp', description: '', source: 'builtin' },
  { id: 'odd', runner: 'acp', adapter: 'nobody', description: '', source: 'settings' },
  { id: 'bare', runner: 'acp', description: '', source: 'settings' },
];

const WORLD: BatchWorld = {
  agents: new Map(AGENTS.map((agent) => [agent.id, agent])),
  isKnownModel: () => false,
  knownModels: [],
  knownTools: ['read', 'bash'],
  canPrice: () => false,
  defaults: { agent: 'outside', model: null, permission: 'ask', isolation: 'none' },
};

const GOAL = 'Fix the date parser';

async function problems(batch: object, more: Partial<BatchWorld> = {}) {
  const raw = parseBatch({ text: JSON.stringify(batch) });
  if (!raw.ok) throw new Error(JSON.stringify(raw.error));
  const result = await validateBatch(raw.value.batch, { ...WORLD, ...more });
  return result.ok ? [] : result.error;
}

const fieldsOf = async (...parts: Parameters<typeof problems>) =>
  (await problems(...parts)).map(({ task_index, field }) => [task_index, field]);

it('S3, R11, case 50: what the profile of an agent can neither enforce nor watch is refused beforehand', async () => {
  const limits = { max_turns: 3, max_tool_calls: 3, timeout_seconds: 9, max_cost_usd: 1 };
  const tasks = ['outside', 'claude-agent-acp'].map((agent) => ({ goal: GOAL, agent, tools: ['read'], limits }));
  expect(await fieldsOf(tasks)).toEqual([
    [0, 'limits.max_cost_usd'],
    [0, 'tools'],
  ]);
  expect(await problems(tasks.map((task) => ({ ...task, best_effort: true })))).toEqual([]);
});

it('S1, S3: an unknown tool is refused for an agent outside of us as for the loop, before anything starts', async () => {
  const tasks = ['outside', 'claude-agent-acp'].map((agent) => ({
    goal: GOAL,
    agent,
    tools: ['raed'],
    best_effort: true,
  }));
  expect(await fieldsOf(tasks)).toEqual([
    [0, 'tools'],
    [1, 'tools'],
  ]);
});

it('R5: a limit of money around an agent that does not tell its cost is refused', async () => {
  expect(await fieldsOf([GOAL], { moneyLimits: ['limits.dayCostUsd'] })).toEqual([[null, 'limits.dayCostUsd']]);
});

it('R11: an agent that neither a profile nor a command says how to start is refused', async () => {
  const found = await problems(['odd', 'bare'].map((agent) => ({ goal: GOAL, agent })));
  expect(found.map(({ message }) => message)).toEqual([
    expect.stringContaining('the adapter "nobody"'),
    expect.stringContaining('which program the agent "bare" is'),
  ]);
});
