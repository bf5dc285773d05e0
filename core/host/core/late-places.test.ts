import { expect, test } from 'vitest';
import { manualClock } from '../../testing/manual-clock.ts';
import { LatePlaces } from './late-places.ts';

const MINUTE = 60_000;

function places(alive: Set<number>) {
  const clock = manualClock();
  const given: string[] = [];
  const living: ConstructorParameters<typeof LatePlaces>[0]['living'] = (all) =>
    Promise.resolve(all.filter(({ pid }) => alive.has(pid)));
  const late = new LatePlaces({ clock, living, give: (runId) => void given.push(runId) });
  const wait = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { late, given, wait };
}

test('R1: a place is held until what is left of its run is gone', async () => {
  const alive = new Set([7, 8]);
  const { late, given, wait } = places(alive);
  late.hold('run_a', [
    { pid: 7, command: 'a', started: 'x' },
    { pid: 8, command: 'b', started: 'y' },
  ]);
  await wait(MINUTE);
  alive.delete(7);
  await wait(MINUTE);
  expect(given).toEqual([]);
  alive.delete(8);
  await wait(5000);
  expect([given, late.size]).toEqual([['run_a'], 0]);
  await wait(30 * MINUTE);
  expect(given).toEqual(['run_a']);
});

test.each([
  ['does not go', [{ pid: 7, command: 'a', started: 'x' }]],
  ['cannot be told from another process', [{ pid: 9, command: 'a' }]],
  ['is not known', []],
])('R1: what %s holds it for 20 minutes, and no longer', async (_, left) => {
  const { late, given, wait } = places(new Set([7]));
  late.hold('run_a', left);
  await wait(20 * MINUTE - 1);
  expect(given).toEqual([]);
  await wait(1);
  expect(given).toEqual(['run_a']);
});

test('a core that goes gives nothing back', async () => {
  const { late, given, wait } = places(new Set());
  late.hold('run_a', [{ pid: 7, command: 'a', started: 'x' }]);
  late.close();
  await wait(30 * MINUTE);
  expect(given).toEqual([]);
});
