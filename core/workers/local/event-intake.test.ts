import { expect, test } from 'vitest';
import type { Clock } from '../../kit/clock.ts';
import { takeLastWords } from './attempt-end.ts';
import { EventIntake } from './event-intake.ts';

const MB = 1024 * 1024;
const EVENT = { type: 'activity', text: 'a' } as const;

function intake(committed = 0): { intake: EventIntake; seqs: number[]; pressure: boolean[] } {
  const seqs: number[] = [];
  const pressure: boolean[] = [];
  const made = new EventIntake({
    committed,
    deliver: (seq) => void seqs.push(seq),
    pressure: (full) => void pressure.push(full),
  });
  return { intake: made, seqs, pressure };
}

test('D4: events go through once and in order; duplicates are dropped, a gap is told', () => {
  const { intake: each, seqs } = intake(4);
  expect([4, 5, 5, 6, 8, 7].map((seq) => each.take(seq, EVENT, 10))).toEqual([
    'duplicate',
    'taken',
    'duplicate',
    'taken',
    'gap',
    'taken',
  ]);
  expect(seqs).toEqual([5, 6, 7]);
});

test('acknowledgements are cumulative; one from the past, or beyond what came, says nothing more', () => {
  const { intake: each } = intake();
  for (const seq of [1, 2, 3]) each.take(seq, EVENT, 10);
  expect(each.ack(2)).toBeGreaterThan(0);
  expect(each.ack(1)).toBe(0);
  expect(each.ack(99)).toBeGreaterThan(0);
  expect(each.acked).toBe(3);
});

test('back-pressure begins above 4 MB that are not committed and ends at 1 MB', async () => {
  const { intake: each, pressure } = intake();
  for (let seq = 1; seq <= 4; seq += 1) each.take(seq, EVENT, MB);
  expect(pressure).toEqual([]);
  each.take(5, EVENT, 1);
  expect(pressure).toEqual([true]);
  let room = false;
  const waits = each.room().then(() => {
    room = true;
  });
  each.ack(2);
  await Promise.resolve();
  expect(room).toBe(false);
  each.ack(4);
  await waits;
  expect(pressure).toEqual([true, false]);
  await each.room();
});

test('D4: after a stall of the core the time for the last words is over before they were read; they are taken all the same', async () => {
  const { intake: each, seqs } = intake();
  const stalled = { after: (_: number, run: () => void) => queueMicrotask(run) } as unknown as Clock;
  let isRead = true;
  const connection = { closed: new Promise<void>(() => undefined), replace: () => void (isRead = false) };
  // As the loop reads from a socket: in turns of its own.
  setImmediate(() => {
    if (isRead) each.take(1, EVENT, 10);
    setImmediate(() => isRead && each.take(2, EVENT, 10));
  });
  await takeLastWords({ connection, spool: '/nowhere/spool.ndjson', intake: each }, stalled);
  expect(seqs).toEqual([1, 2]);
});
