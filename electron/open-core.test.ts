import { expect, test } from 'vitest';
import type { Clock } from '../core/kit/clock.ts';
import { err, ok, type Result } from '../core/kit/result.ts';
import { type CoreAccess, type OpenError, openCore, type RunningCore } from './open-core.ts';

const URL = 'http://127.0.0.1:4000/#t';
const local = { servePort: () => undefined, close: () => Promise.resolve() };

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

function running(listens: Result<string, OpenError> = ok(URL)): RunningCore & { closed: number } {
  return {
    closed: 0,
    listen: () => Promise.resolve(listens),
    close() {
      this.closed += 1;
    },
  };
}

const failed = (code: string): Result<never, OpenError> => err({ code, message: `because of ${code}` });

/** Answers in turn, the last one for ever. */
function script<T>(...answers: T[]): () => Promise<T> {
  return () => Promise.resolve((answers.length > 1 ? answers.shift() : answers[0]) as T);
}

function access(
  connect: Result<RunningCore, OpenError>[],
  host: Result<typeof local, OpenError>[],
): CoreAccess<typeof local> {
  return { connect: script(...connect), host: script(...host), clock: fakeClock() };
}

test('no core is up → one is hosted', async () => {
  expect(await openCore(access([failed('not_running')], [ok(local)]))).toEqual(ok({ type: 'hosted', core: local }));
});

test('a core is up → its page is shown and none is hosted (D2)', async () => {
  const core = running();
  const refusing = { ...access([ok(core)], []), host: () => Promise.reject(new Error('hosted a second core')) };
  expect(await openCore(refusing)).toEqual(ok({ type: 'joined', core, url: URL }));
});

test('a core began meanwhile → it is joined after all', async () => {
  const found = await openCore(
    access([failed('not_running'), failed('starting'), ok(running())], [failed('home_locked')]),
  );
  expect(found).toMatchObject({ ok: true, value: { type: 'joined' } });
});

test('another protocol version → told at once (case 55)', async () => {
  const refusing = {
    ...access([failed('protocol_mismatch'), ok(running())], []),
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

test('a core that refuses to listen is let go, and its reason is told', async () => {
  const core = running(failed('limit_reached'));
  expect(await openCore(access([ok(core)], []))).toEqual(failed('limit_reached'));
  expect(core.closed).toBe(1);
});
