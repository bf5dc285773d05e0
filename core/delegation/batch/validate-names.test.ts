import { describe, expect, test } from 'vitest';
import { GOOD, batchWorld, fieldsOf, problems, valid } from '../../testing/batch-check.ts';

describe('names (S3)', () => {
  test('case 7: an unknown key is refused with "did you mean"', async () => {
    const found = await problems([{ goall: GOOD }]);
    expect(found).toMatchObject([
      { field: 'goal', message: 'Task 1: the goal is missing.' },
      { task_index: 0, field: 'goall', suggestion: 'goal', message: expect.stringContaining('did you mean "goal"') },
    ]);
  });

  test('case 7: an unknown agent is refused with "did you mean"', async () => {
    expect(await problems([{ goal: GOOD, agent: 'explorr' }])).toMatchObject([
      {
        task_index: 0,
        field: 'agent',
        suggestion: 'explorer',
        message: expect.stringContaining('did you mean "explorer"'),
      },
    ]);
  });

  test('S3: one that the defaults or the options name is refused also where every task names another, once', async () => {
    const tasks = [{ goal: GOOD, agent: 'explorer' }, { goal: `${GOOD} too` }];
    const own = tasks.map((task) => ({ ...task, agent: 'explorer' }));
    expect(await problems({ defaults: { agent: 'explorr' }, tasks: own })).toMatchObject([
      { task_index: null, field: 'defaults.agent', suggestion: 'explorer' },
    ]);
    const found = await problems({ tasks: own }, { options: { agent: 'explorr' } });
    expect(found).toMatchObject([{ message: expect.stringMatching(/^The options: .*"explorr"/) }]);
    expect(await problems({ defaults: { agent: 'explorr' }, tasks })).toHaveLength(1);
  });

  test.each([
    ['model', { model: 'acme/larg' }, 'acme/large', 'model'],
    ['fallback model', { fallback_models: ['acme/samll'] }, 'acme/small', 'fallback_models'],
    ['tool', { tools: ['read', 'gerp'] }, 'grep', 'tools'],
    ['limit', { limits: { max_turn: 3 } }, 'max_turns', 'limits.max_turn'],
    ['permission', { permission: 'aks' }, 'ask', 'permission'],
    ['key of acceptance', { acceptance: { verify: [{ comand: 'true' }] } }, 'command', 'acceptance.verify.0.comand'],
  ])('S3: an unknown %s is refused with "did you mean"', async (_, fields, suggestion, field) => {
    expect(await problems([{ goal: GOOD, ...fields }])).toContainEqual(
      expect.objectContaining({ task_index: 0, suggestion, field }),
    );
  });

  test('S3: other words for our fields, and keys in the wrong place, are put right', async () => {
    const found = await problems({ agent: 'general', tasks: [{ prompt: GOOD, max_turns: 3, wait: true }] });
    expect(Object.fromEntries(found.map(({ field, fix }) => [field, fix]))).toMatchObject({
      agent: 'Put it into "defaults" or a task.',
      prompt: 'Call it "goal".',
      max_turns: 'Call it "limits.max_turns".',
      wait: 'Put it at the top of the batch.',
    });
  });

  test('S3: models of an external agent are its own affair; its tools have our names', async () => {
    const task = {
      goal: GOOD,
      agent: 'outside',
      model: 'opus',
      tools: ['read', 'mcp__files__list'],
      best_effort: true,
    };
    expect((await valid([task])).tasks[0]).toMatchObject({ model: 'opus', tools: ['read', 'mcp__files__list'] });
    const unknown = { field: 'tools', suggestion: 'grep' };
    expect(await problems([{ ...task, tools: ['gerp'] }])).toEqual([expect.objectContaining(unknown)]);
  });

  test('S3: built-in tasks without any model are refused, once for all of them', async () => {
    const defaults = { ...batchWorld.defaults, model: null };
    expect(await fieldsOf([GOOD, GOOD, GOOD], { defaults })).toEqual([[null, 'defaultModel']]);
    expect(
      await problems(
        [
          { goal: 'true', agent: 'command' },
          { goal: GOOD, agent: 'explorer' },
        ],
        { defaults },
      ),
    ).toEqual([]);
  });

  test('S3: __proto__ and other names of objects are unknown keys, not known ones', async () => {
    const batch = JSON.parse(`[{"goal":"${GOOD}","__proto__":{"x":1},"constructor":1,"toString":2}]`) as object;
    expect((await problems(batch)).map(({ field }) => field)).toEqual(['__proto__', 'constructor', 'toString']);
  });

  test('S3: thousands of unknown keys are not all listed', async () => {
    const task = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, 1]));
    expect((await problems([{ goal: GOOD, ...task }])).length).toBe(21);
  });
});
