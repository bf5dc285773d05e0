import { describe, expect, test } from 'vitest';
import { DelegationWorld } from '../testing/delegation.ts';
import { decideStop } from './decide-stop.ts';
import { emptyMemory } from './tree.ts';

describe('S4, S6: a dispatch is stored at once', () => {
  test('case 4: 30 tasks, cap 10 → 30 rows, 10 start, the rest queue in order', () => {
    const world = new DelegationWorld();
    const { run_ids } = world.dispatch(30);
    expect(run_ids).toHaveLength(30);
    expect(run_ids.every((run) => world.state(run) === 'queued: concurrency')).toBe(true);
    world.begin();
    expect(world.started).toEqual(run_ids.slice(0, 10));
    for (let n = 0; n < 30; n += 1) {
      world.end(run_ids[n] ?? '');
      world.begin();
      expect(world.admission.atWork).toBeLessThanOrEqual(10);
    }
    expect(world.started).toEqual(run_ids);
    expect(world.tree.conversation).toMatchObject({ runs: 30, ended: 30, working: 0 });
  });

  test('S6: the answer says what was stored, not that it is done', () => {
    const answer = new DelegationWorld().dispatch(2);
    expect(answer).toMatchObject({ set: 1, count: 2, conversation_id: 'conv_000000000001' });
    expect(answer.delegation_id).toMatch(/^deleg_[0-9a-f]{8}$/);
    expect(answer.run_ids.every((id) => /^run_[0-9a-f]{12}$/.test(id))).toBe(true);
    expect(answer.note).toMatch(/not mean that they are done/);
  });

  test('case 31: while the app is paused new sets wait with the reason paused', () => {
    const world = new DelegationWorld();
    world.paused = true;
    const { run_ids } = world.dispatch(1);
    expect(world.run(run_ids[0] ?? '')).toMatchObject({ state: 'queued', reason: 'paused', words: 'Queued: paused' });
  });
});

describe('L1, L2: numbers and labels', () => {
  test('case 10: sets are numbered by first appearance, nested ones too; a lone task shows [set 3]', () => {
    const world = new DelegationWorld();
    const first = world.dispatch(9);
    const second = world.dispatch(3);
    world.begin();
    const nested = world.delegate(second.run_ids[1] ?? '', 'c1', 1) ?? '';
    const tags = (runs: readonly string[]): string[] => runs.map((run) => world.run(run).tag);
    expect(tags(first.run_ids)[2]).toBe('[set 1 · 3/9]');
    expect(tags(second.run_ids)).toEqual(['[set 2 · 1/3]', '[set 2 · 2/3]', '[set 2 · 3/3]']);
    expect(tags(world.runsOf(nested))).toEqual(['[set 3]']);
    expect(world.tree.conversation.sets).toBe(3);
  });

  test('case 10: a second conversation starts again at set 1', () => {
    expect(new DelegationWorld().dispatch(1).set).toBe(1);
    expect(new DelegationWorld().dispatch(1).set).toBe(1);
  });

  test('R2, R3: depth and root: a user’s task is 1 and its own root, a child one more with the same root', () => {
    const world = new DelegationWorld();
    const [parent = ''] = world.dispatch(1).run_ids;
    world.begin();
    const [child = ''] = world.runsOf(world.delegate(parent, 'c1', 1) ?? '');
    expect(world.run(parent)).toMatchObject({ depth: 1, root_run_id: parent, lead: false });
    expect(world.run(child)).toMatchObject({ depth: 2, root_run_id: parent, parent_run_id: parent });
    expect(world.run(world.lead())).toMatchObject({ depth: 0, lead: true, delegation_id: null, tag: '' });
  });
});

describe('R10: dependencies', () => {
  const chain = [{ id: 'a' }, { id: 'b', depends_on: ['a'] }, { id: 'c', depends_on: ['b'] }];

  test('case 9: a → b → c: each starts when the one before is completed', () => {
    const world = new DelegationWorld();
    const [a = '', b = '', c = ''] = world.dispatch(chain).run_ids;
    expect([a, b, c].map((run) => world.state(run))).toEqual([
      'queued: concurrency',
      'queued: dependency',
      'queued: dependency',
    ]);
    world.begin();
    expect(world.started).toEqual([a]);
    world.end(a);
    world.begin();
    expect(world.started).toEqual([a, b]);
    world.end(b);
    world.begin();
    world.end(c);
    expect(world.eventsOf('set_ended')).toMatchObject([{ status: 'completed' }]);
  });

  test('case 9: a fails → b and c end stopped (dependency), and the set ends once', () => {
    const world = new DelegationWorld();
    const [a = '', b = '', c = ''] = world.dispatch(chain).run_ids;
    world.begin();
    world.fail(a);
    for (const run of [b, c]) expect(world.run(run)).toMatchObject({ outcome: 'stopped', exit_reason: 'dependency' });
    expect(world.run(c).error).toMatch(/^\[set 1 · 2\/3\] ended stopped/);
    expect(world.eventsOf('set_ended')).toMatchObject([{ status: 'failed' }]);
    expect(world.grant()).toEqual([]);
    expect(world.admission.atWork).toBe(0);
  });

  test('R10: a caveat is not enough, except with depends_on_any_outcome', () => {
    const world = new DelegationWorld();
    const tasks = [{ id: 'a' }, { depends_on: ['a'] }, { depends_on: ['a'], depends_on_any_outcome: true }];
    const [a = '', strict = '', any = ''] = world.dispatch(tasks).run_ids;
    world.begin();
    world.end(a, { limit: 'max_turns' });
    expect(world.run(strict)).toMatchObject({ outcome: 'stopped', exit_reason: 'dependency' });
    world.begin();
    expect(world.state(any)).toBe('running');
  });

  test('R10: with two dependencies a task waits for both', () => {
    const world = new DelegationWorld();
    const [a = '', b = '', c = ''] = world.dispatch([{ id: 'a' }, { id: 'b' }, { depends_on: ['a', 'b'] }]).run_ids;
    world.begin();
    world.end(b);
    expect(world.state(c)).toBe('queued: dependency');
    world.end(a);
    expect(world.state(c)).toBe('queued: concurrency');
  });

  test('case 54: fail_fast: after the first failure the unstarted end stopped/dependency, those at work go on', () => {
    const world = new DelegationWorld({ concurrency: 2 });
    const { run_ids, delegation_id } = world.dispatch(4, { fail_fast: true });
    world.begin();
    world.fail(run_ids[0] ?? '');
    expect(world.state(run_ids[1] ?? '')).toBe('running');
    for (const run of run_ids.slice(2)) {
      expect(world.run(run)).toMatchObject({ outcome: 'stopped', exit_reason: 'dependency' });
    }
    expect(world.eventsOf('set_ended')).toEqual([]);
    world.end(run_ids[1] ?? '');
    expect(world.eventsOf('set_ended')).toMatchObject([{ delegation_id, status: 'partial' }]);
  });

  test('R10: a fail-fast set whose last task at work fails ends once', () => {
    const world = new DelegationWorld({ concurrency: 1 });
    const { run_ids } = world.dispatch(3, { fail_fast: true });
    world.begin();
    world.fail(run_ids[0] ?? '');
    expect(world.eventsOf('set_ended')).toHaveLength(1);
    expect(world.eventsOf('run_ended')).toHaveLength(3);
  });
});

describe('S5, T5: automatic retries', () => {
  test('T5: retries are spent before the set ends; the label stays; each is a new run of the slot', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id } = world.dispatch([{ retry: 2, label: 'Parser' }]);
    const [first = ''] = run_ids;
    world.begin();
    world.fail(first);
    const [second = ''] = world.runsOf(delegation_id);
    expect(world.run(second)).toMatchObject({ retry_of: first, label: 'Parser', state: 'queued', task_index: 0 });
    expect(world.run(first)).toMatchObject({ retried_by: second, seen: true });
    expect(world.tree.sets.get(delegation_id)).toMatchObject({ ended: 0, ended_at: null });
    world.begin();
    world.fail(second);
    const [third = ''] = world.runsOf(delegation_id);
    world.begin();
    world.fail(third);
    expect(world.runsOf(delegation_id)).toEqual([third]);
    expect(world.tree.sets.get(delegation_id)).toMatchObject({ ended: 1, status: 'failed' });
    expect(world.eventsOf('set_ended')).toHaveLength(1);
  });

  test('R6: what a retried run has used is in the totals of its set, its outcome is not (T5)', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id } = world.dispatch([{ retry: 1 }]);
    world.begin();
    world.fail(run_ids[0] ?? '');
    world.begin();
    world.end(world.runsOf(delegation_id)[0] ?? '');
    const set = world.tree.sets.get(delegation_id);
    expect(set).toMatchObject({ status: 'completed', totals: { completed: 1, failed: 0, cost_usd: 0.02 } });
    expect(set?.totals.tokens.input).toBe(20);
  });

  test('R3: an automatic retry takes no place of the fan-out', () => {
    const world = new DelegationWorld({ fanOut: 1 });
    const [parent = ''] = world.dispatch(1).run_ids;
    world.begin();
    const set = world.delegate(parent, 'c1', [{ retry: 1 }]) ?? '';
    world.begin();
    world.fail(world.runsOf(set)[0] ?? '');
    expect(world.tree.fanOut.get(parent)).toBe(1);
    world.begin();
    expect(world.state(world.runsOf(set)[0] ?? '')).toBe('running');
  });

  test.each(['auth', 'billing', 'bad_request', 'model_not_found'] as const)('R8: never after %s', (reason) => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id } = world.dispatch([{ retry: 3 }]);
    world.begin();
    world.end(run_ids[0] ?? '', { error: { reason, message: 'no' } });
    expect(world.runsOf(delegation_id)).toEqual(run_ids);
  });

  test('C3: a stopped run is not retried, nor is one whose end nobody can prove', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id } = world.dispatch([{ retry: 3 }, { retry: 3 }]);
    const [a = '', b = ''] = run_ids;
    world.begin();
    world.stop(a);
    world.exit(a);
    world.exit(b, { exit: null });
    expect(world.run(b).outcome).toBe('lost');
    expect(world.runsOf(delegation_id)).toEqual(run_ids);
  });

  test('C3: a failure that is stopped before its process has ended is not retried', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id } = world.dispatch([{ retry: 3 }]);
    const [run = ''] = run_ids;
    world.begin();
    world.report(run, { answer: '' });
    world.stop(run);
    world.exit(run);
    expect(world.run(run).outcome).toBe('failed');
    expect(world.runsOf(delegation_id)).toEqual([run]);
  });

  test('C3: that a run was stopped after its last word is stored: after a crash nothing follows of it either', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id } = world.dispatch([{ retry: 1 }]);
    const [run = ''] = run_ids;
    world.begin();
    world.report(run, { answer: '' });
    const step = world.stepOf((one) => decideStop(one, [run]));
    expect([step.dirty.runs.has(run), world.run(run).stop_asked]).toEqual([true, true]);
    // All that the living core remembers is gone.
    Object.assign(world.tree, { memory: emptyMemory() });
    world.exit(run);
    expect(world.runsOf(delegation_id)).toEqual([run]);
  });

  test('R10: in a set that fails fast nothing is tried again after its first failure, whichever ends first', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id } = world.dispatch([{}, { retry: 2 }], { fail_fast: true });
    world.begin();
    world.fail(run_ids[0] ?? '');
    world.fail(run_ids[1] ?? '');
    expect(world.runsOf(delegation_id)).toEqual(run_ids);
    expect(world.tree.sets.get(delegation_id)).toMatchObject({ status: 'failed', totals: { failed: 2 } });
  });

  test('R5: a run for which there was no money is not tried again: there is no more of it the next time', () => {
    const world = new DelegationWorld({ treeCostUsd: 0.01 });
    const { run_ids, delegation_id } = world.dispatch([{ id: 'a' }, { depends_on: ['a'], retry: 3 }]);
    world.begin();
    world.end(run_ids[0] ?? '');
    world.begin();
    expect(world.run(run_ids[1] ?? '')).toMatchObject({ outcome: 'failed', exit_reason: 'refused' });
    expect(world.runsOf(delegation_id)).toEqual(run_ids);
  });

  test('R7: a run whose time was that of a run above it is not tried again', () => {
    const world = new DelegationWorld();
    const [parent = ''] = world.dispatch([{ limits: { timeout_seconds: 60 } }]).run_ids;
    world.begin();
    const set = world.delegate(parent, 'c1', [{ retry: 3 }, {}]) ?? '';
    world.begin();
    const [child = ''] = world.runsOf(set);
    world.end(child, { cut_by: 'deadline' });
    expect(world.run(child)).toMatchObject({ outcome: 'timed_out', deadline: { of: parent } });
    expect(world.runsOf(set)[0]).toBe(child);
  });

  test('R10: dependents wait for the retry, and fail_fast for the last of them', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id } = world.dispatch([{ id: 'a', retry: 1 }, { depends_on: ['a'] }], {
      fail_fast: true,
    });
    world.begin();
    world.fail(run_ids[0] ?? '');
    expect(world.state(run_ids[1] ?? '')).toBe('queued: dependency');
    world.begin();
    world.end(world.runsOf(delegation_id)[0] ?? '');
    world.begin();
    expect(world.state(run_ids[1] ?? '')).toBe('running');
  });
});

test('case 54, L1: the set knows when its first run started, and how many slots have ended', () => {
  const world = new DelegationWorld();
  const { run_ids, delegation_id } = world.dispatch(2);
  expect(world.tree.sets.get(delegation_id)?.started_at).toBeNull();
  world.begin();
  expect(world.tree.sets.get(delegation_id)?.started_at).not.toBeNull();
  world.end(run_ids[0] ?? '');
  expect(world.tree.sets.get(delegation_id)?.ended).toBe(1);
});
