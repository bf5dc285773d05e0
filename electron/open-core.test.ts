import { expect, test } from 'vitest';
import type { Clock } from '../core/kit/clock.ts';
import { err, ok, type Result } from '../core/kit/result.ts';
import { CoreLine } from './core-line.ts';
import { type CoreAccess, type OpenError, openCore } from './open-core.ts';

interface FakeCore {
  readonly name: string;
  readonly closed: Promise<void>;
}

const core = (name: string, closed = new Promise<void>(() => undefined)): FakeCore => ({ name, closed });
const local = core('local');
const running = core('running');

/** Every wait is over at once, and took as long as it was asked to. */
function fakeClock(): Clock {
  let now = 0;
  const after: Clock['after'] = (ms, run) => {
    now += ms;
    queueMicrotask(run);
    return () => undefined;
  };
  return { now: () => now, monotonic: () => now, after, every: after };
}

const failed = (code: string): Result<never, OpenError> => err({ code, message: `because of ${code}` });

/** Answers in turn, the last one for ever. */
function script<T>(...answers: T[]): () => Promise<T> {
  return () => Promise.resolve((answers.length > 1 ? answers.shift() : answers[0]) as T);
}

function access(connect: Result<FakeCore, OpenError>[], host: Result<FakeCore, OpenError>[]): CoreAccess<FakeCore> {
  return { connect: script(...connect), host: script(...host), clock: fakeClock() };
}

test('no core is up → one is hosted', async () => {
  expect(await openCore(access([failed('not_running')], [ok(local)]))).toEqual(ok(local));
});

test('a core is up → it is joined and none is hosted (D2)', async () => {
  const refusing = { ...access([ok(running)], []), host: () => Promise.reject(new Error('hosted a second core')) };
  expect(await openCore(refusing)).toEqual(ok(running));
});

test('a core began meanwhile → it is joined after all', async () => {
  const found = await openCore(
    access([failed('not_running'), failed('starting'), ok(running)], [failed('home_locked')]),
  );
  expect(found).toEqual(ok(running));
});

test('another protocol version → told at once (case 55)', async () => {
  const refusing = {
    ...access([failed('protocol_mismatch'), ok(running)], []),
    host: () => Promise.reject(new Error('hosted a second core')),
  };
  expect(await openCore(refusing)).toEqual(failed('protocol_mismatch'));
});

test('a core that never answers → told when patience ends', async () => {
  expect(await openCore(access([failed('unreachable')], []))).toEqual(failed('unreachable'));
});

test('a data folder that cannot be used → told at once', async () => {
  expect(await openCore(access([failed('not_running')], [failed('storage'), ok(local)]))).toEqual(failed('storage'));
});

test('the core of another process goes → one is hosted in its place, and whoever asked meanwhile gets that', async () => {
  const gone = Promise.withResolvers<void>();
  const opened = await CoreLine.open(
    access([ok(core('running', gone.promise)), failed('not_running')], [failed('storage'), ok(local)]),
  );
  if (!opened.ok) throw new Error(opened.error.message);
  const line = opened.value;
  const taken = new Promise((resolve) => line.onTaken(resolve));
  expect(line.core.name).toBe('running');
  gone.resolve();
  await gone.promise;
  expect(await line.whenOpen()).toBe(local);
  expect(await taken).toBe(local);
  expect(line.core).toBe(local);
});

test('the app ends → nothing takes the place of a core that goes', async () => {
  const gone = Promise.withResolvers<void>();
  const joined = core('running', gone.promise);
  const refusing = { ...access([ok(joined)], []), host: () => Promise.reject(new Error('hosted')) };
  const opened = await CoreLine.open(refusing);
  if (!opened.ok) throw new Error(opened.error.message);
  opened.value.end();
  gone.resolve();
  expect(await opened.value.whenOpen()).toBe(joined);
});
