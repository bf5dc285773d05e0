import { describe, expect, test } from 'vitest';
import type { AgentDefinition } from '../../protocol/agents.ts';
import type { BatchProblem } from '../../protocol/errors.ts';
import type { BatchWorld } from './batch-world.ts';
import { parseBatchValue } from './parse-batch.ts';
import { validateBatch } from './validate-batch.ts';

const agent = (id: string, more: Partial<AgentDefinition> = {}): AgentDefinition => ({
  id,
  description: '',
  source: 'builtin',
  runner: 'command',
  ...more,
});

const world: BatchWorld = {
  agents: new Map([['general', agent('general')]]),
  isKnownModel: () => true,
  knownModels: [],
  knownTools: [],
  canPrice: () => true,
  defaults: { agent: 'general', model: null, permission: 'ask', isolation: 'none' },
};

const GOOD = 'Fix the date parser';

async function problems(batch: object, more: Partial<BatchWorld> = {}): Promise<BatchProblem[]> {
  const raw = parseBatchValue(batch);
  if (!raw.ok) throw new Error(JSON.stringify(raw.error));
  const result = await validateBatch(raw.value.batch, { ...world, ...more });
  return result.ok ? [] : result.error;
}

const fieldsOf = async (batch: object, more: Partial<BatchWorld> = {}) =>
  (await problems(batch, more)).map(({ task_index, field }) => [task_index, field]);

describe('isolation that cannot be had (W2)', () => {
  const obstacle = { isolationObstacle: () => Promise.resolve('There is no git here. Install git.') };

  test('case 46, W2: a task that asks for a worktree is refused where none can be made, and told the way out', async () => {
    const [problem, ...others] = await problems(
      [{ goal: GOOD }, { goal: 'Mend the parser', isolation: 'worktree' }],
      obstacle,
    );
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ task_index: 1, field: 'isolation' });
    expect(problem?.message).toContain('There is no git here. Install git.');
    expect(problem?.fix).toContain('"isolation": "none"');
  });

  test('W2: who else asks for it is named: agent, defaults, settings', async () => {
    const agents = new Map([...world.agents, ['apart', agent('apart', { isolation: 'worktree' })]]);
    expect(await fieldsOf([{ goal: GOOD, agent: 'apart' }], { ...obstacle, agents })).toEqual([
      [null, 'agents.apart.isolation'],
    ]);
    expect(await fieldsOf({ tasks: [GOOD], defaults: { isolation: 'worktree' } }, obstacle)).toEqual([
      [null, 'defaults.isolation'],
    ]);
    const defaults = { ...world.defaults, isolation: 'worktree' as const };
    expect(await fieldsOf([GOOD], { ...obstacle, defaults })).toEqual([[null, 'isolation']]);
    expect(await fieldsOf([{ goal: GOOD, isolation: 'none' }], { ...obstacle, defaults })).toEqual([]);
  });

  test('W2: nobody looks for git when no task wants a worktree', async () => {
    const isolationObstacle = () => Promise.reject(new Error('looked'));
    expect(await problems([{ goal: GOOD }], { isolationObstacle })).toEqual([]);
  });
});
