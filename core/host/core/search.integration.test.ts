import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CoreLab, value } from '../../testing/core-lab.ts';
import { databaseOf } from './projects.ts';

const CALLER = { client: 'test' };

async function find(lab: CoreLab, text: string, more: object = {}) {
  return value(await lab.service.search.find({ text, project_id: null, limit: 50, ...more }, CALLER));
}

test('goals, results and ended transcripts are found by their words, with the line of the hit', async () => {
  await using lab = await CoreLab.open();
  const result = await lab.run({ goal: 'printf "one\\ntwo Zebra three\\n"', label: 'Stripes for the Äpfel' });
  const { hits, more, problems } = await find(lab, 'zebra');
  expect({ more, problems }).toEqual({ more: false, problems: [] });
  const { run_id } = result;
  expect(new Set(hits.map(({ kind }) => kind))).toEqual(new Set(['goal', 'result', 'entry']));
  expect(hits.every((hit) => hit.run_id === run_id && hit.title === 'Stripes for the Äpfel')).toBe(true);
  const output = hits.find((hit) => hit.kind === 'entry' && hit.line === 2);
  expect(output).toMatchObject({ snippet: 'one two Zebra three', marks: [[8, 13]] });
  const page = value(await lab.service.transcript.page({ run_id, from: output?.entry ?? -1, limit: 1 }, CALLER));
  expect(page.entries[0]?.text.split('\n')[1]).toBe('two Zebra three');

  expect((await find(lab, 'apfel', { kinds: ['goal', 'entry'] })).hits.map(({ kind, marks }) => [kind, marks])).toEqual(
    [['goal', [[16, 21]]]],
  );
  expect((await find(lab, 'zeb', { kinds: ['result'] })).hits).toHaveLength(1);
  expect((await find(lab, 'zeb ')).hits).toEqual([]);
  expect((await find(lab, '" NEAR( OR *')).hits).toEqual([]);
  expect(await find(lab, 'zebra', { limit: 1 })).toMatchObject({ hits: [{}], more: true });
});

test('a conversation is found by its title, also a new one, and by nothing once it is deleted', async () => {
  await using lab = await CoreLab.open();
  const answer = await lab.dispatch([{ goal: 'echo quokka' }]);
  await lab.ended(answer);
  const { conversation_id: id } = answer;
  value(await lab.service.conversations.rename({ id, title: 'Wombat migration' }, CALLER));
  expect((await find(lab, 'wombat')).hits).toMatchObject([
    { kind: 'conversation', conversation_id: id, run_id: null, title: 'Wombat migration', marks: [[0, 6]] },
  ]);
  value(await lab.service.conversations.rename({ id, title: 'Other' }, CALLER));
  expect((await find(lab, 'wombat')).hits).toEqual([]);
  expect((await find(lab, 'quokka')).hits.length).toBeGreaterThan(0);
  value(await lab.service.conversations.remove({ id }, CALLER));
  expect((await find(lab, 'quokka')).hits).toEqual([]);
  expect((await find(lab, 'other')).hits).toEqual([]);
});

test('D6: a project whose database cannot be read is told, and the others are searched', async () => {
  await using lab = await CoreLab.open();
  await lab.ended(await lab.dispatch([{ goal: 'echo numbat' }]));
  const other = value(await lab.service.projects.add({ path: lab.git.root }, CALLER));
  const path = databaseOf(lab.git.data, other.project_id);
  value(await lab.service.conversations.list({ all: true }, CALLER));
  await lab.leave();
  writeFileSync(path, 'no database at all, but long enough to be looked at as one'.repeat(20));
  await lab.host();
  const { hits, problems } = await find(lab, 'numbat');
  expect(hits.length).toBeGreaterThan(0);
  expect(problems).toMatchObject([
    { project_id: other.project_id, message: expect.stringContaining('project.db') as string },
  ]);
});
