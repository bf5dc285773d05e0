import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CoreLab, value } from '../../testing/core-lab.ts';

test('R1, D5: the next core gives nobody a place before all that are at work have theirs, in whatever order it finds them', async () => {
  await using lab = new CoreLab();
  lab.settings({ limits: { concurrency: 2 } });
  await lab.host();
  const go = join(lab.git.root, 'go');
  const tasks = [`until [ -e '${go}' ]; do sleep 0.05; done`, 'echo second'];
  const sets = [
    await lab.dispatch(tasks, { defaults: { isolation: 'none' }, max_concurrent: 1 }),
    await lab.dispatch(tasks, { defaults: { isolation: 'none' }, max_concurrent: 2 }),
    await lab.dispatch(tasks, { defaults: { isolation: 'none' }, max_concurrent: 2 }),
  ];
  const states = async (): Promise<string[]> => {
    const rows = await Promise.all(sets.flatMap(({ run_ids }) => run_ids).map((run) => lab.row(run)));
    return rows.map(({ state }) => state);
  };
  for (const { run_ids } of sets.slice(0, 2)) {
    await lab.rowWhen(run_ids[0] ?? '', 'it to be at work', ({ state, pid }) => state === 'running' && pid !== null);
  }
  await lab.leave();
  await lab.host();
  expect(value(await lab.service.app.info(undefined, { client: 'test' })).at_work).toBe(2);
  expect(await states()).toEqual(['running', 'queued', 'running', 'queued', 'queued', 'queued']);
  writeFileSync(go, '');
  for (const set of sets) expect((await lab.ended(set)).status).toBe('completed');
});
