import { describe, expect, test } from 'vitest';
import { GOOD, fieldsOf, problems } from '../../testing/batch-check.ts';

/** All that an agent can be told to keep, kept. */
const KEPT = {
  max_turns: 'enforced',
  max_tool_calls: 'watched',
  max_cost_usd: 'enforced',
  max_tokens: 'enforced',
  timeout_seconds: 'enforced',
  idle_timeout_seconds: 'enforced',
  tools: 'enforced',
} as const;

describe('limits (S3, S5, R5, R11)', () => {
  test.each([
    ['max_turns', 0, 'above 0'],
    ['max_turns', -3, 'above 0'],
    ['max_turns', 10_001, 'at most 10000'],
    ['max_turns', 1.5, 'a whole number'],
    ['max_tokens', '5', 'a number, not text'],
    ['max_cost_usd', 0, 'above 0'],
    ['timeout_seconds', -1, 'above 0'],
    ['idle_timeout_seconds', 0, 'above 0'],
    ['max_tool_calls', 0, 'above 0'],
  ])('S3: limits.%s of %j is refused', async (key, value, words) => {
    const found = await problems([GOOD, { goal: GOOD, limits: { [key]: value } }]);
    expect(found).toMatchObject([{ task_index: 1, field: `limits.${key}`, message: expect.stringContaining(words) }]);
  });

  test.each([
    [{ max_concurrent: 0 }, 'max_concurrent'],
    [{ max_concurrent: 257 }, 'max_concurrent'],
    [{ tree_limits: { max_cost_usd: -1 } }, 'tree_limits.max_cost_usd'],
    [{ tree_limits: { max_cost: 1 } }, 'tree_limits.max_cost'],
    [{ version: 2 }, 'version'],
    [{ wait: 'yes' }, 'wait'],
    [{ defaults: [] }, 'defaults'],
    [{ defaults: { retry: 6 } }, 'defaults.retry'],
    [{ defaults: { goal: 'x' } }, 'defaults.goal'],
  ])('S3: %j is refused at the batch', async (head, field) => {
    expect(await fieldsOf({ ...head, tasks: [GOOD] })).toEqual([[null, field]]);
  });

  test('S5: 1,000 tasks are accepted, 1,001 are not', async () => {
    expect(await problems(Array(1000).fill(GOOD))).toEqual([]);
    expect(await fieldsOf(Array(1001).fill(GOOD))).toEqual([[null, 'tasks']]);
  });

  test('R5: a money limit on a model of unknown price is refused', async () => {
    const limits = { max_cost_usd: 1 };
    expect(await fieldsOf([{ goal: GOOD, model: 'local/free', limits }])).toEqual([[0, 'limits.max_cost_usd']]);
    expect(await fieldsOf([{ goal: GOOD, fallback_models: ['local/free'], limits }])).toEqual([
      [0, 'limits.max_cost_usd'],
    ]);
    expect(await problems([{ goal: GOOD, limits }])).toEqual([]);
    expect(await problems([{ goal: GOOD, model: 'local/free', limits: { max_tokens: 5 } }])).toEqual([]);
  });

  test('R5: so is one of the whole tree, said once', async () => {
    const batch = { defaults: { model: 'local/free' }, tree_limits: { max_cost_usd: 3 }, tasks: [GOOD, GOOD, GOOD] };
    expect(await fieldsOf(batch)).toEqual([[null, 'tree_limits.max_cost_usd']]);
  });

  test('S3: a limit that the profile of the agent cannot keep is refused, unless best_effort', async () => {
    const unsupported = {
      ...KEPT,
      max_turns: 'unsupported',
      max_cost_usd: 'unsupported',
      max_tokens: 'unsupported',
    } as const;
    const supportOf = () => unsupported;
    const task = {
      goal: GOOD,
      agent: 'outside',
      limits: { max_turns: 3, max_tool_calls: 3, max_tokens: 9 },
      tools: ['read'],
    };
    expect(await fieldsOf([task], { supportOf })).toEqual([
      [0, 'limits.max_turns'],
      [0, 'limits.max_tokens'],
    ]);
    expect(await problems([{ ...task, best_effort: true }], { supportOf })).toEqual([]);
  });

  test('S3: so is a ceiling of the whole tree', async () => {
    const supportOf = () => ({ ...KEPT, max_tokens: 'unsupported' }) as const;
    const batch = { tree_limits: { max_tokens: 9 }, tasks: [{ goal: GOOD, agent: 'outside' }] };
    expect(await fieldsOf(batch, { supportOf })).toEqual([[null, 'tree_limits.max_tokens']]);
  });

  test('S3: a program without a model keeps every limit, but no list of tools', async () => {
    const task = { goal: 'true', agent: 'command', limits: { max_turns: 3, max_cost_usd: 1 } };
    expect(await problems([task])).toEqual([]);
    expect(await fieldsOf([{ ...task, tools: ['read'] }])).toEqual([[0, 'tools']]);
  });
});
