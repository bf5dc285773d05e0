import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hostProcesses, isSameProcess } from '../../kit/process-tree/host-processes.ts';
import type { ProcessIdentity } from '../../kit/process-tree/process-entry.ts';
import { until } from '../../testing/process-trees.ts';
import { RawWorker } from '../../testing/raw-worker.ts';
import { SCRIPTED_WORKER, WorkerLab } from '../../testing/worker-lab.ts';

const QUICK = { refillMs: 20 };

let lab: WorkerLab;

beforeEach(() => {
  lab = new WorkerLab();
});

afterEach(async () => {
  expect(await lab.dispose()).toEqual([]);
});

/** The idle workers among our children. */
async function idleWorkers(): Promise<ProcessIdentity[]> {
  const { entries } = await hostProcesses().list();
  const ours = entries.filter(
    (entry) => entry.ppid === process.pid && entry.session === entry.pid && entry.state !== 'Z',
  );
  return ours.map(({ pid, startTime }) => ({ pid, startTime }));
}

test('an idle worker knows no project, no run and no key; it serves one attempt, and another takes its place', async () => {
  const pool = await lab.open({ warm: 2, timings: QUICK, environment: { ...process.env, OPENAI_API_KEY: 'sk-shell' } });
  await until('two idle workers', () => pool.idle === 2);
  const idle = await idleWorkers();
  expect(idle).toHaveLength(2);
  for (const { pid } of idle) {
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toMatch(/ESPALIER_RUN|sk-shell/);
  }
  const order = lab.order(async ({ note, assignment, shell, file }) => {
    note('pid', String(process.pid));
    shell('printf %s "$ESPALIER_RUN" > marker; touch done');
    await file('done');
    process.stderr.write(`told by ${assignment.run_id}\n`);
  });
  pool.start(order);
  const exit = await lab.exit(order);
  expect(idle.map(({ pid }) => String(pid))).toContain(lab.notes(order, 'pid')[0]);
  expect(lab.notes(order, 'marker')).toEqual([order.run_id]);
  expect(exit).toMatchObject({ connected: true, exit: { code: 0, signal: null }, survivors: [] });
  // Its outputs went with it into the attempt's folder.
  expect(exit.stderr_tail).toBe(`told by ${order.run_id}`);
  expect(readFileSync(join(order.folder, 'stderr.log'), 'utf8')).toBe(`told by ${order.run_id}\n`);
  await until('the pool to be full again', () => pool.idle === 2);
  expect(await idleWorkers()).toHaveLength(2);
});

test('case 29: what leaves the tree of a pooled worker is found as it is below any other', async () => {
  const pool = await lab.open({ warm: 1, timings: QUICK });
  await until('an idle worker', () => pool.idle === 1);
  const order = lab.order(async ({ shell, file }) => {
    shell(`env -i setsid -f sh -c 'echo $$ > daemon; cd /; exec sleep 300' >/dev/null 2>&1 </dev/null`);
    await file('daemon');
  });
  pool.start(order);
  const exit = await lab.exit(order);
  const daemon = Number(lab.notes(order, 'daemon')[0]);
  expect(exit.ended.map(({ pid }) => pid)).toEqual([daemon]);
  expect(exit).toMatchObject({ survivors: [], proof: { method: 'observed' } });
});

test('D5: an attempt on a pooled worker outlives the core like any other; what was idle ends with the core', async () => {
  const pool = await lab.open({ warm: 2, timings: QUICK });
  await until('two idle workers', () => pool.idle === 2);
  const order = lab.order(async ({ note, file }) => {
    note('ready', 'yes');
    await file('go');
  });
  pool.start(order);
  await lab.noted(order, 'ready');
  const idle = (await idleWorkers()).filter(({ pid }) => pid !== lab.of(order.attempt_id).pid);
  await lab.crash();
  await until('the idle ones to end', async () => {
    const alive = await Promise.all(idle.map((each) => isSameProcess(each)));
    return !alive.includes(true);
  });
  await lab.open();
  lab.pool.adopt(lab.adoption(order));
  lab.signal(order, 'go');
  expect(await lab.exit(order)).toMatchObject({ connected: true, survivors: [] });
  expect(lab.events(order, 'ended')).toHaveLength(1);
});

test('an idle worker ends by itself when the core is killed', async () => {
  const pool = await lab.open({ warm: 1, timings: QUICK, childEntry: SCRIPTED_WORKER });
  await until('an idle worker', () => pool.idle === 1);
  const [idle] = await idleWorkers();
  // Its folder stays, as after a kill; the next core clears it.
  const folder = join(lab.home, 'workers', 'idle');
  expect(readdirSync(folder)).toHaveLength(1);
  await lab.crash();
  expect(idle !== undefined && (await isSameProcess(idle))).toBe(false);
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
});

test('when the bundle changes on disk, an idle worker of the older one is not used but replaced', async () => {
  let bundle = 'old';
  const pool = await lab.open({ warm: 1, timings: QUICK, bundleVersion: () => bundle });
  await until('an idle worker', () => pool.idle === 1);
  const [old] = await idleWorkers();
  bundle = 'new';
  const order = lab.order(async ({ note }) => note('pid', String(process.pid)));
  pool.start(order);
  await lab.exit(order);
  expect(lab.notes(order, 'pid')).not.toEqual([String(old?.pid)]);
  await until('the old one to end', async () => old !== undefined && !(await isSameProcess(old)));
  await until('a new one', () => pool.idle === 1);
});

test('the pool is not refilled while starts wait for a processor', async () => {
  const pool = await lab.open({ warm: 2, timings: { refillMs: 400 } });
  const orders = Array.from({ length: 6 }, () => lab.order(async ({ wait }) => wait(1)));
  for (const order of orders) pool.start(order);
  await Promise.all(orders.map((order) => until('a start', () => lab.of(order.attempt_id).connections === 1)));
  expect(pool.idle).toBe(0);
  await Promise.all(orders.map((order) => lab.exit(order)));
  await until('the pool to be full', () => pool.idle === 2);
});

test('case 41: a stranger without a token of the pool is refused', async () => {
  const pool = await lab.open({ warm: 1, timings: QUICK });
  const stranger = new RawWorker(lab.home).hello('0'.repeat(64), null);
  expect(await stranger.heard('refused')).toMatchObject({ code: 'token' });
  await until('an idle worker', () => pool.idle === 1);
});

test('a program that cannot be a worker does not make the pool spin', async () => {
  const starts = lab.processes.path('starts');
  const childEntry = { execPath: 'sh', args: ['-c', `echo $$ >> ${starts}; exit 1`] };
  const pool = await lab.open({ warm: 2, timings: { refillMs: 1 }, childEntry });
  const count = (): number => (existsSync(starts) ? readFileSync(starts, 'utf8').trim().split('\n').length : 0);
  await until('a try', () => count() === 1);
  for (let n = 0; n < 5; n += 1) {
    const order = lab.order('');
    pool.start(order);
    expect(await lab.exit(order)).toMatchObject({ connected: false, exit: { code: 1, signal: null } });
  }
  expect(pool.idle).toBe(0);
  expect(count()).toBe(6);
});
