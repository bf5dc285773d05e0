import { describe, expect, test } from 'vitest';
import type { Task } from '../protocol/batch.ts';
import { DelegationWorld, testBatch, testTask } from '../testing/delegation.ts';
import { decideAdd } from './decide-add.ts';
import { decideRetry } from './decide-retry.ts';

const add = (world: DelegationWorld, set: string, tasks: number | readonly Partial<Task>[]) =>
  world.decide((step) => decideAdd(step, set, testBatch(tasks)));

describe('S8: tasks added to a set at work', () => {
  test('case 54: n rises, numbers stay', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id: set } = world.dispatch(2);
    world.begin();
    const answer = add(world, set, 2);
    expect(answer).toMatchObject({ ok: true, value: { count: 2, set: 1, delegation_id: set } });
    expect(world.runsOf(set).slice(0, 2)).toEqual(run_ids);
    expect(world.runsOf(set).map((run) => world.run(run).tag)).toEqual([
      '[set 1 · 1/4]',
      '[set 1 · 2/4]',
      '[set 1 · 3/4]',
      '[set 1 · 4/4]',
    ]);
    expect(world.tree.sets.get(set)).toMatchObject({ count: 4, status: 'running' });
    expect(world.tree.conversation).toMatchObject({ sets: 1, runs: 4 });
    world.begin();
    for (const run of world.runsOf(set)) world.end(run);
    expect(world.tree.sets.get(set)).toMatchObject({ status: 'completed', ended: 4 });
  });

  test('L2: the only task of a set gets its number when others come', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id: set } = world.dispatch(1);
    expect(world.run(run_ids[0] ?? '').tag).toBe('[set 1]');
    add(world, set, 1);
    expect(world.run(run_ids[0] ?? '').tag).toBe('[set 1 · 1/2]');
  });

  test('a run that was retried before shows the new number too', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id: set } = world.dispatch(2);
    const [first = ''] = run_ids;
    world.begin();
    world.fail(first);
    world.decide((step) => decideRetry(step, first, world.tree.facts.get(first)?.task ?? testTask()));
    add(world, set, 1);
    expect(world.run(first).tag).toBe('[set 1 · 1/3]');
  });

  test('an ended set is refused, and nothing changes', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id: set } = world.dispatch(1);
    world.begin();
    world.end(run_ids[0] ?? '');
    expect(add(world, set, 1)).toMatchObject({ ok: false, error: { code: 'already_ended' } });
    expect(world.runsOf(set)).toEqual(run_ids);
    expect(add(world, 'deleg_ffffffff', 1)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  test('R10: what they depend on may have ended, be at work, or have failed', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id: set } = world.dispatch([{ id: 'done' }, { id: 'broken' }, { id: 'open' }]);
    world.begin();
    world.end(run_ids[0] ?? '');
    world.fail(run_ids[1] ?? '');
    add(world, set, [{ depends_on: ['done'] }, { depends_on: ['open'] }, { depends_on: ['broken'] }]);
    const [, , , now = '', later = '', never = ''] = world.runsOf(set);
    expect([world.state(now), world.state(later), world.run(never).exit_reason]).toEqual([
      'queued: concurrency',
      'queued: dependency',
      'dependency',
    ]);
    expect(world.tree.sets.get(set)?.ended).toBe(3);
  });

  test('R10: a set that fails fast takes none after its first failure', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id: set } = world.dispatch(2, { fail_fast: true });
    world.begin();
    world.fail(run_ids[0] ?? '');
    expect(add(world, set, 1)).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
  });

  test('C3: to a set of a run that is being ended none are added', () => {
    const world = new DelegationWorld();
    const [parent = ''] = world.dispatch(1).run_ids;
    world.begin();
    const set = world.delegate(parent, 'c1', 1) ?? '';
    world.begin();
    world.stop(parent);
    expect(add(world, set, 1)).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
    expect(world.runsOf(set)).toHaveLength(1);
  });

  test('R3: what a person added takes no fan-out when it is tried again either, and is still told as added', () => {
    const world = new DelegationWorld({ fanOutPerTurn: 2 });
    const [parent = ''] = world.dispatch(1).run_ids;
    world.begin();
    const set = world.delegate(parent, 'c1', 1, false) ?? '';
    add(world, set, [{ retry: 1 }]);
    world.begin();
    world.fail(world.runsOf(set)[1] ?? '');
    expect(world.run(world.runsOf(set)[1] ?? '')).toMatchObject({ added: true, state: 'queued' });
    expect(world.delegate(parent, 'c2', 1, false)).not.toBeNull();
  });

  test('R3, K3: below a run they take no fan-out and get no more than it has', () => {
    const world = new DelegationWorld({ fanOut: 1 });
    const [parent = ''] = world.dispatch([{ permission: 'ask', tools: ['read', 'bash'] }]).run_ids;
    world.begin();
    const set = world.delegate(parent, 'c1', 1) ?? '';
    expect(add(world, set, [{ permission: 'auto', tools: ['bash', 'write'] }]).ok).toBe(true);
    const added = world.runsOf(set)[1] ?? '';
    expect(world.run(added)).toMatchObject({ permission: 'ask', parent_run_id: parent, depth: 2, added: true });
    expect(world.tree.facts.get(added)?.task.tools).toEqual(['bash']);
    expect(world.tree.fanOut.get(parent)).toBe(1);
    world.begin();
    for (const run of world.runsOf(set)) world.end(run);
    world.grant();
    expect(world.framesTo(parent).at(-1)).toMatchObject({ type: 'call_result', display: { count: 2 } });
  });
});
