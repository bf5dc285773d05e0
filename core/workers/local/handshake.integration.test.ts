import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../testing/process-trees.ts';
import { RawWorker } from '../../testing/raw-worker.ts';
import { WorkerLab } from '../../testing/worker-lab.ts';
import type { StartOrder } from '../contract.ts';

/** A program that never connects, in the place of a worker: the test speaks for it. */
const MUTE = { execPath: 'sleep', args: ['300'] };

let lab: WorkerLab;

beforeEach(() => {
  lab = new WorkerLab();
});

afterEach(async () => {
  expect(await lab.dispose()).toEqual([]);
});

const sleepy = (): StartOrder => lab.order('async () => undefined');

/** An attempt that a raw worker has taken up with its token. */
async function met(): Promise<{ order: StartOrder; worker: RawWorker; secret: string }> {
  const order = sleepy();
  lab.pool.start(order);
  const worker = new RawWorker(lab.home).hello(order.token, order.attempt_id);
  const { secret } = await worker.heard('welcome');
  return { order, worker, secret: secret ?? '' };
}

/** The core serves others as if nothing had happened. */
async function isUnharmed(): Promise<void> {
  const { order, worker } = await met();
  worker.event(1);
  await until('an event', () => lab.of(order.attempt_id).events.length === 1);
  worker.close();
}

test('D7: folder, socket and address are private', async () => {
  await lab.open();
  const folder = join(lab.home, 'workers');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'workers.address')).mode & 0o777).toBe(0o600);
});

test('a folder too deep for a socket: it moves to a short private place, which is gone afterwards', async () => {
  const home = join(lab.home, 'd'.repeat(60), 'e'.repeat(60));
  await lab.open({ home });
  const address = readFileSync(join(home, 'workers', 'workers.address'), 'utf8');
  expect(Buffer.byteLength(address)).toBeLessThanOrEqual(100);
  expect(statSync(join(address, '..')).mode & 0o777).toBe(0o700);
  const order = sleepy();
  lab.pool.start(order);
  expect((await lab.exit(order)).exit).toEqual({ code: 0, signal: null });
  await lab.crash();
  expect(statSync(address, { throwIfNoEntry: false })).toBeUndefined();
  expect(statSync(join(address, '..'), { throwIfNoEntry: false })).toBeUndefined();
});

test('case 41: a worker that never connects → failed start with a reason, and nothing is left of it', async () => {
  await lab.open({ childEntry: MUTE, timings: { connectMs: 300 } });
  const order = sleepy();
  lab.pool.start(order);
  const exit = await lab.exit(order);
  expect(exit).toMatchObject({ connected: false, active: false, exit: null, survivors: [] });
  expect(exit.proof.method).toBe('observed');
  expect(exit.stderr_tail).toBe('It did not connect to the core in time.');
  await isUnharmed();
});

test('case 41: a worker that ends before it connects is told at once, with what it said last', async () => {
  await lab.open({ childEntry: { execPath: 'sh', args: ['-c', 'echo starting >&2; echo no runtime >&2; exit 7'] } });
  const order = sleepy();
  lab.pool.start(order);
  const exit = await lab.exit(order, 3000);
  expect(exit).toMatchObject({ connected: false, active: false, exit: { code: 7, signal: null } });
  expect(exit.stderr_tail).toBe('starting\nno runtime');
});

test('a worker whose program is not there → failed start that names it', async () => {
  await lab.open({ childEntry: { execPath: '/no/such/program', args: [] } });
  const order = sleepy();
  lab.pool.start(order);
  const exit = await lab.exit(order);
  expect(exit).toMatchObject({ connected: false, exit: null, proof: { method: 'not_started' } });
  expect(exit.stderr_tail).toBe('The program was not found: /no/such/program');
});

test('case 41: a wrong token is refused, and does not spoil the right one', async () => {
  await lab.open({ childEntry: MUTE });
  const order = sleepy();
  lab.pool.start(order);
  const thief = new RawWorker(lab.home).hello('0'.repeat(64), order.attempt_id);
  expect(await thief.heard('refused')).toMatchObject({ code: 'token' });
  await thief.gone();
  expect(lab.of(order.attempt_id).connections).toBe(0);
  const worker = new RawWorker(lab.home).hello(order.token, order.attempt_id);
  expect(await worker.heard('welcome')).toMatchObject({ attempt_id: order.attempt_id, committed: 0 });
  worker.close();
});

test('case 41: the token is good once; a second worker with it is refused, the first goes on', async () => {
  await lab.open({ childEntry: MUTE });
  const { order, worker } = await met();
  const second = new RawWorker(lab.home).hello(order.token, order.attempt_id);
  expect(await second.heard('refused')).toMatchObject({ code: 'token' });
  worker.event(1);
  await worker.heard('ack');
  expect(lab.of(order.attempt_id).connections).toBe(1);
  worker.close();
});

test('case 41: with the secret the newer connection closes the older, and what came is not taken twice', async () => {
  await lab.open({ childEntry: MUTE });
  const { order, worker, secret } = await met();
  worker.event(1).event(2);
  await until('two events', () => lab.of(order.attempt_id).committed === 2);
  const newer = new RawWorker(lab.home).hello(secret, order.attempt_id, { open_calls: ['c1'] });
  expect(await newer.heard('welcome')).toMatchObject({ committed: 2, secret: null, assignment: null });
  await worker.gone();
  newer.event(2).event(3);
  await until('the third event', () => lab.of(order.attempt_id).committed === 3);
  expect(lab.of(order.attempt_id).events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(lab.of(order.attempt_id).reconnections).toEqual([{ open_calls: ['c1'], open_asks: [] }]);
  newer.close();
});

test('case 41: a wrong secret after a restart of the core is refused', async () => {
  await lab.open({ childEntry: MUTE });
  const { order, worker, secret } = await met();
  worker.event(1);
  await until('the event', () => lab.of(order.attempt_id).committed === 1);
  await lab.crash();
  await worker.gone();
  await lab.open({ childEntry: MUTE });
  lab.pool.adopt(lab.adoption(order));
  const wrong = new RawWorker(lab.home).hello('f'.repeat(64), order.attempt_id);
  expect(await wrong.heard('refused')).toMatchObject({ code: 'token' });
  const token = new RawWorker(lab.home).hello(order.token, order.attempt_id);
  expect(await token.heard('refused')).toMatchObject({ code: 'token' });
  const right = new RawWorker(lab.home).hello(secret, order.attempt_id);
  expect(await right.heard('welcome')).toMatchObject({ committed: 1, secret: null });
  right.close();
});

test.each([
  ['garbage', Buffer.from('\x7f\x00 hello there, this is no frame')],
  ['a frame of 100 MB', Buffer.concat([Buffer.from([0x06, 0x40, 0, 0]), Buffer.alloc(1_000_000, 'x')])],
  ['an event before any hello', Buffer.from(`\0\0\0\x2d{"type":"event","seq":1,"event":{"type":"x"}}`)],
])('case 41: %s instead of a hello closes the connection, the core is unharmed', async (_, bytes) => {
  await lab.open({ childEntry: MUTE });
  const peer = new RawWorker(lab.home).raw(bytes);
  await peer.gone();
  await isUnharmed();
});

test('case 41: a worker that breaks the protocol again and again is ended, with the reason', async () => {
  await lab.open({ childEntry: MUTE });
  const { order, worker, secret } = await met();
  worker.event(1);
  await worker.heard('ack');
  worker.event(3);
  await worker.gone();
  for (const bytes of [Buffer.from([0x7f, 0xff, 0xff, 0xff]), Buffer.from('\0\0\0\x02{]')]) {
    const again = new RawWorker(lab.home).hello(secret, order.attempt_id);
    await again.heard('welcome');
    await again.raw(bytes).gone();
  }
  const exit = await lab.exit(order);
  expect(exit).toMatchObject({ connected: true, active: true, survivors: [] });
  expect(exit.stderr_tail).toBe('It broke the protocol of workers: the text is not JSON.');
  expect(lab.of(order.attempt_id).events.map(({ seq }) => seq)).toEqual([1]);
  await isUnharmed();
});

test('case 41: events before the welcome end the attempt', async () => {
  await lab.open({ childEntry: MUTE });
  lab.manners.welcome = false;
  const order = sleepy();
  lab.pool.start(order);
  const worker = new RawWorker(lab.home).hello(order.token, order.attempt_id).event(1);
  await worker.gone();
  expect(await lab.exit(order)).toMatchObject({ active: false, survivors: [] });
  expect(lab.of(order.attempt_id).events).toEqual([]);
});

test('D2: a worker of another protocol is told so', async () => {
  await lab.open({ childEntry: MUTE });
  const order = sleepy();
  lab.pool.start(order);
  const old = new RawWorker(lab.home).hello(order.token, order.attempt_id, { protocol: 0 });
  expect(await old.heard('refused')).toMatchObject({ code: 'protocol' });
  expect(lab.of(order.attempt_id).connections).toBe(0);
});

test('C3, case 33: a worker that heeds no signal and comes after the stop, or is greeted before it, never gets the task', async () => {
  const deaf = { execPath: 'sh', args: ['-c', "trap '' TERM; sleep 300 & wait; sleep 300"] };
  const pool = await lab.open({ childEntry: deaf });
  lab.manners.welcome = false;
  const orders = [sleepy(), sleepy()] as const;
  const [late, greeted] = orders;
  for (const order of orders) pool.start(order);
  const early = new RawWorker(lab.home).hello(greeted.token, greeted.attempt_id);
  await until('the handshake', () => lab.of(greeted.attempt_id).connections === 1);
  await until('the other process', async () => (await pool.sample(late.attempt_id)) !== null);
  for (const order of orders) pool.stop(order.attempt_id, 'stop', 1000);
  pool.welcome(greeted.attempt_id);
  const after = new RawWorker(lab.home).hello(late.token, late.attempt_id);
  for (const worker of [early, after]) {
    expect(await worker.heard('refused')).toMatchObject({ code: 'revoked' });
    expect(worker.frames.map(({ type }) => type)).not.toContain('welcome');
  }
  for (const order of orders) expect(await lab.exit(order)).toMatchObject({ active: false, survivors: [] });
});

test('a revoked attempt: its worker is ended, one that connects later is told', async () => {
  await lab.open({ childEntry: MUTE });
  const { order, worker, secret } = await met();
  lab.pool.revoke(order.attempt_id);
  await lab.exit(order);
  await worker.gone();
  const late = new RawWorker(lab.home).hello(secret, order.attempt_id);
  expect(await late.heard('refused')).toMatchObject({ code: 'revoked' });
  lab.pool.revoke('att_never_seen');
  const stranger = new RawWorker(lab.home).hello(secret, 'att_never_seen');
  expect(await stranger.heard('refused')).toMatchObject({ code: 'revoked' });
});

test('a live worker that loses its connection for good is ended after the grace', async () => {
  await lab.open({ childEntry: MUTE, timings: { connectMs: 300 } });
  const { order, worker } = await met();
  worker.close();
  const exit = await lab.exit(order);
  expect(exit).toMatchObject({ connected: true, survivors: [] });
  expect(exit.stderr_tail).toBe('It lost its connection to the core and did not come back.');
});
