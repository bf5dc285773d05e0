import { expect, test } from 'vitest';
import { manualClock } from '../../testing/manual-clock.ts';
import type { ManualClock } from '../../testing/manual-clock.ts';
import { ActivityMonitor } from './activity-monitor.ts';

interface Watched {
  clock: ManualClock;
  monitor: ActivityMonitor;
  found: string[];
  tool: { running: boolean };
}

function watched(limits: { timeout_seconds?: number | null } = {}, clock = manualClock()): Watched {
  const found: string[] = [];
  const tool = { running: false };
  const monitor = new ActivityMonitor({
    clock,
    limits: {
      timeout_seconds: null,
      idle_seconds: 450,
      tool_idle_seconds: 1200,
      open_request_seconds: 1800,
      ...limits,
    },
    findings: {
      idle: (seconds) => void found.push(`idle ${seconds}`),
      awake: () => void found.push('awake'),
      over: (reason) => void found.push(reason),
    },
    inTool: () => tool.running,
  });
  return { clock, monitor, found, tool };
}

test('R7: only time at work is active time', () => {
  const { clock, monitor } = watched();
  clock.advance(2500);
  monitor.setActive(false);
  clock.advance(60_000);
  monitor.setActive(true);
  clock.advance(1250);
  expect(monitor.activeSeconds()).toBeCloseTo(3.75);
});

test('R7, B45: a tick that comes more than three periods late was frozen time; one that comes a little late was not', () => {
  const { clock, monitor, found } = watched({ timeout_seconds: 100 });
  clock.advance(10_000);
  clock.freeze(3 * 3_600_000);
  expect(monitor.activeSeconds()).toBeCloseTo(10);
  clock.advance(5000);
  clock.freeze(3500);
  expect(monitor.activeSeconds()).toBeCloseTo(18.5);
  expect(found).toEqual([]);
});

test('R7, B45: frozen between two of its own steps, as it begins or in a tick: that does not count either', () => {
  const clock = manualClock();
  let reads = 0;
  const frozenAfter = (count: number): ManualClock => ({
    ...clock,
    monotonic() {
      const now = clock.monotonic();
      reads += 1;
      if (reads === count) clock.freeze(8000);
      return now;
    },
  });
  const { monitor } = watched({}, frozenAfter(1));
  expect(monitor.activeSeconds()).toBe(0);
  reads = 0;
  const ticking = watched({}, frozenAfter(2));
  clock.advance(1000);
  expect(ticking.monitor.activeSeconds()).toBeCloseTo(1);
});

test('R7, B45: who asks first after a sleep does not count it either', () => {
  const { clock, monitor } = watched();
  clock.advance(10_000);
  // As if the question came before the timer that was due.
  const asked: number[] = [];
  clock.after(5, () => asked.push(monitor.activeSeconds()));
  clock.freeze(900_000);
  expect(asked[0]).toBeCloseTo(10);
});

test('R7: the deadline is met to the tick, and not before', () => {
  const { clock, found } = watched({ timeout_seconds: 2.5 });
  clock.advance(2490);
  expect(found).toEqual([]);
  clock.advance(20);
  expect(found).toEqual(['deadline']);
  clock.advance(100_000);
  expect(found).toEqual(['deadline']);
});

test('R7: after 450 s without activity the run is nudged once, after 120 s more it is stalled', () => {
  const { clock, found } = watched();
  clock.advance(449_000);
  expect(found).toEqual([]);
  clock.advance(2000);
  expect(found).toEqual(['idle 450']);
  clock.advance(118_000);
  expect(found).toEqual(['idle 450']);
  clock.advance(2000);
  expect(found).toEqual(['idle 450', 'stalled']);
});

test('R7: in a tool the limit is 1,200 s; any activity begins anew; waiting is not idling', () => {
  const { clock, monitor, found, tool } = watched();
  tool.running = true;
  clock.advance(1_199_000);
  expect(found).toEqual([]);
  tool.running = false;
  monitor.touch();
  clock.advance(449_000);
  monitor.setActive(false);
  clock.advance(10_000_000);
  monitor.setActive(true);
  clock.advance(449_000);
  expect(found).toEqual([]);
  monitor.close();
  clock.advance(10_000_000);
  expect(found).toEqual([]);
});

test('R7, B12: a wait whose time counts runs into the deadline, and is no idling', () => {
  const { clock, monitor, found } = watched({ timeout_seconds: 2000 });
  monitor.setActive(true, true);
  clock.advance(1_999_000);
  expect(found).toEqual([]);
  clock.advance(1000);
  expect(found).toEqual(['deadline']);
});

test('R7: something that happens after the nudge is told, and the run is not stalled', () => {
  const { clock, monitor, found } = watched();
  clock.advance(460_000);
  monitor.touch();
  clock.advance(440_000);
  expect(found).toEqual(['idle 450', 'awake']);
});

test('R7: an open model request counts as activity for 1,800 s, then the run idles as ever', () => {
  const { clock, monitor, found } = watched();
  monitor.setRequestOpen(true);
  clock.advance(1_799_000);
  monitor.touch();
  clock.advance(440_000);
  expect(found).toEqual([]);
  clock.advance(20_000);
  expect(found).toEqual(['idle 450']);
  monitor.setRequestOpen(false);
  clock.advance(2000);
  expect(found).toEqual(['idle 450', 'awake']);
});

test('B45: fifty runs asleep for two hours wake up once each, and none has lost a second of its limit', () => {
  const runs = Array.from({ length: 50 }, (_, n) => watched({ timeout_seconds: 60 + n }));
  for (const { clock } of runs) {
    clock.advance(30_000);
    clock.freeze(2 * 3_600_000);
    clock.advance(29_000);
  }
  expect(runs.flatMap(({ found }) => found)).toEqual([]);
  runs.forEach(({ clock, found }, n) => {
    clock.advance((n + 1) * 1000 + 1000);
    expect(found).toEqual(['deadline']);
  });
});
