import { afterEach, describe, expect, test } from 'vitest';
import { systemRandom } from '../../kit/random.ts';
import type { Clock } from '../../kit/clock.ts';
import type { FeedMessage, Scope, Snapshot } from '../../protocol/feed.ts';
import { delta, end, entry, EngineLab, type LabCore } from '../../testing/engine-lab.ts';
import { manualClock, type ManualClock } from '../../testing/manual-clock.ts';
import { FeedHub } from '../live/feed-hub.ts';

/* What one delta costs on its way, in counts: a slow machine changes none of them. */

const WORDS = 'some words of what is written ';
let lab: EngineLab;
afterEach(async () => {
  await lab.close();
});

/** A core with so many runs that have an open answer. */
async function writing(count: number, clock: Clock): Promise<{ core: LabCore; runs: string[] }> {
  lab = new EngineLab();
  const core = await lab.core({ clock });
  const dispatched = await core.dispatch(count);
  const runs = dispatched.ok ? [...dispatched.value.run_ids] : [];
  for (const run of runs) await core.start(run);
  for (const run of runs) core.tell(run, entry(0));
  await core.engine.settled();
  core.transactions = 0;
  core.statements = 0;
  core.published.length = 0;
  return { core, runs };
}

/** `times` deltas of each run, `everyMs` apart, each given the time to be committed if it is due. */
async function stream(
  { core, runs }: { core: LabCore; runs: readonly string[] },
  clock: ManualClock,
  times: number,
  everyMs: number,
): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    for (const run of runs) core.tell(run, delta(0, n * WORDS.length, WORDS));
    clock.advance(everyMs);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await core.engine.settled();
}

describe('the path of a delta', () => {
  test('many runs that write share their commits: at most 40 a second, however many they are', async () => {
    const clock = manualClock();
    const written = await writing(20, clock);
    await stream(written, clock, 50, 20);
    expect(written.core.transactions).toBeGreaterThan(5);
    expect(written.core.transactions).toBeLessThanOrEqual(41);
  });

  test('a commit has two statements for each run that wrote, its text and its sequence, however many deltas came', async () => {
    const clock = manualClock();
    const { core, runs } = await writing(20, clock);
    for (const run of runs) for (let n = 0; n < 30; n += 1) core.tell(run, delta(0, n * WORDS.length, WORDS));
    await core.engine.settled();
    expect(core.transactions).toBe(1);
    expect(core.statements).toBe(2 * runs.length);
  });

  test('the end of an answer is written in at most four statements: text, chunks gone, sequence', async () => {
    const { core, runs } = await writing(1, manualClock());
    core.tell(runs[0] ?? '', delta(0, 0, WORDS), end(0));
    await core.engine.settled();
    expect(core.transactions).toBe(1);
    expect(core.statements).toBeLessThanOrEqual(4);
  });

  test('flushes that take long leave the loop four times as long to all else, and text waits 100 ms at most', async () => {
    const manual = manualClock();
    const waits: number[] = [];
    let cost = 0;
    let now = 0;
    const clock: Clock = {
      ...manual,
      monotonic: () => (now += cost),
      after: (ms, run) => {
        waits.push(ms);
        return manual.after(ms, run);
      },
    };
    const { core, runs } = await writing(1, clock);
    for (const [ms, wait] of [
      [0, 25],
      [15, 60],
      [500, 100],
      [0, 25],
    ] as const) {
      cost = ms;
      core.tell(runs[0] ?? '', { type: 'activity', text: `${ms} then ${wait}` });
      await core.engine.settled();
      waits.length = 0;
      core.tell(runs[0] ?? '', { type: 'activity', text: `after ${ms}` });
      expect(waits).toEqual([wait]);
    }
  });

  test('a client is told of all deltas of a commit in one change, with less than 150 bytes around their text', async () => {
    const clock = manualClock();
    const { core, runs } = await writing(1, clock);
    const run_id = runs[0] ?? '';
    for (let n = 0; n < 10; n += 1) core.tell(run_id, delta(0, n * WORDS.length, WORDS));
    await core.engine.settled();
    const scope: Scope = { type: 'transcript', run_id };
    const rows = { projects: [], conversations: [], sets: [], runs: [], asks: [], steers: [], entries: [] };
    const snapshot: Snapshot = { scope, app: null, ...rows, entry_count: 0 };
    const hub = new FeedHub({ clock, boot: 'boot', random: systemRandom, snapshot: () => snapshot });
    const feed = hub.subscribe({ client: 'test', can_answer: false, scopes: [scope] });
    const hear = async (): Promise<FeedMessage> => (await feed.next()).value as FeedMessage;
    expect([(await hear()).type, (await hear()).type]).toEqual(['hello', 'snapshot']);
    for (const changes of core.published) hub.publish(changes);
    const told = JSON.stringify(await hear());
    expect(told.split(WORDS)).toHaveLength(11);
    expect(told.length - 10 * WORDS.length).toBeLessThan(150);
    core.published.length = 0;
    core.tell(run_id, delta(0, 10 * WORDS.length, WORDS), end(0));
    await core.engine.settled();
    for (const changes of core.published) hub.publish(changes);
    const over = JSON.stringify(await hear());
    // The end tells no text again that was told before.
    expect(over.split(WORDS)).toHaveLength(2);
    expect(over).toContain('"entry_end"');
    await feed.return(undefined);
  });
});
