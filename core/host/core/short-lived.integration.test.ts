import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CoreLab, isAlive } from '../../testing/core-lab.ts';
import { until } from '../../testing/process-trees.ts';
import { StoredProject } from '../../testing/torture/stored-facts.ts';

const PACKAGE = join(import.meta.dirname, '..', '..', '..');

test('D5: a core that is up for a moment settles runs whose worker has died meanwhile, to the end of their worktree, before it goes', async () => {
  await using lab = new CoreLab();
  const goal = 'echo once >> work.txt; echo begun; sleep 600';
  const elsewhere = await lab.dispatchElsewhere([{ goal, isolation: 'none' }, { goal }]);
  const stored = new StoredProject(lab.git.data, PACKAGE);
  const begun = (): number => stored.all().entries.filter(({ text }) => text.startsWith('begun')).length;
  await until('both to work', () => begun() === 2);
  await elsewhere.kill();
  const workers = stored.all().attempts.flatMap(({ pid }) => pid ?? []);
  expect(workers).toHaveLength(2);
  for (const pid of workers) process.kill(pid, 'SIGKILL');
  for (const pid of workers) await until('its end', async () => !(await isAlive(pid)));

  await lab.host();
  await lab.core.settled(60_000);
  await lab.leave();
  const { runs: unsorted, attempts } = stored.all();
  const runs = unsorted.toSorted((a, b) => (a.row.task_index ?? 0) - (b.row.task_index ?? 0));
  expect(runs.map(({ row }) => [row.state, row.outcome])).toEqual([
    ['ended', 'lost'],
    ['ended', 'lost'],
  ]);
  expect(runs.map(({ row }) => row.worktree?.dirty)).toEqual([undefined, true]);
  expect(attempts.map(({ state }) => state)).toEqual(['ended', 'ended']);
});
