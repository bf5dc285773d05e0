import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CoreLab, isAlive } from '../../../testing/core-lab.ts';
import { until } from '../../../testing/process-trees.ts';

/** Says that it runs, and withstands every polite request. */
const deaf = (name: string): string => `trap "" TERM INT HUP; echo $$ > ${name}; while :; do sleep 0.1; done`;

test('C3: a second stop that asks for it at once cuts the grace of the first short, of a command and of a verify command, and siblings go on', async () => {
  await using lab = new CoreLab();
  // Whoever waits for it does not see the end of this test.
  lab.settings({ limits: { stopGraceSeconds: 600 } });
  await lab.host();
  const acceptance = { verify: [{ command: deaf('checking') }] };
  const set = await lab.dispatch([deaf('working'), { goal: 'true', acceptance }], { defaults: { isolation: 'none' } });
  const other = await lab.dispatch([deaf('sibling')], { defaults: { isolation: 'none' } });
  const pidOf = async (name: string): Promise<number> => {
    const path = join(lab.git.project, name);
    await until(`the pid of ${name}`, () => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n'));
    return Number.parseInt(readFileSync(path, 'utf8'), 10);
  };
  const [working, checking, sibling] = [await pidOf('working'), await pidOf('checking'), await pidOf('sibling')];
  const polite = lab.stop(set.delegation_id);
  const stopping = set.run_ids.map((run) => lab.rowWhen(run, 'the stop', ({ state }) => state === 'stopping'));
  await Promise.all(stopping);
  const id = set.delegation_id;
  const receipt = await lab.service.runs.stop({ id, now: true }, { client: 'test' });
  expect(receipt).toMatchObject({ ok: true, value: { survivors: [], proof: { method: 'observed' } } });
  expect(await polite).toMatchObject({ survivors: [] });
  const { results } = await lab.ended(set);
  expect(results.map(({ status }) => status)).toEqual(['stopped', 'stopped']);
  expect([await isAlive(working), await isAlive(checking), await isAlive(sibling)]).toEqual([false, false, true]);
  await lab.service.runs.stop({ id: other.delegation_id, now: true }, { client: 'test' });
  expect(await isAlive(sibling)).toBe(false);
}, 90_000);
