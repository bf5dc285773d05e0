import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { silentLogger } from '../../kit/logger.ts';
import { systemRandom } from '../../kit/random.ts';
import { connectLocal } from '../serve/connect-local.ts';
import { openFront } from '../serve/front.ts';
import { CoreLab, isAlive, value } from '../../testing/core-lab.ts';
import { until } from '../../testing/process-trees.ts';
import { StoredProject } from '../../testing/torture/stored-facts.ts';

const CALLER = { client: 'test' };
const PACKAGE = join(import.meta.dirname, '..', '..', '..');

test('D2, D5, case 40: a copy of the data folder of a core at work is a folder of its own: it joins nobody, and leaves processes, worktrees and queued work alone', async () => {
  await using lab = new CoreLab();
  const copy = join(lab.git.root, 'copy');
  const go = join(lab.git.root, 'go');
  const goal = `echo $$ > '${lab.git.root}/pid'; while [ ! -f '${go}' ]; do sleep 0.05; done; echo once >> '${lab.git.root}/done'`;
  const elsewhere = await lab.dispatchElsewhere([goal, 'true']);
  await until('the task to work', () => existsSync(join(lab.git.root, 'pid')));
  const [runId = ''] = elsewhere.answer.run_ids;
  const stored = new StoredProject(lab.git.data, PACKAGE);
  await until('the other one to end', () => stored.live()?.runs.length === 1);
  const pid = Number(readFileSync(join(lab.git.root, 'pid'), 'utf8'));
  cpSync(lab.git.data, copy, { recursive: true, filter: (from) => !from.endsWith('.sock') });

  expect(await connectLocal(copy, 'test')).toMatchObject({ ok: false, error: { code: 'not_running' } });
  const opened = await openFront(
    {
      home: copy,
      version: '0.0.0',
      clock: systemClock,
      random: systemRandom,
      logger: silentLogger,
      packageRoot: PACKAGE,
      workerEntry: join(PACKAGE, 'core', 'host', 'child.ts'),
      environment: { ...lab.git.environment, NODE_NO_WARNINGS: '1' },
      unattendedMs: 0,
      warmWorkers: 0,
    },
    'test',
  );
  if (!opened.ok) throw new Error(opened.error.message);
  const front = opened.value;
  const shown = async () => value(await front.core.service.runs.show({ id: runId }, CALLER));
  await until('its end in the copy', async () => (await shown()).result !== null, 20_000);
  const { run, result } = await shown();
  expect(run).toMatchObject({ state: 'ended', outcome: 'lost', worktree: { state: 'kept' } });
  expect(result?.worktree?.inspection_failed?.stderr).toContain('another data folder');
  expect(await isAlive(pid)).toBe(true);
  expect(existsSync(run.worktree?.path ?? '')).toBe(true);
  expect(value(await front.core.service.storage.gc({ dry_run: true }, CALLER)).items).toEqual([]);
  await front.close();

  await elsewhere.kill();
  await lab.host();
  await lab.project();
  writeFileSync(go, '');
  expect((await lab.ended(elsewhere.answer)).results).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
  expect(readFileSync(join(lab.git.root, 'done'), 'utf8')).toBe('once\n');
  rmSync(copy, { recursive: true });
});
