import { expect, test } from 'vitest';
import type { Clock } from '../clock.ts';
import type { ProcessListing, ProcessSource } from './process-entry.ts';
import { ProcessScanner } from './process-scanner.ts';

/** A source whose listings are answered by hand. */
function slowSource(): { source: ProcessSource; answer(): Promise<void>; started(): number } {
  const open: ((listing: ProcessListing) => void)[] = [];
  let started = 0;
  const unused = (): never => {
    throw new Error('not used here');
  };
  const source: ProcessSource = {
    ownPid: 1,
    startedAt: unused,
    proof: 'descendants',
    list: () => {
      started += 1;
      return new Promise((resolve) => open.push(resolve));
    },
    identify: unused,
    living: unused,
    inspect: unused,
    signal: unused,
  };
  const answer = async (): Promise<void> => {
    open.shift()?.({ entries: [], vanished: 0 });
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { source, answer, started: () => started };
}

/** A clock whose timers are looked at and run by hand. */
function handClock(): { clock: Clock; waits: number[]; fire(): void; pass(ms: number): void } {
  let time = 0;
  let pending: (() => void) | null = null;
  const waits: number[] = [];
  const clock: Clock = {
    now: () => time,
    monotonic: () => time,
    after(ms, run) {
      waits.push(ms);
      pending = run;
      return () => {
        if (pending === run) pending = null;
      };
    },
    every: () => () => undefined,
  };
  const fire = (): void => {
    const run = pending;
    pending = null;
    run?.();
  };
  return { clock, waits, fire, pass: (ms) => (time += ms) };
}

const PACE = { minMs: 500, maxMs: 1000 };

test('calls during a listing share the next one, which begins after them', async () => {
  const { source, answer, started } = slowSource();
  const scanner = new ProcessScanner({ source, clock: handClock().clock });
  const first = scanner.fresh();
  const second = scanner.fresh();
  const third = scanner.fresh();
  expect(started()).toBe(1);
  await answer();
  expect(started()).toBe(2);
  await answer();
  const [a, b, c] = await Promise.all([first, second, third]);
  expect(b).toBe(c);
  expect(b.order).toBeGreaterThan(a.order);
});

test('listings become rarer while nothing changes, and frequent again after a change', async () => {
  const { source, answer } = slowSource();
  const { clock, waits, fire } = handClock();
  const scanner = new ProcessScanner({ source, clock, scanEveryMs: PACE });
  let changed = false;
  const stop = scanner.watch({ onTable: () => Promise.resolve(changed), owns: () => false });
  for (const change of [false, false, true]) {
    changed = change;
    fire();
    await answer();
  }
  expect(waits).toEqual([500, 750, 1000, 500]);
  stop();
  fire();
  expect(waits).toHaveLength(4);
});

test('a stream of new trees does not put a due listing off', () => {
  const { source, started } = slowSource();
  const { clock, fire, pass } = handClock();
  const scanner = new ProcessScanner({ source, clock, scanEveryMs: PACE });
  const listener = { onTable: () => Promise.resolve(false), owns: () => false };
  scanner.watch(listener);
  pass(400);
  scanner.watch({ ...listener });
  fire();
  expect(started()).toBe(1);
});

test('a failing listing is rejected to who asked, and the next is tried anew', async () => {
  const { source, answer, started } = slowSource();
  const { clock, fire } = handClock();
  let fail = true;
  const list = source.list.bind(source);
  source.list = () => (fail ? Promise.reject(new Error('no ps')) : list());
  const scanner = new ProcessScanner({ source, clock });
  const stop = scanner.watch({ onTable: () => Promise.resolve(false), owns: () => false });
  await expect(scanner.fresh()).rejects.toThrow('no ps');
  fire();
  await answer();
  fail = false;
  const next = scanner.fresh();
  await answer();
  expect((await next).byPid.size).toBe(0);
  expect(started()).toBe(1);
  stop();
});
