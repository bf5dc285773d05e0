import { describe, expect, test } from 'vitest';
import { parseBatch, parseBatchValue, type BatchText } from './parse-batch.ts';
import { smallestBatch } from './smallest-batch.ts';

function read(text: string | Uint8Array, more: Omit<BatchText, 'text'> = {}) {
  const parsed = parseBatch({ text, ...more });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
}

function problems(text: string | Uint8Array, more: Omit<BatchText, 'text'> = {}) {
  const parsed = parseBatch({ text, ...more });
  return parsed.ok ? [] : parsed.error;
}

const tasksOf = (text: string, more: Omit<BatchText, 'text'> = {}) => read(text, more).batch.tasks;

describe('all forms (S2)', () => {
  const goals = ['Fix the date parser', 'Write tests for "utils", all of them', 'Überprüfe die 文档 👩‍🚒 #3'];
  const expected = goals.map((goal) => ({ goal }));
  const forms = {
    'b.json': JSON.stringify({ version: 1, tasks: expected }),
    'bare.json': JSON.stringify(goals),
    'b.yaml': `version: 1\ntasks:\n${goals.map((goal) => `  - goal: ${JSON.stringify(goal)}`).join('\n')}\n`,
    'bare.yml': goals.map((goal) => `- ${JSON.stringify(goal)}`).join('\n'),
    'b.md': goals.map((goal) => `- ${goal}`).join('\n'),
    'boxes.markdown': goals.map((goal) => `* [ ] ${goal}`).join('\n'),
    'numbers.md': goals.map((goal, i) => `${i + 1}. ${goal}`).join('\n'),
    'b.csv': `goal\n${goals.map((goal) => `"${goal.replaceAll('"', '""')}"`).join('\n')}\n`,
    'b.tsv': `goal\tlabel\n${goals.map((goal) => `${goal}\t`).join('\n')}\n`,
    'b.txt': `# a comment\n\n${goals.join('\n')}\n`,
  };

  test.each(Object.entries(forms))('case 8: %s gives the same tasks', (name, text) => {
    expect(tasksOf(text, { name })).toEqual(expected);
  });

  test.each(Object.entries(forms))('case 8: %s as pasted text, with BOM and CRLF, gives the same tasks', (_, text) => {
    expect(tasksOf(`\ufeff${text.replaceAll('\n', '\r\n')}`)).toEqual(expected);
  });

  test.each(Object.entries(forms))('case 8: %s as UTF-8 bytes and as UTF-16 gives the same tasks', (_, text) => {
    expect(read(new TextEncoder().encode(text)).batch.tasks).toEqual(expected);
    expect(read(Buffer.from(`\ufeff${text}`, 'utf16le')).batch.tasks).toEqual(expected);
  });

  test('S2: the form that the caller names wins over the file name, and that over the text', () => {
    expect(read('["Fix the tests"]', { form: 'text', name: 'a.json' }).form).toBe('text');
    expect(read('- Fix the tests', { name: 'a.txt' }).batch.tasks).toEqual([{ goal: '- Fix the tests' }]);
    expect(read('- Fix the tests', { name: 'notes.xyz' }).form).toBe('markdown');
  });
});

describe('whatever is dropped (case 8)', () => {
  test('case 8: an empty file, and one of white space, show the smallest batch', () => {
    for (const text of ['', ' \n\t', '\ufeff']) {
      expect(problems(text)).toHaveLength(1);
      expect(problems(text)[0]?.fix).toContain(smallestBatch);
    }
  });

  test('case 8: a NUL byte is one clear error that names the line', () => {
    expect(problems('- one task\n- two\0tasks')).toMatchObject([
      { message: expect.stringContaining('NUL character in line 2') },
    ]);
  });

  test('case 8: a binary file is one clear error, whatever its name', () => {
    const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0xfe, 0x80]);
    for (const name of ['a.json', 'a.md', 'a.csv', 'a.png', undefined]) {
      expect(problems(png, { name })).toMatchObject([{ message: expect.stringContaining('not a text file') }]);
    }
  });

  test('case 8: 2 MB in each form are read', () => {
    const goals = Array.from({ length: 1000 }, (_, i) => `Task ${i}: ${'do it well '.repeat(190)}`.trim());
    const texts: [string, string][] = [
      ['a.json', JSON.stringify(goals)],
      ['a.yaml', goals.map((goal) => `- ${JSON.stringify(goal)}`).join('\n')],
      ['a.md', goals.map((goal) => `- ${goal}`).join('\n')],
      ['a.csv', `goal\n${goals.map((goal) => `"${goal}"`).join('\n')}`],
      ['a.txt', goals.join('\n')],
    ];
    for (const [name, text] of texts) {
      expect(text.length).toBeGreaterThan(2_000_000);
      expect(tasksOf(text, { name })).toHaveLength(1000);
    }
  });

  test('S5: more than 16 MiB is one error', () => {
    expect(problems('a'.repeat(16 * 1024 * 1024 + 1))).toMatchObject([{ message: expect.stringContaining('16 MiB') }]);
    expect(problems(new Uint8Array(16 * 1024 * 1024 + 1))).toHaveLength(1);
  });

  test.each([
    ['json', '['.repeat(500_000)],
    ['yaml', '['.repeat(20_000)],
    ['yaml', '- '.repeat(20_000)],
  ] as const)('case 8: absurd nesting in %s is an error, never a crash', (form, text) => {
    expect(problems(text, { form }).length).toBeGreaterThan(0);
  });

  test.each(['['.repeat(20_000), 'tasks: ' + '{a: '.repeat(20_000), '- '.repeat(20_000)])(
    'case 8: nesting beyond reason in YAML is one error in plain words: %#',
    (text) => {
      expect(problems(text, { form: 'yaml' })).toMatchObject([{ message: expect.stringMatching(/nested too deeply/) }]);
    },
  );
});

describe('JSON and values (S2)', () => {
  test.each([
    ['{"tasks":["Fix the tests"],"tasks":["Write the docs"]}', 'tasks', 28],
    ['{"tasks":[{"goal":"Fix the tests","label":"a"},{"goal":"Fix it","g\\u006fal":"Other"}]}', 'goal', 65],
    ['{"tasks":"[{\\"goal\\":\\"Fix it\\",\\"goal\\":\\"Other\\"}]"}', 'goal', 19],
  ])(
    'S2, S1: a key that is there twice in JSON is refused as in YAML: nothing is left out unnoticed: %#',
    (text, key, column) => {
      const message = expect.stringContaining(`the key ${key} is there twice`) as string;
      expect(problems(text)).toMatchObject([{ message, pointer: `line 1, column ${String(column)}` }]);
    },
  );

  test('case 5: tasks as a JSON string is parsed', () => {
    const parsed = parseBatchValue({ tasks: '[{"goal":"Fix the tests"},"Write the docs"]', wait: true });
    expect(parsed).toMatchObject({
      ok: true,
      value: { batch: { wait: true, tasks: [{ goal: 'Fix the tests' }, { goal: 'Write the docs' }] } },
    });
  });

  test('case 5: "[oops" is a parse error with its position', () => {
    const parsed = parseBatchValue({ tasks: '[oops' });
    expect(parsed).toMatchObject({ ok: false, error: [{ field: 'tasks', pointer: 'line 1, column 2' }] });
    expect(problems('[oops')).toMatchObject([{ pointer: 'line 1, column 2' }]);
  });

  test('case 5: {} for tasks is a type error', () => {
    for (const tasks of [{}, '{}', 3, true]) {
      const parsed = parseBatchValue({ tasks });
      expect(parsed).toMatchObject({
        ok: false,
        error: [{ message: expect.stringContaining('must be a list of tasks, not') }],
      });
    }
  });

  test('case 5: [] with a goal is one task, with the fields beside it', () => {
    const parsed = parseBatchValue({ tasks: [], goal: 'Fix the tests', context: 'all', title: 'T', wait: false });
    expect(parsed).toEqual({
      ok: true,
      value: {
        batch: { title: 'T', wait: false, tasks: [{ goal: 'Fix the tests', context: 'all' }] },
        form: 'json',
        skipped: 0,
        title: 'T',
      },
    });
  });

  test('case 3: the single form takes a goal of any length', () => {
    expect(parseBatchValue({ goal: 'test' })).toMatchObject({
      ok: true,
      value: { batch: { tasks: [{ goal: 'test' }] } },
    });
  });

  test.each([
    [[]],
    [{}],
    [{ tasks: [] }],
    [{ tasks: [], goal: ' ' }],
    [null],
    [undefined],
    [7],
    ['[]'],
    [{ tasks: '[]' }],
  ])('case 5: %j shows the smallest valid batch', (value) => {
    const parsed = parseBatchValue(value);
    expect(parsed).toMatchObject({ ok: false, error: [{ fix: expect.stringContaining(smallestBatch) }] });
  });

  test('S2: the batch that is shown as the smallest is one', () => {
    expect(tasksOf(smallestBatch)).toHaveLength(1);
  });

  test.each([
    ['{"tasks": [1,]}', 'line 1, column 14', 'a value'],
    ['{"tasks": [1] "a"}', 'line 1, column 15', 'a "," or'],
    ['{"tasks"; 1}', 'line 1, column 9', 'a ":"'],
    ['{\n  tasks: []}', 'line 2, column 3', 'a name in double quotes or "}"'],
    ['["a",\n "b\n"]', 'line 2, column 4', 'the rest of a text'],
    ['["\\x"]', 'line 1, column 3', 'the rest of a text'],
    ['{"a": tru}', 'line 1, column 7', 'a value'],
    ['["a"] x', 'line 1, column 7', 'the end of the text'],
    ['[01]', 'line 1, column 3', 'a "," or'],
  ])('S2: %j → mistake at %s', (text, place, expected) => {
    const [problem] = problems(text, { form: 'json' });
    expect(problem?.pointer).toBe(place);
    expect(problem?.message).toContain(expected);
  });

  test('S2: text that only begins with a bracket is a goal', () => {
    expect(tasksOf('[ui] Fix the button')).toEqual([{ goal: '[ui] Fix the button' }]);
  });

  test('S2: a key called __proto__ stays a key', () => {
    const { tasks } = read('[{"goal":"Fix the tests","__proto__":{"agent":"x"}}]').batch;
    expect(Object.keys(tasks[0] as object)).toEqual(['goal', '__proto__']);
  });
});

describe('YAML (S2)', () => {
  test('S2: fields, block text and aliases are read', () => {
    const text =
      'title: T\ndefaults: &d {agent: explorer}\ntasks:\n  - goal: >\n      Fix the\n      tests\n    limits: {max_turns: 3}\n';
    expect(read(text)).toMatchObject({
      form: 'yaml',
      title: 'T',
      batch: { defaults: { agent: 'explorer' }, tasks: [{ goal: 'Fix the tests\n', limits: { max_turns: 3 } }] },
    });
  });

  test('S2: mistakes name line and column', () => {
    expect(problems('tasks:\n  - goal: "abc\n', { form: 'yaml' })[0]?.pointer).toMatch(/^line \d+, column \d+$/);
  });

  test('S2: a key that is there twice is refused with its place', () => {
    expect(problems('tasks:\n  - goal: one thing\n    goal: another\n')).toMatchObject([
      { pointer: 'line 3, column 5', message: expect.stringContaining('the key goal is there twice') },
    ]);
  });

  test('S2: aliases that multiply without bound are refused', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...['b', 'c', 'd', 'e'].map((key, i) => {
        const before = 'abcd'[i];
        return `${key}: &${key} [${Array(9).fill(`*${before}`).join(',')}]`;
      }),
    ].join('\n');
    expect(problems(bomb, { form: 'yaml' })).toMatchObject([{ message: expect.stringContaining('aliases') }]);
  });

  test('S2: own tags, several documents and keys that are no text are refused', () => {
    for (const text of ['tasks: !foo [a]', 'tasks: [a]\n---\ntasks: [b]', '? [1, 2]\n: 3']) {
      expect(problems(text, { form: 'yaml' }).length).toBeGreaterThan(0);
    }
  });

  test('S2: a file of very many keys is checked in linear time', () => {
    const text = Array.from({ length: 60_000 }, (_, i) => `k${i}: 1`).join('\n');
    expect(problems(text, { form: 'yaml' })).toMatchObject([{ field: 'tasks' }]);
  });
});

describe('Markdown (S2)', () => {
  test('S2: title, prose, items with context, ticked items, code', () => {
    const text = [
      '# Release work',
      '',
      'Keep the *public* API.',
      '',
      '- [ ] Fix the date parser',
      '  It fails for 29 February.',
      '  - see `src/date.ts`',
      '',
      '      indented code',
      '- [x] Done already',
      '  with its context',
      '1. Write the docs',
      '',
      '```sh',
      '- not a task',
      '```',
      '## Notes',
      'Be quick.',
    ].join('\n');
    const prose = 'Keep the *public* API.\n\n```sh\n- not a task\n```\n## Notes\nBe quick.';
    expect(read(text)).toEqual({
      form: 'markdown',
      title: 'Release work',
      skipped: 1,
      batch: {
        title: 'Release work',
        tasks: [
          {
            goal: 'Fix the date parser',
            context: `${prose}\n\nIt fails for 29 February.\n- see \`src/date.ts\`\n\n    indented code`,
          },
          { goal: 'Write the docs', context: prose },
        ],
      },
    });
  });

  test('S2: an underlined first line is the title, a rule is nothing', () => {
    expect(read('Title here\n==========\n\n---\n- Fix the tests\n---\n', { form: 'markdown' })).toMatchObject({
      title: 'Title here',
      batch: { tasks: [{ goal: 'Fix the tests' }] },
    });
  });

  test('S2: a list that is indented as a whole is a list', () => {
    expect(tasksOf('  - Fix the tests\n    - detail\n  - Write the docs', { form: 'markdown' })).toEqual([
      { goal: 'Fix the tests', context: '- detail' },
      { goal: 'Write the docs' },
    ]);
  });

  test('S2: when every item is ticked, the error says so', () => {
    expect(problems('- [x] one\n- [X] two')).toMatchObject([{ message: expect.stringContaining('(2) are ticked') }]);
  });

  test('S2: an item without text is a task with a blank goal, which validation refuses', () => {
    expect(tasksOf('- one thing\n-\n- [ ]', { form: 'markdown' })).toEqual([
      { goal: 'one thing' },
      { goal: '' },
      { goal: '' },
    ]);
  });
});

describe('CSV and TSV (S2)', () => {
  test('S2: known columns are fields of their kind', () => {
    const text = [
      'ID,Goal,context,limits.max_turns,timeout_seconds,tools,depends_on,best_effort,retry,output_schema',
      'a,"Fix, then ""test"" it","two\nlines",3,1.5,"read;grep",,yes,2,"{""type"":""object""}"',
      'b,Write the docs,,,,[],a,,,',
    ].join('\n');
    expect(tasksOf(text, { name: 'a.csv' })).toEqual([
      {
        id: 'a',
        goal: 'Fix, then "test" it',
        context: 'two\nlines',
        limits: { max_turns: 3, timeout_seconds: 1.5 },
        tools: ['read', 'grep'],
        best_effort: true,
        retry: 2,
        output_schema: { type: 'object' },
      },
      { id: 'b', goal: 'Write the docs', tools: [], depends_on: ['a'] },
    ]);
  });

  test('S2: semicolons and tabs in a .csv file are understood', () => {
    expect(tasksOf('goal;agent\nFix the tests;explorer\n', { name: 'a.csv' })).toEqual([
      { goal: 'Fix the tests', agent: 'explorer' },
    ]);
    expect(tasksOf('goal\tagent\nFix the "big" tests\texplorer\n', { name: 'a.csv' })).toEqual([
      { goal: 'Fix the "big" tests', agent: 'explorer' },
    ]);
  });

  test.each([
    ['goal\n"never closed\nand on', 'line 2', 'never closed'],
    ['goal\na "quote" within', 'line 2', 'quote within a field'],
    ['goal\n"a\nb"x', 'line 3', 'follows a closing quote'],
    ['goal,agent\n"two\nlines",general\nonly one', 'line 4', '1 field, the header has 2'],
    ['goal\nFix a, b and c', 'line 2', '2 fields, the header has 1'],
  ])('S2: %j → %s: %s', (text, pointer, words) => {
    expect(problems(text, { name: 'a.csv' })).toMatchObject([{ pointer, message: expect.stringContaining(words) }]);
  });

  test('case 7: an unknown column is refused with "did you mean"', () => {
    expect(problems('goal,agnet\na,b', { name: 'a.csv' })).toMatchObject([{ field: 'agnet', suggestion: 'agent' }]);
  });

  test('S2: a table without the column goal is refused', () => {
    expect(problems('what,agent\na,b', { name: 'a.csv' }).map(({ field }) => field)).toEqual(['what', 'goal']);
  });

  test('S2: a header without rows has no task', () => {
    expect(problems('goal,agent\n', { name: 'a.csv' })).toMatchObject([
      { fix: expect.stringContaining(smallestBatch) },
    ]);
  });

  test('S2: a cell that does not fit its field is left for validation to refuse', () => {
    expect(tasksOf('goal,retry,output_schema\nFix the tests,many,{', { name: 'a.csv' })).toEqual([
      { goal: 'Fix the tests', retry: 'many', output_schema: '{' },
    ]);
  });
});
