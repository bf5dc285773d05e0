import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../kit/clock.ts';
import { CoreLab, value } from '../../../testing/core-lab.ts';
import { until } from '../../../testing/process-trees.ts';

const CALLER = { client: 'test' };
const OPEN = { isolation: 'none' } as const;
const waitsFor = (go: string): string => `until [ -e '${go}' ]; do sleep 0.1; done; echo done`;

test(
  'B45, R7: the clocks of the core jump by two hours while 50 runs are at work or queued: none is idle, timed out or said to be silent, and no duration counts it',
  { timeout: 150_000 },
  async () => {
    let jump = 0;
    const clock = {
      ...systemClock,
      now: () => systemClock.now() + jump,
      monotonic: () => systemClock.monotonic() + jump,
    };
    await using lab = await CoreLab.open(undefined, { clock });
    const go = join(lab.git.root, 'go');
    const tasks = Array.from({ length: 50 }, () => ({
      goal: waitsFor(go),
      limits: { timeout_seconds: 300, idle_timeout_seconds: 300 },
    }));
    const set = await lab.dispatch(tasks, { defaults: OPEN });
    const runs = async () => value(await lab.service.sets.show({ id: set.delegation_id }, CALLER)).runs;
    await until(
      'ten to be at work',
      async () => (await runs()).filter(({ state }) => state === 'running').length === 10,
      60_000,
    );
    jump = 2 * 3600 * 1000;
    // What the core does next is decided with the new time.
    value(await lab.service.runs.pause({ id: set.conversation_id }, CALLER));
    value(await lab.service.runs.resume({ id: set.conversation_id }, CALLER));
    const after = await runs();
    expect(after.filter(({ state }) => state === 'ended')).toEqual([]);
    expect(after.filter(({ idle_since }) => idle_since != null)).toEqual([]);
    writeFileSync(go, '');
    const { status, results } = await lab.ended(set, 120_000);
    expect(status).toBe('completed');
    expect(results).toHaveLength(50);
    expect(Math.max(...results.map(({ duration_seconds }) => duration_seconds))).toBeLessThan(300);
  },
);

test(
  'B45, R7: a worker that is frozen for longer than its time limit is not timed out when it goes on; the frozen time is in no duration',
  { timeout: 60_000 },
  async () => {
    await using lab = await CoreLab.open();
    const go = join(lab.git.root, 'go');
    const limits = { timeout_seconds: 15 };
    const set = await lab.dispatch(
      [
        { goal: waitsFor(go), limits },
        { goal: waitsFor(go), limits },
      ],
      { defaults: OPEN },
    );
    const pids: number[] = [];
    for (const run of set.run_ids) {
      const row = await lab.rowWhen(run, 'it to be at work', ({ state, pid }) => state === 'running' && pid !== null);
      pids.push(row.pid ?? 0);
    }
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    await once(spawn('sleep', ['16']), 'exit');
    for (const pid of pids) process.kill(pid, 'SIGCONT');
    writeFileSync(go, '');
    const { results } = await lab.ended(set);
    expect(results.map(({ status }) => status)).toEqual(['completed', 'completed']);
    for (const { duration_seconds } of results) expect(duration_seconds).toBeLessThan(15);
  },
);

test(
  'B42, D5: the clock is set on by three days between two cores: what lives is taken up, what died is settled once, what waits begins, and no time of it counts',
  { timeout: 120_000 },
  async () => {
    await using lab = new CoreLab();
    lab.settings({ limits: { concurrency: 2 } });
    const { git } = lab;
    const go = join(git.root, 'go');
    const goal = (name: string): string => `echo $PPID > '${join(git.root, name)}'; ${waitsFor(go)}`;
    const defaults = { isolation: 'none', limits: { timeout_seconds: 3600, idle_timeout_seconds: 600 } } as const;
    const names = ['lives', 'dies', 'waits'];
    const { answer, kill } = await lab.dispatchElsewhere(names.map((name) => ({ goal: goal(name), ...defaults })));
    const pidIn = (name: string): number => Number.parseInt(lab.read(join(git.root, name)) ?? '', 10);
    for (const name of ['lives', 'dies']) await until(name, () => pidIn(name) > 0);
    await kill();
    process.kill(pidIn('dies'), 'SIGKILL');
    const days = 3 * 24 * 3600 * 1000;
    await lab.host({ clock: { ...systemClock, now: () => systemClock.now() + days } });
    const [lives = '', dies = ''] = answer.run_ids;
    await lab.rowWhen(dies, 'the dead one to be settled', ({ state }) => state === 'ended');
    await until('the one that waited', () => pidIn('waits') > 0);
    expect(await lab.row(lives)).toMatchObject({ state: 'running', attempts: 1 });
    writeFileSync(go, '');
    const { results } = await lab.ended(answer);
    expect(results.map(({ status, exit_reason }) => `${status} ${exit_reason}`)).toEqual([
      'completed done',
      'lost unknown',
      'completed done',
    ]);
    for (const { duration_seconds } of results) expect(duration_seconds).toBeLessThan(600);
    for (const run of answer.run_ids) expect(await lab.count('run_ended', run)).toBe(1);
  },
);
