import { describe, expect, test } from 'vitest';
import type { TimelineSpan } from '../../../../core/protocol/history.ts';
import type { RunRow } from '../../../../core/protocol/rows.ts';
import { NO_TOKENS } from '../../../../core/protocol/token-sums.ts';
import { applyFeed, EMPTY_LIVE } from '../../../app/live-state.ts';
import { aRun, aSet } from '../../../testing/fixtures.ts';
import { barsOf, lifeWords } from './bars.ts';
import { momentsOf, moneyOverTime, placesNow, placesOverTime } from './charts.ts';
import { lanesOf } from './lanes.ts';
import { kindOf, lifeAt, livesOf } from './lives.ts';
import { notePlace } from './note-place.ts';
import { pastRows } from './past-rows.ts';
import { countsAt, endedBy, markAt } from './replay-state.ts';
import { busyTimes, fittingScale, GAP_PX, idleGaps, ticksOf, TimeScale, zoomed } from './time-scale.ts';

const MINUTE = 60_000;
const span = (
  run_id: string,
  from: number,
  to: number | null,
  state: string,
  reason: string | null = null,
): TimelineSpan => ({
  run_id,
  from: from * MINUTE,
  to: to === null ? null : to * MINUTE,
  state,
  reason,
});
const ended = (id: string, from: number, to: number, part: Partial<RunRow> = {}): RunRow =>
  aRun({
    run_id: id,
    queued_at: 0,
    started_at: from * MINUTE,
    ended_at: to * MINUTE,
    state: 'ended',
    outcome: 'completed',
    ...part,
  });

/** `a` ran 0–4 and failed; `b` waited for it, ran 4–6, asked 6–20, ran 20–22. */
const RUNS = [ended('a', 0, 4, { outcome: 'failed' }), ended('b', 4, 22)];
const SPANS = [
  span('a', 0, 4, 'running'),
  span('b', 0, 4, 'queued', 'dependency'),
  span('b', 4, 6, 'running'),
  span('b', 6, 20, 'waiting', 'permission'),
  span('b', 20, 22, 'running'),
];
const LIVES = livesOf(SPANS, RUNS);
const TO = 22 * MINUTE;

describe('the life of a run', () => {
  test.each([
    ['queued', 'dependency', 'queued'],
    ['waiting', 'concurrency', 'queued'],
    ['waiting', 'user', 'queued'],
    ['starting', null, 'running'],
    ['stopping', null, 'running'],
    ['waiting', 'rate_limit', 'waiting'],
    ['waiting', 'question', 'needs'],
    ['queued', 'paused', 'paused'],
    ['hibernating', null, 'running'],
  ])('%s, %s → %s', (state, reason, kind) => {
    expect(kindOf(state, reason)).toBe(kind);
  });

  test('joins what starts and runs, and leaves out nothing', () => {
    const lives = livesOf([span('a', 0, 1, 'starting'), span('a', 1, 4, 'running')], [RUNS[0]!]);
    expect(lives.get('a')?.stretches).toMatchObject([{ kind: 'running', from: 0, to: 4 * MINUTE }]);
  });

  test('of which the core told no end yet ends when the row says so', () => {
    const lives = livesOf([span('a', 0, null, 'running')], [RUNS[0]!]);
    expect(lives.get('a')?.stretches).toMatchObject([{ kind: 'running', to: 4 * MINUTE }]);
  });

  test('of a run that has begun since is queued until then', () => {
    const run = aRun({ run_id: 'c', queued_at: 0, started_at: 3 * MINUTE });
    const kinds = livesOf([span('c', 0, null, 'queued')], [run]).get('c')?.stretches;
    expect(kinds).toMatchObject([
      { kind: 'queued', to: 3 * MINUTE },
      { kind: 'running', from: 3 * MINUTE, to: null },
    ]);
    expect(
      livesOf([], [run])
        .get('c')
        ?.stretches.map(({ kind }) => kind),
    ).toEqual(['queued', 'running']);
  });

  test('reads as words, without the blink of a queue', () => {
    expect(lifeWords(LIVES.get('b')!, TO, [{ set: 2, at: new Date(2026, 4, 12, 14, 17).getTime() }])).toBe(
      'queued 4m (dependency), ran 4m, waited for you 14m (permission), started set 2 at 14:17',
    );
    expect(lifeWords({ ...LIVES.get('a')!, endedAt: null }, TO, [])).toBe('running 4m');
    expect(lifeWords(LIVES.get('a')!, TO, [])).toBe('ran 4m');
  });
});

describe('idle gaps', () => {
  test('are where nobody worked: a wait for a person is none of work', () => {
    const busy = busyTimes(LIVES.values(), TO);
    expect(busy).toEqual([
      { from: 0, to: 6 * MINUTE },
      { from: 20 * MINUTE, to: TO },
    ]);
    expect(idleGaps(busy, 0, TO)).toEqual([{ from: 6 * MINUTE, to: 20 * MINUTE }]);
  });

  test('shorter than a minute, or small in the picture, stay as they are', () => {
    const busy = [
      { from: 0, to: 100 * MINUTE },
      { from: 103 * MINUTE, to: 200 * MINUTE },
    ];
    expect(idleGaps(busy, 0, 200 * MINUTE)).toEqual([]);
    expect(idleGaps([{ from: 30_000, to: 90_000 }], 0, 90_000)).toEqual([]);
  });

  test('at both ends are folded too', () => {
    expect(idleGaps([{ from: 5 * MINUTE, to: 10 * MINUTE }], 0, 30 * MINUTE)).toHaveLength(2);
  });
});

describe('the axis', () => {
  const gaps = [{ from: 6 * MINUTE, to: 20 * MINUTE }];
  const scale = new TimeScale(0, TO, gaps, fittingScale(0, TO, gaps, 828));

  test('has 8 minutes of work and one seam in 828 pixels', () => {
    expect(scale.width).toBeCloseTo(828);
    expect(scale.work).toBe(8 * MINUTE);
    expect(scale.x(3 * MINUTE)).toBeCloseTo(300);
    expect(scale.x(6 * MINUTE)).toBeCloseTo(600);
    expect(scale.x(20 * MINUTE)).toBeCloseTo(600 + GAP_PX);
    expect(scale.x(TO)).toBeCloseTo(828);
  });

  test.each([0, 3, 6, 13, 20, 21.5, 22])('finds minute %d again from its pixel', (minute) => {
    expect(scale.time(scale.x(minute * MINUTE)) / MINUTE).toBeCloseTo(minute);
  });

  test('a replay steps over the gap', () => {
    expect(scale.workAt(13 * MINUTE)).toBe(6 * MINUTE);
    expect(scale.timeOfWork(6 * MINUTE)).toBe(20 * MINUTE);
    expect(scale.timeOfWork(7 * MINUTE)).toBe(21 * MINUTE);
    expect(scale.timeOfWork(99 * MINUTE)).toBe(TO);
  });

  test('has ticks at round times, none inside a gap, none too close', () => {
    const ticks = ticksOf(scale, 0, scale.width);
    expect(ticks.every(({ at }) => at % MINUTE === 0 && (at <= 6 * MINUTE || at >= 20 * MINUTE))).toBe(true);
    expect(ticks.length).toBeGreaterThan(4);
    expect(ticksOf(scale, 0, 200).length).toBeLessThan(ticks.length);
  });
});

describe('the replay', () => {
  test.each([
    ['a', -1, null],
    ['a', 2, 'running'],
    ['a', 4, 'failed'],
    ['b', 2, 'queued'],
    ['b', 5, 'running'],
    ['b', 12, 'permission'],
    ['b', 22, 'completed'],
  ] as const)('%s at minute %d → %s', (id, minute, mark) => {
    const run = RUNS.find(({ run_id }) => run_id === id)!;
    expect(markAt(run, LIVES.get(id), minute * MINUTE)).toBe(mark);
  });

  test('counts how the runs stood', () => {
    expect(countsAt(RUNS, LIVES, 5 * MINUTE)).toEqual([
      ['failed', 1],
      ['running', 1],
    ]);
  });

  test('C5: counts a slot once when its run was tried again', () => {
    const runs = [ended('a', 0, 4, { outcome: 'failed', retried_by: 'a2' }), ended('a2', 6, 9, { retry_of: 'a' })];
    const lives = livesOf([span('a', 0, 4, 'running'), span('a2', 6, 9, 'running')], runs);
    expect(countsAt(runs, lives, 5 * MINUTE)).toEqual([['failed', 1]]);
    expect(countsAt(runs, lives, 7 * MINUTE)).toEqual([['running', 1]]);
    expect([3, 5, 7, 9].map((minute) => endedBy(runs, lives, minute * MINUTE))).toEqual([0, 1, 0, 1]);
  });

  test('draws a life only up to the moment, and then what the run was doing', () => {
    const life = lifeAt(LIVES.get('b')!, 5 * MINUTE);
    expect(life).toEqual({
      endedAt: null,
      stretches: [
        { kind: 'queued', from: 0, to: 4 * MINUTE, state: 'queued', reason: 'dependency' },
        { kind: 'running', from: 4 * MINUTE, to: null, state: 'running', reason: null },
      ],
    });
    const scale = new TimeScale(0, TO, [], 1 / MINUTE);
    const bars = barsOf(RUNS[1]!, LIVES.get('b')!, scale, TO, 5 * MINUTE);
    expect(bars.at(-1)).toMatchObject({ x: 4, look: 'running', edge: true });
    const whole = barsOf(RUNS[0]!, LIVES.get('a')!, scale, TO, null);
    expect(whole).toEqual([{ x: 0, width: 4, look: 'failed', edge: false, cross: true }]);
  });
});

test('the places of a large set are as many as it had runs at once, in the order of their starts', () => {
  const runs = [
    ended('a', 0, 4),
    ended('b', 0, 2),
    ended('c', 2, 5),
    ended('d', 4, 6),
    aRun({ run_id: 'e', queued_at: 0, started_at: null, state: 'queued' }),
  ];
  const lives = livesOf(
    runs
      .slice(0, 4)
      .map((run) => span(run.run_id, (run.started_at ?? 0) / MINUTE, (run.ended_at ?? 0) / MINUTE, 'running')),
    runs,
  );
  expect(
    lanesOf(
      runs.map(({ run_id }) => run_id),
      lives,
    ),
  ).toEqual({
    lanes: [
      ['a', 'd'],
      ['b', 'c'],
    ],
    waiting: 1,
  });
});

describe('the charts', () => {
  test('count the places that were held: a run that asks keeps its own (R1)', () => {
    expect(placesOverTime(LIVES.values(), TO).map(({ at, value }) => [at / MINUTE, value])).toEqual([
      [0, 1],
      [4, 1],
      [6, 1],
      [20, 1],
      [22, 0],
    ]);
  });

  test('what has ended holds none at the end, what has not does', () => {
    const lives = [
      { stretches: [{ kind: 'running', from: 0, to: TO, state: 'running', reason: null }], endedAt: TO },
      { stretches: [{ kind: 'running', from: 0, to: null, state: 'running', reason: null }], endedAt: null },
    ] as const;
    expect(placesNow(lives)).toBe(1);
    expect(placesNow(lives.slice(0, 1))).toBe(0);
  });

  test('spread what a run cost over its work, and end at the sum', () => {
    const runs = [
      ended('a', 0, 4, { cost_usd: 1 }),
      ended('b', 4, 22, { cost_usd: 2 }),
      aRun({ run_id: 'x', cost_usd: null }),
    ];
    const money = moneyOverTime(runs, LIVES, 0, TO);
    const at = (minute: number): number => money.findLast((step) => step.at <= minute * MINUTE + 1)?.value ?? 0;
    expect(at(2)).toBeCloseTo(0.5, 1);
    expect(at(6)).toBeCloseTo(2, 1);
    expect(at(19)).toBeCloseTo(2, 1);
    expect(money.at(-1)?.value).toBeCloseTo(3);
  });

  test('mark what went wrong and what waited for somebody', () => {
    expect(momentsOf(RUNS, LIVES).map(({ at, type }) => [at / MINUTE, type])).toEqual([
      [4, 'broken'],
      [6, 'needs'],
    ]);
  });
});

describe('the rows of a moment', () => {
  const set = aSet({ delegation_id: 'd1', count: 2, ended: 2, created_at: 0, ended_at: TO });
  const rows = applyFeed(EMPTY_LIVE, [
    {
      type: 'changes',
      rev: 1,
      changes: [
        { type: 'set' as const, row: set },
        ...RUNS.map((row, at) => ({ type: 'run' as const, row: { ...row, delegation_id: 'd1', task_index: at } })),
      ],
    },
  ]);
  const at = (minute: number) => pastRows(rows, set.conversation_id, LIVES, minute * MINUTE);

  test('show each run and set as it stood: nothing that came later', () => {
    expect(at(2).runs.get('a')).toMatchObject({ state: 'running', outcome: null, ended_at: null, active_seconds: 120 });
    expect(at(2).runs.get('b')).toMatchObject({ state: 'queued', reason: 'dependency', started_at: null });
    expect(at(2).sets.get('d1')).toMatchObject({
      ended: 0,
      ended_at: null,
      totals: { tokens: NO_TOKENS, cost_usd: null },
    });
    expect(at(10).runs.get('a')).toMatchObject({ state: 'ended', outcome: 'failed' });
    expect(at(10).runs.get('b')).toMatchObject({ state: 'waiting', reason: 'permission', active_seconds: 120 });
    expect(at(10).sets.get('d1')).toMatchObject({ ended: 1 });
    expect(at(22).sets.get('d1')).toBe(set);
  });

  test('a set is there as soon as one of its runs is, whatever moment its own row has', () => {
    const late = { ...rows, sets: new Map([['d1', { ...set, created_at: 1 }]]) };
    expect(pastRows(late, set.conversation_id, LIVES, 0).setsOf.get(set.conversation_id)).toEqual(['d1']);
  });

  test('before the first of its runs there is no set', () => {
    const before = at(-1);
    expect([before.runs.size, before.sets.size, before.setsOf.get(set.conversation_id)]).toEqual([0, 0, []]);
  });
});

test('there is room to zoom in however short the conversation is, and zooming out ends where all is in view', () => {
  const oneSecond = fittingScale(0, 1000, [], 900);
  expect(zoomed(oneSecond, 1.5, oneSecond)).toBeCloseTo(oneSecond * 1.5);
  expect(zoomed(oneSecond * 3, 1.5, oneSecond)).toBeCloseTo(oneSecond * 4);
  const oneHour = fittingScale(0, 3_600_000, [], 900);
  expect(zoomed(0.39, 1.5, oneHour)).toBe(0.4);
  expect(zoomed(oneHour * 1.5, 1 / 1.5, oneHour)).toBeNull();
});

test.each([
  ['after the bars while there is room', 0, 100, { side: 'after', left: 107, width: 310 }],
  ['before bars that end at the edge', 300, 400, { side: 'before', left: 7, width: 286 }],
  ['on the end of bars that take it all', 0, 400, { side: 'over', left: 177, width: 240 }],
] as const)('what went wrong is written %s, and never beyond the axis', (_, from, to, place) => {
  expect(notePlace(from, to, 400)).toEqual(place);
});
