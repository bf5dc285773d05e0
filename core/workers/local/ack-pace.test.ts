import { expect, test } from 'vitest';
import { manualClock, type ManualClock } from '../../testing/manual-clock.ts';
import { AckPace } from './ack-pace.ts';

function paced(): { clock: ManualClock; pace: AckPace; sent: number[] } {
  const clock = manualClock();
  const sent: number[] = [];
  return { clock, sent, pace: new AckPace(clock, (seq) => sent.push(seq)) };
}

test('a commit that comes alone is acknowledged at once; of many in 100 ms the last is, once', () => {
  const { clock, pace, sent } = paced();
  pace.committed(1, 10);
  expect(sent).toEqual([1]);
  for (const seq of [2, 3, 4]) pace.committed(seq, 10);
  expect(sent).toEqual([1]);
  clock.advance(100);
  expect(sent).toEqual([1, 4]);
  clock.advance(1000);
  expect(sent).toEqual([1, 4]);
});

test('much text is acknowledged at once, so that the worker never has to spool what is committed', () => {
  const { pace, sent } = paced();
  pace.committed(1, 10);
  pace.committed(2, 200 * 1024);
  expect(sent).toEqual([1]);
  pace.committed(3, 100 * 1024);
  expect(sent).toEqual([1, 3]);
});

test('what waits goes before another frame, and nothing follows once it is closed', () => {
  const { clock, pace, sent } = paced();
  pace.committed(1, 10);
  pace.committed(2, 10);
  pace.flush();
  expect(sent).toEqual([1, 2]);
  pace.committed(3, 10);
  pace.close();
  clock.advance(1000);
  expect(sent).toEqual([1, 2]);
});
