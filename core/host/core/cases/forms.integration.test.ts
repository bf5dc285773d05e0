import { expect, test } from 'vitest';
import { value } from '../../../testing/core-lab.ts';
import { ModelLab } from '../../../testing/model-lab.ts';

const CALLER = { client: 'test' };

const dispatch = async (lab: ModelLab, batch: unknown) => {
  const project_id = await lab.lab.project();
  const input = { project_id, conversation_id: null, batch, client_token: lab.token() };
  return lab.service.batches.dispatch(input, CALLER);
};

const message = (answer: Awaited<ReturnType<typeof dispatch>>): string => (answer.ok ? '' : answer.error.message);

const goalsOf = async (lab: ModelLab, conversation_id: string): Promise<(string | null)[][]> => {
  const { runs } = value(await lab.service.conversations.show({ id: conversation_id }, CALLER));
  return runs.map(({ goal, label, agent }) => [goal, label, agent]);
};

test('case 3: two identical goals both run, as do a short one alone and the single form', async () => {
  await using lab = await ModelLab.open([{ turns: ['Done.'], by: 'requests', repeat_last: true }]);
  const batches: [batch: unknown, runs: number][] = [
    [{ tasks: ['Fix all the tests', 'Fix all the tests'] }, 2],
    [{ tasks: ['Fix tests'] }, 1],
    [{ goal: 'test' }, 1],
  ];
  for (const [batch, runs] of batches) {
    const { totals } = await lab.lab.ended(value(await dispatch(lab, batch)));
    expect(totals).toMatchObject({ completed: runs, failed: 0 });
  }
  expect(lab.model.requests).toHaveLength(4);
});

test('case 5: tasks as a JSON text run; what cannot be read is refused with its place, its type, or the smallest batch', async () => {
  await using lab = await ModelLab.open([{ turns: ['Done.'], repeat_last: true }]);
  const tasks = JSON.stringify([{ goal: 'The first of them' }, { goal: 'The second of them' }]);
  const set = value(await dispatch(lab, { tasks }));
  expect(set.count).toBe(2);
  await lab.lab.ended(set);
  const alone = value(await dispatch(lab, { tasks: [], goal: 'All alone in it' }));
  expect(alone.count).toBe(1);
  await lab.lab.ended(alone);
  const { length } = lab.model.requests;
  expect(message(await dispatch(lab, { tasks: '[oops' }))).toMatch(/line 1.*column \d|position \d/is);
  expect(message(await dispatch(lab, { tasks: {} }))).toMatch(/list|array/i);
  expect(message(await dispatch(lab, []))).toContain('{"tasks": [{"goal":');
  expect(lab.model.requests).toHaveLength(length);
});

test('case 8: one batch in every form makes the same rows, with BOM, CRLF and emoji; 2 MB, NUL bytes, binary and nothing are tasks or one error', async () => {
  await using lab = await ModelLab.open([{ turns: ['Never asked.'] }]);
  value(await lab.runs.pause({ id: null }));
  const [first, second] = ['Fix the login 🔐 page', 'Write docs, "all" of them'];
  const forms: Record<string, string> = {
    'batch.json': JSON.stringify({ version: 1, tasks: [{ goal: first }, { goal: second }] }),
    'batch.yaml': `version: 1\ntasks:\n  - goal: ${first}\n  - goal: 'Write docs, "all" of them'\n`,
    'batch.md': `- [ ] ${first}\n- [ ] ${second}\n- [x] Ticked and done\n`,
    'batch.csv': `goal\n${first}\n"Write docs, ""all"" of them"\n`,
    'batch.txt': `# two tasks\n${first}\n${second}\n`,
  };
  const seen: unknown[] = [];
  for (const [name, text] of Object.entries(forms)) {
    for (const form of [text, `\uFEFF${text.replaceAll('\n', '\r\n')}`]) {
      const { batch } = value(await lab.service.batches.parse({ project_id: null, text: form, name }, CALLER));
      const set = value(await dispatch(lab, batch));
      seen.push(await goalsOf(lab, set.conversation_id));
      await lab.lab.stop(set.conversation_id);
    }
  }
  expect(seen).toHaveLength(10);
  for (const rows of seen) expect(rows).toEqual([first, second].map((goal) => [goal, null, 'general']));
  const large = Array.from({ length: 900 }, (_, n) => `${n} ${'words of a long goal '.repeat(110)}`).join('\n');
  const { batch } = value(await lab.service.batches.parse({ project_id: null, text: large, name: 'big.txt' }, CALLER));
  expect(value(await dispatch(lab, batch)).count).toBe(900);
  for (const text of ['', ' \n', 'Look\0at it now', '\u0000\u0001\ufffd\u0002PNG\ufffd']) {
    const refused = await lab.service.batches.parse({ project_id: null, text, name: 'odd.txt' }, CALLER);
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_batch' } });
  }
  expect(lab.model.requests).toEqual([]);
}, 60_000);

test('case 9: a cycle and an unknown id are refused, and nothing is started', async () => {
  await using lab = await ModelLab.open([{ turns: ['Never asked.'] }]);
  const task = (id: string, ...depends_on: string[]) => ({ id, goal: `Work on the part ${id}`, depends_on });
  expect(message(await dispatch(lab, { tasks: [task('a', 'b'), task('b', 'a')] }))).toMatch(/a.*→.*b|circle|cycle/i);
  expect(message(await dispatch(lab, { tasks: [task('alpha'), task('b', 'alpa')] }))).toMatch(
    /Task 2: depends_on names "alpa".*"alpha"/,
  );
  expect(value(await lab.service.conversations.list({ all: true }, CALLER))).toEqual([]);
});

test('case 26: what a user dispatches takes no places of the fan-out', async () => {
  await using lab = await ModelLab.open([{ turns: ['Never asked.'] }], { limits: { fanOut: 2, fanOutPerTurn: 1 } });
  const set = await lab.lab.dispatch(Array<string>(65).fill('true'), { defaults: { isolation: 'none' } });
  expect(set.count).toBe(65);
  await lab.lab.stop(set.conversation_id);
});
