import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CoreLab, value } from '../../testing/core-lab.ts';
import { ModelLab } from '../../testing/model-lab.ts';

const CALLER = { client: 'test' };

test('a set is a batch again: all of it, or what failed with the outputs of the others put in', async () => {
  await using lab = await CoreLab.open();
  const answer = await lab.dispatch(
    [
      { id: 'a', goal: 'echo one', agent: 'command', label: 'First' },
      { id: 'b', goal: 'echo {outputs.a}; exit 3', agent: 'command', depends_on: ['a'] },
      { goal: 'echo {outputs.b}', agent: 'command', depends_on: ['b'] },
    ],
    { title: 'Chain' },
  );
  await lab.ended(answer);
  const { delegation_id } = answer;
  const all = value(await lab.service.history.batch({ delegation_id, only: 'all' }, CALLER)).batch;
  expect(all).toMatchObject({
    title: 'Chain',
    tasks: [
      { id: 'a', goal: 'echo one', label: 'First', agent: 'command' },
      { id: 'b', goal: 'echo {outputs.a}; exit 3', depends_on: ['a'] },
      { goal: 'echo {outputs.b}', depends_on: ['b'] },
    ],
  });
  const failed = value(await lab.service.history.batch({ delegation_id, only: 'failed' }, CALLER)).batch;
  expect(failed).toMatchObject({
    tasks: [
      { id: 'b', goal: expect.stringMatching(/='one'\n.*; exit 3$/s) as string },
      { goal: 'echo {outputs.b}', depends_on: ['b'] },
    ],
  });
  expect((failed as { tasks: object[] }).tasks[0]).not.toHaveProperty('depends_on');
  const input = { project_id: await lab.project(), conversation_id: null, client_token: 'again-1', batch: all };
  const again = value(await lab.service.batches.dispatch(input, CALLER));
  expect((await lab.ended(again)).status).toBe('partial');
});

test('a set without failures has nothing to run again, and an unknown one is not found', async () => {
  await using lab = await CoreLab.open();
  const answer = await lab.dispatch([{ goal: 'true', agent: 'command' }]);
  await lab.ended(answer);
  const { delegation_id } = answer;
  expect(await lab.service.history.batch({ delegation_id, only: 'failed' }, CALLER)).toMatchObject({
    ok: false,
    error: { code: 'not_allowed' },
  });
  const unknown = { delegation_id: 'deleg_00000000', only: 'all' as const };
  expect(await lab.service.history.batch(unknown, CALLER)).toMatchObject({ ok: false });
});

test('the timeline of an ended run has its whole life and nothing open', async () => {
  await using lab = await CoreLab.open();
  const answer = await lab.dispatch([{ goal: 'true', agent: 'command' }]);
  await lab.ended(answer);
  const { spans } = value(await lab.service.history.timeline({ conversation_id: answer.conversation_id }, CALLER));
  const row = await lab.row(answer.run_ids[0] ?? '');
  expect(spans.map(({ state }) => state)).toContain('running');
  expect(spans.every(({ to }) => to !== null)).toBe(true);
  expect(spans.at(-1)?.to).toBe(row.ended_at);
});

test('a review has what was asked, answered and changed; not while runs are at work', async () => {
  await using lab = await CoreLab.open();
  const goal = 'echo changed > file.txt; echo did it; exit 4';
  const answer = await lab.dispatch([{ goal, agent: 'command', isolation: 'worktree' }]);
  const early = await lab.service.history.review({ id: answer.delegation_id }, CALLER);
  expect(early).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
  await lab.ended(answer);
  for (const id of [answer.delegation_id, answer.run_ids[0] ?? '']) {
    const review = value(await lab.service.history.review({ id }, CALLER));
    expect(review.conversation_id).toBe(answer.conversation_id);
    const [task] = (review.batch as { tasks: { goal: string; context: string }[] }).tasks;
    expect(task?.goal).toMatch(/Review/);
    expect(task?.context).toContain(`Asked: ${goal}`);
    expect(task?.context).toContain('did it');
    expect(task?.context).toContain('+changed');
    expect(task?.context).toMatch(/Ended: Failed/);
  }
});

test('templates are kept, replaced only when asked, and removed; names that are no file names are refused', async () => {
  await using lab = await CoreLab.open();
  const { templates } = lab.service;
  const batch = { title: 'Nightly', tasks: ['Check the links of the docs', 'Update the changelog'] };
  value(await templates.save({ name: 'Nightly “checks” 🌙', batch, replace: false }, CALLER));
  expect(value(await templates.list(undefined, CALLER))).toMatchObject([
    { name: 'Nightly “checks” 🌙', title: 'Nightly', tasks: 2 },
  ]);
  const twice = await templates.save({ name: 'Nightly “checks” 🌙', batch, replace: false }, CALLER);
  expect(twice).toMatchObject({ ok: false, error: { code: 'conflict' } });
  value(
    await templates.save({ name: 'Nightly “checks” 🌙', batch: { tasks: ['Only this one'] }, replace: true }, CALLER),
  );
  const loaded = value(await templates.load({ name: 'Nightly “checks” 🌙' }, CALLER));
  expect(loaded.batch).toEqual({ tasks: ['Only this one'] });
  expect(await templates.save({ name: 'x', batch: { tusks: [] }, replace: false }, CALLER)).toMatchObject({
    ok: false,
    error: { code: 'invalid_batch' },
  });
  for (const name of ['../x', '.hidden', 'a/b', 'a\nb']) {
    expect(await templates.load({ name }, CALLER)).toMatchObject({ ok: false, error: { code: 'invalid_input' } });
  }
  value(await templates.remove({ name: 'Nightly “checks” 🌙' }, CALLER));
  expect(value(await templates.list(undefined, CALLER))).toEqual([]);
  expect(await templates.remove({ name: 'Nightly “checks” 🌙' }, CALLER)).toMatchObject({ ok: false });
});

test('files of a project complete: tracked and new ones, not ignored ones; also outside of git', async () => {
  await using lab = await CoreLab.open();
  const project_id = await lab.project();
  const { project } = lab.git;
  mkdirSync(join(project, 'src/deep'), { recursive: true });
  for (const path of ['src/deep/Button.tsx', 'button-notes.md', 'src/ignored.log'])
    writeFileSync(join(project, path), '');
  writeFileSync(join(project, '.gitignore'), '*.log\n');
  const find = async (text: string, limit = 10) =>
    value(await lab.service.folders.find({ project_id, text, limit }, CALLER));
  expect(await find('button')).toEqual({ paths: ['button-notes.md', 'src/deep/Button.tsx'], truncated: false });
  expect((await find('deep tsx')).paths).toEqual(['src/deep/Button.tsx']);
  expect((await find('ignored')).paths).toEqual([]);
  expect(await find('button', 1)).toMatchObject({ truncated: true });

  const plain = join(lab.git.root, 'plain');
  mkdirSync(join(plain, 'node_modules'), { recursive: true });
  writeFileSync(join(plain, 'node_modules/a.js'), '');
  writeFileSync(join(plain, 'a b “c”.txt'), '');
  symlinkSync('/', join(plain, 'root'));
  const other = value(await lab.service.projects.add({ path: plain }, CALLER));
  const found = value(await lab.service.folders.find({ project_id: other.project_id, text: 'a', limit: 10 }, CALLER));
  expect(found.paths).toEqual(['a b “c”.txt']);
  rmSync(plain, { recursive: true });
});

test('R5: what was used is told by day and project, with its price', async () => {
  await using lab = await ModelLab.open([{ turns: ['Done.'] }]);
  const answer = await lab.dispatch(['Say that it is done']);
  const [result] = (await lab.lab.ended(answer)).results;
  const range = { from: '2020-01-01', to: '2099-01-01', project_id: null };
  const { days, problems } = value(await lab.service.usage.days(range, CALLER));
  expect(problems).toEqual([]);
  expect(days).toMatchObject([{ project_id: await lab.lab.project(), unknown: false }]);
  expect(days[0]?.cost_usd).toBeCloseTo(result?.cost_usd ?? -1, 6);
  expect(days[0]?.tokens).toBeGreaterThan(0);
  const earlier = { from: '2020-01-01', to: '2020-01-02', project_id: null };
  expect(value(await lab.service.usage.days(earlier, CALLER)).days).toEqual([]);
});
