import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCoreInfo } from '../../registry/lock/core-info.ts';
import { CoreLab } from '../../testing/core-lab.ts';
import { until } from '../../testing/process-trees.ts';
import { StoredProject } from '../../testing/torture/stored-facts.ts';

const PACKAGE = join(import.meta.dirname, '..', '..', '..');

test('D4, D5, B45: a core that is frozen (SIGSTOP) keeps nobody from work; when it goes on, each line is stored once and the run ends once', async () => {
  await using lab = new CoreLab();
  const [go, done] = [join(lab.git.root, 'go'), join(lab.git.root, 'done')];
  const goal = `echo begun; until [ -e '${go}' ]; do sleep 0.05; done; i=0; while [ $i -lt 500 ]; do i=$((i + 1)); echo "line $i;"; done; echo once >> '${done}'`;
  const elsewhere = await lab.dispatchElsewhere([{ goal, isolation: 'none' }]);
  const stored = new StoredProject(lab.git.data, PACKAGE);
  await until('it to work', () => stored.all().entries.some(({ text }) => text.startsWith('begun')));
  const { pid } = readCoreInfo(lab.git.data) ?? { pid: Number.NaN };
  process.kill(pid, 'SIGSTOP');
  writeFileSync(go, '');
  await until('the work to be done without the core', () => existsSync(done));
  expect(stored.live()?.runs.map(({ row }) => row.state)).toEqual(['running']);
  process.kill(pid, 'SIGCONT');
  await until('the end of the run', () => stored.live()?.runs.length === 0);
  const { runs, entries, events, attempts } = stored.all();
  expect(runs.map(({ row }) => row.outcome)).toEqual(['completed']);
  expect(events.filter(({ type }) => type === 'run_ended')).toHaveLength(1);
  expect(attempts).toHaveLength(1);
  const lines = Array.from({ length: 500 }, (_, at) => `line ${at + 1};\n`).join('');
  expect(entries.map(({ text }) => text).join('')).toContain(`begun\n${lines}`);
  expect(readFileSync(done, 'utf8')).toBe('once\n');
  await elsewhere.kill();
});
