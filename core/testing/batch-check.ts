import type { AgentDefinition } from '../protocol/agents.ts';
import type { BatchProblem } from '../protocol/errors.ts';
import type { BatchWorld } from '../delegation/batch/batch-world.ts';
import { parseBatch } from '../delegation/batch/parse-batch.ts';
import { validateBatch } from '../delegation/batch/validate-batch.ts';

const agent = (id: string, more: Partial<AgentDefinition> = {}): AgentDefinition => ({
  id,
  description: '',
  source: 'builtin',
  runner: 'builtin',
  ...more,
});

const AGENTS = [
  agent('general'),
  agent('explorer', { model: 'acme/small', permission: 'plan', limits: { max_turns: 40, max_tokens: 9000 } }),
  agent('command', { runner: 'command' }),
  agent('outside', { runner: 'acp', command: 'outside-agent' }),
];

const MODELS = ['acme/large', 'acme/small', 'local/free'];

/** A project with a few agents and models, one of unknown price. */
export const batchWorld: BatchWorld = {
  agents: new Map(AGENTS.map((one) => [one.id, one])),
  isKnownModel: (model) => MODELS.includes(model),
  knownModels: MODELS,
  knownTools: ['read', 'write', 'grep', 'bash'],
  canPrice: (model) => model !== 'local/free',
  defaults: { agent: 'general', model: 'acme/large', permission: 'ask', isolation: 'none' },
};

/** A goal that nothing is wrong with. */
export const GOOD = 'Fix the date parser';

async function validate(batch: object, more: Partial<BatchWorld> = {}) {
  const raw = parseBatch({ text: JSON.stringify(batch) });
  if (!raw.ok) throw new Error(JSON.stringify(raw.error));
  return validateBatch(raw.value.batch, { ...batchWorld, ...more });
}

/** What is wrong with a batch; nothing, when it is valid. */
export async function problems(batch: object, more: Partial<BatchWorld> = {}): Promise<BatchProblem[]> {
  const result = await validate(batch, more);
  return result.ok ? [] : result.error;
}

/** A batch with every field filled in; throws when it is not valid. */
export async function valid(batch: object, more: Partial<BatchWorld> = {}) {
  const result = await validate(batch, more);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** Where it is wrong: the index of the task, or null for the batch, and the field. */
export const fieldsOf = async (batch: object, more: Partial<BatchWorld> = {}) =>
  (await problems(batch, more)).map(({ task_index, field }) => [task_index, field]);
