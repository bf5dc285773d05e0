import { describe, expect, test } from 'vitest';
import { GOOD, fieldsOf, problems, valid } from '../../testing/batch-check.ts';

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
