import { renameSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decidePlace } from '../../delegation/decide-attempt.ts';
import { decideCallRefused } from '../../delegation/decide-call.ts';
import type { WorkerEvent } from '../../protocol/frames.ts';
import { readEntries } from '../../registry/store/entries.ts';
import { EngineLab, delta, end, ended, entry, storedPart, type LabCore } from '../../testing/engine-lab.ts';
import { manualClock } from '../../testing/manual-clock.ts';

let lab: EngineLab;
let core: LabCore;

beforeEach(async () => {
  lab = new EngineLab();
  core = await lab.core();
});

afterEach(() => lab.close());

describe('D6: storage trouble', () => {
  test('memory goes back, commands are refused with the code storage, events come again; nothing is lost or doubled', async () => {
    const run = await core.running();
    const before = storedPart(core.tree);
    core.failWith('storage_full', 'storage_full');
    core.tell(run, entry(0, 'Hel'), { type: 'activity', text: 'x' });
    const refused = await core.dispatch(2, 'again');
    expect(refused).toMatchObject({ ok: false, error: { code: 'storage' } });
    expect(storedPart(core.tree)).toEqual(before);
    core.tell(run, delta(0, 3, 'lo'), end(0));
    while (core.acknowledged.length === 0) await core.engine.settled();
    expect(readEntries(core.engine.db, run, 0, 9)).toMatchObject([{ text: 'Hello', ended: true }]);
    expect(core.tree.runs.get(run)?.activity).toBe('x');
    expect(core.acknowledged.at(-1)?.seq).toBe(4);
    expect(core.troubles).toEqual(['storage_full', 'storage_full', null]);
    const again = await core.dispatch(2, 'again');
    expect(again.ok).toBe(true);
    expect(core.count('sets')).toBe(2);
    expect(storedPart((await lab.core()).tree)).toEqual(storedPart(core.tree));
  });

  test('a fact is decided again until it is stored: an ended worker ends its run once', async () => {
    const run = await core.running();
    core.tell(run, entry(0, 'Half'), ended());
    await core.engine.settled();
    core.failWith('storage_io');
    const told = core.exit(run);
    await core.engine.settled();
    expect(core.tree.runs.get(run)?.state).toBe('running');
    await core.engine.settled();
    await told;
    expect(core.tree.runs.get(run)).toMatchObject({ state: 'ended', outcome: 'completed' });
    expect(core.rows("SELECT 1 FROM events WHERE type = 'run_ended'")).toHaveLength(1);
    expect(core.rows("SELECT 1 FROM attempts WHERE state = 'ended'")).toHaveLength(1);
  });

  test('R1, P7: what a run is to hear with its place is not forgotten with the memory that a failed transaction costs', async () => {
    const run = await core.running();
    const call = (call_id: string): WorkerEvent => {
      return { type: 'call', call_id, tool: 'delegate_task', arguments: {} };
    };
    core.tell(run, call('c1'), { type: 'state', state: 'waiting', reason: 'children', until: null });
    await core.engine.settled();
    // Its children have ended, and all places are taken.
    await core.engine.fact(core.conversation, (step) => decideCallRefused(step, run, 'c1', 'the results'));
    expect(core.tree.runs.get(run)).toMatchObject({ state: 'waiting', reason: 'concurrency' });
    core.failWith('storage_full');
    core.tell(run, { type: 'activity', text: 'x' });
    while (!core.troubles.includes(null)) await core.engine.settled();
    const heard = () =>
      core.effects.filter(({ effect }) => effect.type === 'send' && effect.frame.type === 'call_result');
    expect(heard()).toEqual([]);
    await core.engine.fact(core.conversation, (step) => decidePlace(step, run));
    expect(heard()).toMatchObject([{ effect: { frame: { call_id: 'c1', text: 'the results' } } }]);
    await core.engine.fact(core.conversation, (step) => decidePlace(step, run));
    expect(heard()).toHaveLength(1);
  });

  test('the attempt of a start that could not be stored leaves no row: the next start is another', async () => {
    const answer = await core.dispatch(1);
    const run = answer.ok ? (answer.value.run_ids[0] ?? '') : '';
    core.failWith('storage_full');
    const started = core.start(run);
    await core.engine.settled();
    await core.engine.settled();
    const attempt = await started;
    expect(core.rows('SELECT attempt_id, n FROM attempts')).toEqual([{ attempt_id: attempt, n: 1 }]);
    expect(core.effects.filter(({ effect }) => effect.type === 'start_attempt')).toHaveLength(1);
  });

  test('with nothing but refused commands it is in trouble until the disk takes something again', async () => {
    const clock = manualClock();
    const timed = await lab.core({ clock });
    timed.failWith('storage_full', 'storage_full', 'storage_full');
    expect(await timed.dispatch(1)).toMatchObject({ ok: false, error: { code: 'storage' } });
    await timed.engine.settled();
    expect(timed.troubles).toEqual(['storage_full']);
    for (const troubles of [
      ['storage_full', 'storage_full'],
      ['storage_full', 'storage_full', 'storage_full'],
    ]) {
      clock.advance(500);
      await timed.engine.settled();
      expect(timed.troubles).toEqual(troubles);
    }
    clock.advance(500);
    while (timed.troubles.length === 3) await timed.engine.settled().then(() => new Promise(setImmediate));
    expect(timed.troubles.at(-1)).toBeNull();
    expect(timed.count('events')).toBe(0);
  });

  test('it tries again by itself after half a second', async () => {
    const clock = manualClock();
    const timed = await lab.core({ clock });
    const run = await timed.running();
    timed.failWith('storage_busy');
    timed.tell(run, { type: 'state', state: 'waiting', reason: 'rate_limit', until: 1 });
    await timed.engine.settled();
    expect(timed.acknowledged).toEqual([]);
    clock.advance(500);
    await timed.engine.settled();
    expect(timed.acknowledged).toHaveLength(1);
  });

  test('a database that is moved away: refused in plain words, nothing acknowledged, nothing crashes, closing ends', async () => {
    const run = await core.running();
    core.tell(run, { type: 'activity', text: 'before' });
    await core.engine.settled();
    const acknowledged = core.acknowledged.length;
    renameSync(lab.path, `${lab.path}.moved`);
    core.tell(run, { type: 'activity', text: 'after' });
    const refused = await core.dispatch(1);
    expect(refused).toMatchObject({ ok: false, error: { code: 'storage' } });
    expect(await core.dispatch(1)).toMatchObject({ ok: false, error: { code: 'storage' } });
    expect(core.acknowledged).toHaveLength(acknowledged);
    expect(core.troubles.at(-1)).toBe('storage_replaced');
    await core.engine.close();
    expect(await core.dispatch(1)).toMatchObject({ ok: false, error: { code: 'shutting_down' } });
  });
});
