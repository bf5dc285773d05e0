import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decideAdd } from '../../delegation/decide-add.ts';
import { decideCall, decideSpawn } from '../../delegation/decide-call.ts';
import { decideSteer } from '../../delegation/decide-steer.ts';
import { decideStop } from '../../delegation/decide-stop.ts';
import { ok } from '../../kit/result.ts';
import { isLive } from '../../protocol/lifecycle.ts';
import { testBatch, testReport } from '../../testing/delegation.ts';
import { EngineLab, ended, entry, storedPart, type LabCore } from '../../testing/engine-lab.ts';

let lab: EngineLab;
let core: LabCore;

beforeEach(async () => {
  lab = new EngineLab();
  core = await lab.core();
});

afterEach(() => lab.close());

describe('D5: a core that was killed', () => {
  test('case 38: the next one reads the very tree that the earlier one had', async () => {
    const answer = await core.dispatch([{ id: 'a', label: 'First' }, { depends_on: ['a'] }, { retry: 1 }, {}]);
    const [a = '', , c = '', d = ''] = answer.ok ? answer.value.run_ids : [];
    for (const run of [a, c, d]) await core.start(run);
    core.tell(a, entry(0, 'x'), { type: 'progress', progress: testReport().progress });
    core.tell(a, { type: 'call', call_id: 'c1', tool: 'delegate_task', arguments: { tasks: [] } });
    await core.engine.fact(core.conversation, (step) => decideSpawn(step, a, 'c1', testBatch(2), true));
    core.tell(a, { type: 'state', state: 'waiting', reason: 'children', until: null });
    core.tell(d, { type: 'ask', key: 'k', kind: 'permission', title: 't', tool: 'bash', detail: 'ls', diff: null });
    await core.engine.command(core.conversation, (step) => decideSteer(step, d, 'steer', 'Look here'));
    core.tell(c, ended({ answer: '' }));
    await core.exit(c);
    await core.engine.command(core.conversation, (step) => ok(decideStop(step, [d])));
    await core.engine.settled();
    const next = await lab.core();
    expect(storedPart(next.tree)).toEqual(storedPart(core.tree));
    expect(next.tree.fanOut).toEqual(new Map([[a, 2]]));
  });

  test('case 38: what was decided and not committed is gone, and nothing else', async () => {
    await core.dispatch(1);
    const before = storedPart(core.tree);
    core.failWith('storage_io', 'storage_io');
    await core.dispatch(3);
    expect(storedPart((await lab.core()).tree)).toEqual(before);
  });

  test('S8, S7: tasks that were being added when the core was killed are all there or none, and the same token adds them once', async () => {
    const answer = await core.dispatch(2);
    const set = answer.ok ? answer.value.delegation_id : '';
    const add = (to: LabCore) =>
      to.engine.command(to.conversation, (step) => decideAdd(step, set, testBatch(3)), { token: 'add-1' });
    const before = storedPart(core.tree);
    core.failWith('storage_io');
    expect(await add(core)).toMatchObject({ ok: false });
    const second = await lab.core();
    expect(storedPart(second.tree)).toEqual(before);
    const added = await add(second);
    expect(added).toMatchObject({ ok: true, value: { count: 3 } });
    const third = await lab.core();
    expect(await add(third)).toEqual(added);
    expect([third.count('runs'), third.tree.sets.get(set)?.count]).toEqual([5, 5]);
    expect(third.tree.slots.get(set)?.slice(2)).toEqual(added.ok ? added.value.run_ids : []);
  });

  test('D3: calls that were stored and not carried out are in the outbox, leased by the earlier core', async () => {
    const run = await core.running();
    core.tell(run, { type: 'call', call_id: 'c1', tool: 'delegate_task', arguments: {} });
    await core.engine.settled();
    for (const { effect, done } of core.effects) if (effect.type === 'start_attempt') done();
    await core.engine.settled();
    const next = await lab.core();
    const [left] = next.engine.outbox.left;
    expect(next.engine.outbox.left).toHaveLength(1);
    expect(left).toMatchObject({ type: 'take_up_call', key: `${run}/c1`, lease: 'boot-1', body: { call_id: 'c1' } });
    if (left) next.engine.outbox.settle(left);
    await next.engine.settled();
    expect(next.count('outbox')).toBe(0);
    expect((await lab.core()).engine.outbox.left).toEqual([]);
  });

  test('D3: a done effect leaves the outbox, also when a transaction fails in between', async () => {
    const run = await core.running();
    core.tell(run, { type: 'call', call_id: 'c1', tool: 'delegate_task', arguments: {} });
    await core.engine.settled();
    core.failWith('storage_full');
    for (const { done } of core.effects.splice(0)) done();
    await core.engine.settled();
    await core.engine.settled();
    expect(core.count('outbox')).toBe(0);
  });

  test('case 19: a run in a state of a newer build is shown as such, never as running; nothing crashes', async () => {
    const answer = await core.dispatch(1);
    const run = answer.ok ? (answer.value.run_ids[0] ?? '') : '';
    const row = JSON.stringify({ ...core.tree.runs.get(run), state: 'hibernating', outcome: 'evaporated' });
    await lab.asNewer((db) => {
      db.run("UPDATE runs SET state = 'hibernating', row = ? WHERE run_id = ?", row, run);
      db.run("INSERT INTO events (at, type, body) VALUES (1, 'run_teleported', '{}')");
    });
    const next = await lab.core();
    const found = next.tree.runs.get(run);
    expect(found).toMatchObject({ state: 'hibernating', outcome: 'evaporated' });
    expect(isLive(found?.state ?? '')).toBe(false);
    expect(await next.engine.command(core.conversation, (step) => ok(decideStop(step, [run])))).toMatchObject({
      ok: true,
    });
  });
});

test('P7: a call that comes again from another core’s worker makes no second child', async () => {
  const run = await core.running();
  const call = { type: 'call', call_id: 'c1', tool: 'delegate_task', arguments: {} } as const;
  core.tell(run, call);
  await core.engine.fact(core.conversation, (step) => decideSpawn(step, run, 'c1', testBatch(1), true));
  const next = await lab.core();
  await next.engine.fact(next.conversation, (step) =>
    decideCall(step, run, { call_id: 'c1', tool: 'delegate_task', arguments: {} }),
  );
  await next.engine.fact(next.conversation, (step) => decideSpawn(step, run, 'c1', testBatch(1), true));
  expect([next.count('sets'), next.count('runs')]).toEqual([2, 2]);
  expect(next.effects.map(({ effect }) => effect.type)).toEqual([]);
});
