import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../kit/clock.ts';
import type { Random } from '../../kit/random.ts';
import { ANSWERS, event, loopbackBundle } from '../stream/dialects.ts';
import { sendJson, sendStream, startRawServer } from '../stream/raw-server.ts';
import type { RawServer } from '../stream/raw-server.ts';
import { KeyHolds, keyIdOf, type OnHold } from './key-holds.ts';
import { requestWithRetries } from './request.ts';
import type { RequestEvent } from './request.ts';

const REQUEST = {
  system: '',
  messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'hi' }] }],
  tools: [],
};
const RANDOM: Random = { hex: () => '', fraction: () => 0.5 };

/** A clock whose timers are due as soon as they are set: time jumps to them. With `stopped`, they never are. */
class JumpingClock implements Clock {
  time = Date.parse('2026-03-01T12:00:00Z');
  stopped = false;
  readonly start = this.time;
  now = (): number => this.time;
  monotonic = (): number => this.time;
  every = (): (() => void) => () => undefined;
  after = (ms: number, run: () => void): (() => void) => {
    let cancelled = this.stopped;
    queueMicrotask(() => {
      if (cancelled) return;
      this.time += ms;
      run();
    });
    return () => (cancelled = true);
  };
}

let server: RawServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

interface Setup {
  clock: JumpingClock;
  holds: KeyHolds;
  /** Milliseconds on the clock at which each request came. */
  arrivals: number[];
  run(maxTries?: number, signal?: AbortSignal): AsyncGenerator<RequestEvent, void, undefined>;
}

async function setUp(
  answer: (response: ServerResponse, index: number) => void,
  onHold: OnHold = () => undefined,
): Promise<Setup> {
  const clock = new JumpingClock();
  const holds = new KeyHolds(clock, onHold);
  const arrivals: number[] = [];
  server = await startRawServer((response, index) => {
    arrivals.push(clock.time - clock.start);
    answer(response, index);
  });
  const bundle = loopbackBundle('anthropic', server.url);
  const run: Setup['run'] = (maxTries = 5, signal = new AbortController().signal) =>
    requestWithRetries(bundle, REQUEST, { signal, clock, random: RANDOM, maxTries, holds });
  return { clock, holds, arrivals, run };
}

async function all(events: AsyncIterable<RequestEvent>): Promise<RequestEvent[]> {
  const list: RequestEvent[] = [];
  for await (const each of events) list.push(each);
  return list;
}

const { begin, end } = ANSWERS.anthropic(['Whole']);
const good = (response: ServerResponse): void => sendStream(response, [begin + end]);
const refuse = (response: ServerResponse, status: number, headers: Record<string, string> = {}): void =>
  sendJson(response, status, { type: 'error', error: { type: 'x', message: 'slow down' } }, headers);

describe('R8: waits before the next request (B12)', () => {
  test.each<[string, number, Record<string, string>, number[]]>([
    ['429 with 7 s', 429, { 'retry-after': '7' }, [0, 7700, 15_400]],
    ['429 with a date', 429, { 'retry-after': 'Sun, 01 Mar 2026 12:00:10 GMT' }, [0, 11_000, 13_000]],
    ['429 with retry-after-ms', 429, { 'retry-after-ms': '1500' }, [0, 1650, 3300]],
    ['429 with 0', 429, { 'retry-after': '0' }, [0, 1000, 3000]],
    ['429 with -5', 429, { 'retry-after': '-5' }, [0, 1000, 3000]],
    ['429 with abc', 429, { 'retry-after': 'abc' }, [0, 1000, 3000]],
    ['429 without', 429, {}, [0, 1000, 3000]],
    ['529 with 7 s', 529, { 'retry-after': '7' }, [0, 7700, 15_400]],
    ['503 with 7 s', 503, { 'retry-after': '7' }, [0, 7700, 15_400]],
    ['408 without', 408, {}, [0, 1000, 3000]],
    ['500 without', 500, {}, [0, 1000, 3000]],
  ])('%s → requests at the asked times', async (_name, status, headers, expected) => {
    const { arrivals, run, clock } = await setUp((response, index) => {
      const date = new Date(clock.time).toUTCString();
      return index < 2 ? refuse(response, status, { ...headers, date }) : good(response);
    });
    const events = await all(run());
    expect(arrivals).toEqual(expected);
    expect(events.at(-1)).toMatchObject({ type: 'finish' });
    expect(events.filter((each) => each.type === 'retry_wait')).toHaveLength(2);
    expect(events.filter((each) => each.type === 'retry_start').map((each) => each.attempt)).toEqual([2, 3]);
  });

  test('B12: 86400 s → one request, and a failure that names the time', async () => {
    const { arrivals, run } = await setUp((response) => refuse(response, 429, { 'retry-after': '86400' }));
    const events = await all(run());
    expect(arrivals).toHaveLength(1);
    expect(events).toEqual([
      {
        type: 'failure',
        failure: expect.objectContaining({
          reason: 'rate_limit',
          message: expect.stringContaining('2026-03-02 12:00 UTC'),
        }),
      },
    ]);
  });

  test.each([
    [429, 'rate_limit'],
    [503, 'overloaded'],
    [529, 'overloaded'],
  ])('case 14: %s five times → %s after five requests', async (status, reason) => {
    const { arrivals, run } = await setUp((response) => refuse(response, status));
    const events = await all(run());
    expect(arrivals).toEqual([0, 1000, 3000, 7000, 15_000]);
    expect(events.at(-1)).toMatchObject({
      type: 'failure',
      failure: { reason, message: expect.stringContaining('after 5 tries') },
    });
  });

  test.each([401, 400, 404, 402])('case 14: %s → one request, no retry', async (status) => {
    const { arrivals, run } = await setUp((response) => refuse(response, status));
    expect((await all(run())).map((each) => each.type)).toEqual(['failure']);
    expect(arrivals).toHaveLength(1);
  });

  test('case 33: a stop cuts the wait at once', async () => {
    const { clock, arrivals, run } = await setUp((response) => refuse(response, 429, { 'retry-after': '600' }));
    clock.stopped = true;
    const stop = new AbortController();
    const events: RequestEvent[] = [];
    for await (const each of run(5, stop.signal)) {
      events.push(each);
      if (each.type === 'retry_wait') queueMicrotask(() => stop.abort());
    }
    expect(events.map((each) => each.type)).toEqual(['retry_wait', 'aborted']);
    expect(arrivals).toHaveLength(1);
  });
});

describe('R8: runs on one key are held together', () => {
  test('a sibling waits before its first request, with its own spread', async () => {
    const told: [string, number][] = [];
    const { clock, arrivals, run } = await setUp(
      (response, index) => (index === 0 ? refuse(response, 429, { 'retry-after': '7' }) : good(response)),
      (keyId, until) => told.push([keyId, until]),
    );
    const first = run();
    const wait = await first.next();
    expect(wait.value).toMatchObject({ type: 'retry_wait', attempt: 2, failure: { reason: 'rate_limit' } });
    const sibling = await all(run());
    expect(sibling[0]).toEqual({ type: 'retry_wait', until: clock.start + 7700, attempt: 1, failure: null });
    expect(sibling[1]).toEqual({ type: 'retry_start', attempt: 1 });
    expect(arrivals[1]).toBe(7700);
    expect(told).toEqual([[keyIdOf(loopbackBundle('anthropic', server?.url ?? '')), clock.start + 7000]]);
    await first.return();
  });

  test('a hold from another process is kept too, and a longer one prolongs it', async () => {
    const { clock, holds, arrivals, run } = await setUp(good);
    const keyId = keyIdOf(loopbackBundle('anthropic', server?.url ?? ''));
    holds.hold(keyId, clock.start + 3000);
    holds.hold(keyId, clock.start + 1000);
    await all(run());
    expect(arrivals).toEqual([3300]);
  });

  test('another key is not held', async () => {
    const { clock, holds, arrivals, run } = await setUp(good);
    holds.hold(keyIdOf(loopbackBundle('anthropic', server?.url ?? '', 'another-key')), clock.start + 3000);
    await all(run());
    expect(arrivals).toEqual([0]);
  });

  test('the name of a key does not tell it', () => {
    expect(keyIdOf(loopbackBundle('anthropic', 'http://127.0.0.1:1', 'CANARY-1'))).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe('R8: partial text of a broken stream is kept once (B08)', () => {
  const busy = event({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } });
  const partial = (text: string): string => ANSWERS.anthropic([text]).begin + busy;

  test('broken twice at growing places, then whole → each new partial once', async () => {
    const streams = [partial('Par'), partial('Par'), partial('Partial'), begin + end];
    const { run } = await setUp((response, index) => sendStream(response, [streams[index] ?? '']));
    const events = await all(run());
    expect(events.filter((each) => each.type === 'attempt_broken')).toEqual([
      { type: 'attempt_broken', keep: true, text: 'Par' },
      { type: 'attempt_broken', keep: false, text: 'Par' },
      { type: 'attempt_broken', keep: true, text: 'Partial' },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'finish', message: { parts: [{ text: 'Whole' }] } });
  });

  test('broken to the end → kept once, then the failure', async () => {
    const { arrivals, run } = await setUp((response) => sendStream(response, [partial('Par')]));
    const events = await all(run(3));
    expect(arrivals).toHaveLength(3);
    expect(events.filter((each) => each.type === 'attempt_broken').map((each) => each.keep)).toEqual([
      true,
      false,
      false,
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'failure', failure: { reason: 'overloaded' } });
  });

  test('B36: the usage of a failed try is counted, cumulative figures once', async () => {
    const more = event({ type: 'message_delta', delta: {}, usage: { output_tokens: 4 } });
    const streams = [ANSWERS.anthropic(['Par']).begin + more + more + busy, begin + more + end];
    const { run } = await setUp((response, index) => sendStream(response, [streams[index] ?? '']));
    const events = await all(run());
    expect(events.filter((each) => each.type === 'usage').at(-1)).toEqual({
      type: 'usage',
      tokens: { input: 6, cached_input: 0, cache_write: 0, output: 9, reasoning: 0 },
    });
  });
});
