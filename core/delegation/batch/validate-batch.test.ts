import { describe, expect, test } from 'vitest';
import type { AgentDefinition } from '../../protocol/agents.ts';
import type { BatchProblem } from '../../protocol/errors.ts';
import type { BatchWorld } from './batch-world.ts';
import { parseBatch } from './parse-batch.ts';
import { validateBatch } from './validate-batch.ts';

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

const MODELS = ['acme/large', 'acme/small', 'local/free'];

const world: BatchWorld = {
  agents: new Map(AGENTS.map((one) => [one.id, one])),
  isKnownModel: (model) => MODELS.includes(model),
  knownModels: MODELS,
  knownTools: ['read', 'write', 'grep', 'bash'],
  canPrice: (model) => model !== 'local/free',
  defaults: { agent: 'general', model: 'acme/large', permission: 'ask', isolation: 'none' },
};

const GOOD = 'Fix the date parser';

async function validate(batch: object, more: Partial<BatchWorld> = {}) {
  const raw = parseBatch({ text: JSON.stringify(batch) });
  if (!raw.ok) throw new Error(JSON.stringify(raw.error));
  return validateBatch(raw.value.batch, { ...world, ...more });
}

async function problems(batch: object, more: Partial<BatchWorld> = {}): Promise<BatchProblem[]> {
  const result = await validate(batch, more);
  return result.ok ? [] : result.error;
}

async function valid(batch: object, more: Partial<BatchWorld> = {}) {
  const result = await validate(batch, more);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

const fieldsOf = async (batch: object, more: Partial<BatchWorld> = {}) =>
  (await problems(batch, more)).map(({ task_index, field }) => [task_index, field]);

describe('goals (S3)', () => {
  test.each(['TODO', 'todo', ' Todo. ', 'Task 123456789', 'task 7', 'TASK #7', 'tbd'])(
    'case 1: [good, %j] refuses the whole batch and names task 2',
    async (goal) => {
      const found = await problems([GOOD, goal]);
      expect(found).toMatchObject([{ task_index: 1, field: 'goal' }]);
      expect(found[0]?.message).toMatch(/^Task 2: the goal is only a placeholder/);
    },
  );

  test.each([
    'Implement <feature_name> in the parser',
    'Summarize {file_path} now',
    'Ship <FEATURE-NAME> by tomorrow',
    'Print the rows for {customer id}',
    'Fill in {{customer_id}} here',
    'Use <größe wert> as it is',
  ])('case 2: %j is refused as a template', async (goal) => {
    const found = await problems([goal]);
    expect(found).toMatchObject([
      { task_index: 0, field: 'goal', message: expect.stringContaining('template marker') },
    ]);
    expect(found[0]?.message).toContain('backticks');
  });

  test.each([
    'Change the type to Vec<T>',
    'Return Result<String> there',
    'Centre the <div> again',
    'Parse {"key": 1} as JSON',
    'Sort src/{a,b}/*.py by name',
    'Rename {i} to {index}',
    'Expand ${FILE_PATH} and ${file name}',
    'Explain `<feature_name>` and ``{file `path}`` to me',
  ])('case 2: %j is accepted', async (goal) => {
    expect(await problems([goal])).toEqual([]);
  });

  test('case 2: a backtick that is never closed hides nothing', async () => {
    expect(await problems(['Explain ` and {file_path}'])).toHaveLength(1);
  });

  test('S3: in a command the way out of a false alarm is no backtick', async () => {
    const [problem] = await problems([{ goal: "awk '{print NR}' a.txt", agent: 'command' }]);
    expect(problem?.fix).toContain('{ print NR }');
    expect(await problems([{ goal: "awk '{ print NR }' a.txt", agent: 'command' }])).toEqual([]);
  });

  test('case 3: two identical goals are accepted', async () => {
    expect((await valid([GOOD, GOOD])).tasks).toHaveLength(2);
  });

  test('case 3: "Fix tests" alone is accepted, beside a second task it is too short', async () => {
    expect(await problems(['Fix tests'])).toEqual([]);
    expect(await fieldsOf([GOOD, 'Fix tests'])).toEqual([[1, 'goal']]);
    expect(await problems([GOOD, 'Fix tests!'])).toEqual([]);
  });

  test('case 3: the single form takes "test"', async () => {
    expect(await problems({ goal: 'test' })).toEqual([]);
  });

  test('S3: the runner command takes short goals', async () => {
    expect(await problems({ defaults: { agent: 'command' }, tasks: ['true', 'ls'] })).toEqual([]);
  });

  test('S3: blank and missing goals are told apart', async () => {
    const found = await problems([{ goal: ' \n' }, { label: 'x' }, { goal: null }]);
    expect(found.map(({ message }) => message)).toEqual([
      'Task 1: the goal is blank.',
      'Task 2: the goal is missing.',
      'Task 3: the goal is missing.',
    ]);
  });

  test('S5: a goal above 32 KiB is refused, also when it has fewer characters', async () => {
    expect(await fieldsOf([`Fix ${'漢'.repeat(11_000)}`])).toEqual([[0, 'goal']]);
    expect(await problems([`Fix ${'漢'.repeat(10_000)}`])).toEqual([]);
  });
});

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
    const defaults = { ...world.defaults, model: null };
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

describe('the whole batch (S1)', () => {
  test('S1: all problems of all tasks come at once, 0-based in the index and 1-based in words', async () => {
    const found = await problems({
      max_concurrent: -1,
      tasks: [
        { goal: 'TODO', agent: 'explorr' },
        GOOD,
        7,
        { goal: '{file_path} is wrong', retry: 9, output_schema: { type: 'strnig' } },
      ],
    });
    expect(found.map(({ task_index, field }) => [task_index, field])).toEqual([
      [null, 'max_concurrent'],
      [0, 'agent'],
      [0, 'goal'],
      [2, null],
      [3, 'retry'],
      [3, 'goal'],
      [3, 'output_schema'],
    ]);
    for (const { task_index, message, fix } of found) {
      expect(message).toMatch(task_index === null ? /^The batch: / : new RegExp(`^Task ${task_index + 1}: `));
      expect(fix).not.toBe('');
    }
  });

  test('S1: what is wrong in the defaults is said once, at the defaults', async () => {
    const batch = { defaults: { agent: 'explorr', tools: ['gerp'], output_schema: { type: 1 } }, tasks: [GOOD, GOOD] };
    expect(await fieldsOf(batch)).toEqual([
      [null, 'defaults.agent'],
      [null, 'defaults.output_schema'],
    ]);
  });

  test('S4: more tasks than may run at once are no problem', async () => {
    expect((await valid({ max_concurrent: 2, tasks: Array(30).fill(GOOD) })).tasks).toHaveLength(30);
  });
});

describe('defaults (S5)', () => {
  test('S5: a task without anything gets every field from settings and agent', async () => {
    expect(await valid([GOOD])).toEqual({
      title: null,
      max_concurrent: null,
      fail_fast: false,
      tree_limits: {},
      wait: null,
      client_token: null,
      tasks: [
        {
          id: null,
          goal: GOOD,
          label: null,
          context: null,
          agent: 'general',
          model: 'acme/large',
          effort: null,
          output_schema: null,
          acceptance: null,
          images: [],
          files: [],
          tools: null,
          isolation: 'none',
          base_ref: null,
          permission: 'ask',
          limits: {},
          depends_on: [],
          depends_on_any_outcome: false,
          retry: 0,
          fallback_models: [],
          best_effort: false,
        },
      ],
    });
  });

  test('S5: the task comes before the defaults, these before the options, these before agent and settings', async () => {
    const batch = {
      defaults: { agent: 'explorer', label: 'all', limits: { max_turns: 9, timeout_seconds: 60 }, tools: ['read'] },
      tasks: [GOOD, { goal: GOOD, agent: 'general', label: 'one', limits: { max_turns: 3 }, tools: [], context: null }],
    };
    const options = {
      label: 'flag',
      isolation: 'worktree' as const,
      limits: { timeout_seconds: 5, max_tool_calls: 7 },
    };
    const { tasks } = await valid(batch, { options });
    expect(tasks[0]).toMatchObject({
      agent: 'explorer',
      model: 'acme/small',
      permission: 'plan',
      label: 'all',
      isolation: 'worktree',
      tools: ['read'],
      limits: { max_turns: 9, timeout_seconds: 60, max_tool_calls: 7, max_tokens: 9000 },
    });
    expect(tasks[1]).toMatchObject({
      agent: 'general',
      model: 'acme/large',
      permission: 'ask',
      label: 'one',
      tools: [],
      context: null,
      limits: { max_turns: 3, timeout_seconds: 60, max_tool_calls: 7 },
    });
  });

  test('S5: a program without a model gets none', async () => {
    expect(
      (await valid({ defaults: { model: 'acme/large' }, tasks: [{ goal: 'true', agent: 'command' }] })).tasks[0]?.model,
    ).toBeNull();
  });
});
