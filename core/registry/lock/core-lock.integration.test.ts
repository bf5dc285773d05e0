import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { processIdentity } from '../../kit/process-tree/host-processes.ts';
import { readCoreInfo, type CoreInfo } from './core-info.ts';
import { acquireCoreLock, type CoreLock } from './core-lock.ts';

let home: string;
let info: CoreInfo;
let children: ChildProcess[];
let locks: CoreLock[];

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'espalier-lock-'));
  const own = await processIdentity(process.pid);
  info = { pid: process.pid, startTime: own?.startTime ?? null, protocol: 1, apiSocket: null, workerSocket: null };
  children = [];
  locks = [];
});

afterEach(async () => {
  for (const lock of locks) lock.release();
  await Promise.all(children.map((child) => kill(child)));
  rmSync(home, { recursive: true, force: true });
});

async function lockHome(folder = home): Promise<CoreLock> {
  const locked = await acquireCoreLock(folder, info);
  if (!locked.ok) throw new Error(locked.error.message);
  locks.push(locked.value);
  return locked.value;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** A second core in a process of its own; resolves with what its attempt to lock the folder came to. */
async function startCore(): Promise<{ child: ChildProcess; outcome: string }> {
  const program = `
    const [home] = process.argv.slice(1);
    const { acquireCoreLock } = await import(${JSON.stringify(new URL('./core-lock.ts', import.meta.url).href)});
    const { processIdentity } = await import(${JSON.stringify(new URL('../../kit/process-tree/host-processes.ts', import.meta.url).href)});
    const { startTime } = await processIdentity(process.pid);
    const locked = await acquireCoreLock(home, { pid: process.pid, startTime, protocol: 1, apiSocket: '/child', workerSocket: null });
    console.log(locked.ok ? 'locked' : locked.error.code + ' ' + locked.error.holder?.pid);
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, home], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [outcome] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, outcome };
}

test('case 43: a second core on the same folder is refused and told who holds it', async () => {
  const { child, outcome } = await startCore();
  expect(outcome).toBe('locked');
  const refused = await acquireCoreLock(home, info);
  expect(refused).toMatchObject({
    ok: false,
    error: { code: 'home_locked', holder: { pid: child.pid, apiSocket: '/child' } },
  });
  expect(await startCore()).toMatchObject({ outcome: `home_locked ${String(child.pid)}` });
});

test('case 43, B20: two cores start at once on one folder, ten times → one has it, the other is refused', async () => {
  for (let round = 0; round < 10; round += 1) {
    const both = await Promise.all([startCore(), startCore()]);
    expect(both.map(({ outcome }) => outcome.split(' ')[0]).sort()).toEqual(['home_locked', 'locked']);
    await Promise.all(both.map(({ child }) => kill(child)));
  }
}, 60_000);

test('D2: the lock is free again after kill -9 of its holder, whose word stays until then', async () => {
  const { child } = await startCore();
  await kill(child);
  expect(readCoreInfo(home)?.pid).toBe(child.pid);
  await lockHome();
  expect(readCoreInfo(home)).toEqual(info);
  expect((await startCore()).outcome).toBe(`home_locked ${String(process.pid)}`);
});

test('D2: within one process the second lock is refused; after release it is granted', async () => {
  const lock = await lockHome();
  expect(await acquireCoreLock(home, info)).toMatchObject({ ok: false, error: { code: 'home_locked' } });
  lock.release();
  lock.release();
  expect(existsSync(join(home, 'core.json'))).toBe(false);
  expect(() => lock.publish(info)).toThrow(/released/);
  await lockHome();
  expect((await startCore()).outcome).toBe(`home_locked ${String(process.pid)}`);
});

test('D2: a lock file deleted by hand does not let a second core in while the first lives', async () => {
  const { child } = await startCore();
  rmSync(join(home, 'core.lock'));
  expect(await acquireCoreLock(home, info)).toMatchObject({
    ok: false,
    error: { code: 'home_locked', holder: { pid: child.pid } },
  });
  await kill(child);
  await lockHome();
});

test('D2: a copy of the folder of a core that lives is another folder: its word counts for nothing there, and the copy can be locked', async () => {
  const { child } = await startCore();
  const copy = `${home}-copy`;
  cpSync(home, copy, { recursive: true });
  expect(readCoreInfo(home)?.pid).toBe(child.pid);
  expect(readCoreInfo(copy)).toBe(null);
  await lockHome(copy);
  expect(readCoreInfo(copy)).toEqual(info);
  rmSync(copy, { recursive: true });
});

test('D2: what is published replaces what was, in a private folder and private files', async () => {
  const folder = join(home, 'new', 'home');
  const before = process.umask(0);
  try {
    const lock = await lockHome(folder);
    lock.publish({ ...info, apiSocket: '/api', workerSocket: '/workers', url: 'http://127.0.0.1:1' });
  } finally {
    process.umask(before);
  }
  expect(readCoreInfo(folder)).toEqual({
    ...info,
    apiSocket: '/api',
    workerSocket: '/workers',
    url: 'http://127.0.0.1:1',
  });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const file of ['core.lock', 'core.json']) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
});

test('D2: a link, a folder or something else in the place of the lock or its side file is not followed', async () => {
  symlinkSync('/etc/hostname', join(home, 'core.json'));
  expect(readCoreInfo(home)).toBe(null);
  symlinkSync(join(home, 'elsewhere'), join(home, 'core.lock'));
  expect(await acquireCoreLock(home, info)).toMatchObject({ ok: false, error: { code: 'home_unusable' } });
  expect(existsSync(join(home, 'elsewhere'))).toBe(false);
  rmSync(join(home, 'core.lock'));
  writeFileSync(join(home, 'core.lock'), 'not a database, and long enough to be looked at as one '.repeat(20));
  expect(await acquireCoreLock(home, info)).toMatchObject({ ok: false, error: { code: 'home_unusable' } });
});

test('D2: a data folder where none can be made is refused with the reason', async () => {
  const refused = await acquireCoreLock('/proc/espalier/data', info);
  expect(refused).toMatchObject({ ok: false, error: { code: 'home_unusable' } });
  await lockHome(join(home, 'not', 'yet', 'there'));
  expect(statSync(join(home, 'not')).mode & 0o777).toBe(0o700);
});

test('D2: an unreadable side file counts as none', async () => {
  writeFileSync(join(home, 'core.json'), '{"pid": "many"}');
  chmodSync(join(home, 'core.json'), 0o600);
  expect(readCoreInfo(home)).toBe(null);
  await lockHome();
  expect(readCoreInfo(home)).toEqual(info);
});
