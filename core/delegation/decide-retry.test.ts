import { describe, expect, test } from 'vitest';
import { DelegationWorld, testTask } from '../testing/delegation.ts';
import { decideRetry, decideRetrySet } from './decide-retry.ts';
import { addRun, emptyTree, type RunFacts } from './tree.ts';

const taskOf = (world: DelegationWorld, run: string) => world.tree.facts.get(run)?.task ?? testTask();
const retry = (world: DelegationWorld, run: string, edits: object = {}) =>
  world.decide((step) => decideRetry(step, run, { ...taskOf(world, run), ...edits }));
const latest = (world: DelegationWorld, set: string, index = 0): string => world.runsOf(set)[index] ?? '';

/** A set of so many tasks, the first of which has failed and the others have completed. */
function failed(count = 1) {
  const world = new DelegationWorld();
  const { run_ids, delegation_id: set } = world.dispatch(
    Array.from({ length: count }, (_, n) => ({ id: `t${n}`, label: `task ${n}` })),
  );
  world.begin();
  world.fail(run_ids[0] ?? '');
  for (const run of run_ids.slice(1)) world.end(run);
  return { world, set, run: run_ids[0] ?? '', runs: run_ids };
}

describe('C3: below a run that is being ended', () => {
  test.each([
    ['stopped', (world: DelegationWorld, run: string) => void world.stop(run)],
    ['told its last word', (world: DelegationWorld, run: string) => world.report(run)],
  ])('nothing is tried again once it was %s', (_, ending) => {
    const world = new DelegationWorld({ maxDepth: 3 });
    const [top = ''] = world.dispatch(1).run_ids;
    world.begin();
    const set = world.delegate(top, 'c1', 2, false) ?? '';
    world.begin();
    const [child = ''] = world.runsOf(set);
    world.fail(child);
    ending(world, top);
    expect(retry(world, child)).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
  });
});

describe('C5: a retry', () => {
  test('is a new run in the same slot, with its label and tag; the set is at work again', () => {
    const { world, set, run } = failed(3);
    expect(world.tree.sets.get(set)).toMatchObject({ status: 'partial', ended: 3, revision: 0 });
    const answer = retry(world, run);
    const again = latest(world, set);
    expect(answer).toMatchObject({ ok: true, value: { run_id: again, delegation_id: set } });
    expect(world.run(again)).toMatchObject({ retry_of: run, task_index: 0, tag: '[set 1 · 1/3]', label: 'task 0' });
    expect(world.run(run)).toMatchObject({ retried_by: again, seen: true });
    expect(world.tree.sets.get(set)).toMatchObject({
      status: 'running',
      ended: 2,
      ended_at: null,
      revision: 1,
      count: 3,
    });
    world.begin();
    world.end(again);
    expect(world.tree.sets.get(set)).toMatchObject({
      status: 'completed',
      ended: 3,
      totals: { completed: 3, failed: 0 },
    });
    expect(world.eventsOf('set_ended')).toHaveLength(2);
  });

  test('B42: stands for its slot although the clock was set back since; also when the tree is read again', () => {
    const { world, set, run } = failed(2);
    world.now -= 5 * 3600 * 1000;
    retry(world, run);
    const again = latest(world, set);
    expect(world.run(again)).toMatchObject({ retry_of: run, state: 'queued' });
    expect(world.tree.sets.get(set)).toMatchObject({ status: 'running', ended: 1 });
    const read = emptyTree(world.tree.conversation);
    // The order of rows says nothing either.
    for (const row of [...world.tree.runs.values()].reverse()) {
      addRun(read, row, world.tree.facts.get(row.run_id) as RunFacts);
    }
    expect(read.slots.get(set)).toEqual(world.tree.slots.get(set));
    world.begin();
    world.end(again);
    expect(world.tree.sets.get(set)).toMatchObject({ status: 'completed', ended: 2 });
  });

  test('may have another goal, agent and model', () => {
    const { world, set, run } = failed();
    retry(world, run, { goal: 'Try it in another way', agent: 'command', model: null });
    expect(world.run(latest(world, set))).toMatchObject({
      goal: 'Try it in another way',
      agent: 'command',
      runner: 'command',
    });
    expect(taskOf(world, run).goal).not.toBe('Try it in another way');
  });

  test('of a run that is at work, or that has a later one, is refused', () => {
    const { world, set, run } = failed();
    expect(retry(world, run).ok).toBe(true);
    const again = latest(world, set);
    const twice = retry(world, run);
    expect(!twice.ok && twice.error.message).toBe(`${again} has taken the place of this run. Retry that one.`);
    expect(retry(world, again)).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
    expect(world.runsOf(set)).toEqual([again]);
  });

  test('of an unknown run, or of a lead, is refused', () => {
    const world = new DelegationWorld();
    const lead = world.lead();
    world.begin();
    world.stop(lead);
    world.exit(lead);
    expect(retry(world, 'run_ffffffffffff')).toMatchObject({ ok: false, error: { code: 'not_found' } });
    const refused = retry(world, lead);
    expect(!refused.ok && refused.error.message).toContain('send it a message');
  });

  test('of a completed run is allowed, and what it used before still counts', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id: set } = world.dispatch(1);
    world.begin();
    world.end(run_ids[0] ?? '');
    retry(world, run_ids[0] ?? '');
    world.begin();
    world.end(latest(world, set));
    expect(world.tree.sets.get(set)?.totals).toMatchObject({ completed: 1, cost_usd: 0.02 });
  });

  test('R3: takes no place of the fan-out', () => {
    const world = new DelegationWorld({ fanOut: 1 });
    const [parent = ''] = world.dispatch(1).run_ids;
    world.begin();
    const set = world.delegate(parent, 'c1', 1, false) ?? '';
    world.begin();
    world.fail(latest(world, set));
    expect(retry(world, latest(world, set)).ok).toBe(true);
    expect(world.tree.fanOut.get(parent)).toBe(1);
  });

  test('the parent gets the result again, marked revised, as a turn of its own', () => {
    const world = new DelegationWorld();
    const [parent = ''] = world.dispatch(1).run_ids;
    world.begin();
    const set = world.delegate(parent, 'c1', 1) ?? '';
    world.begin();
    world.fail(latest(world, set));
    world.grant();
    const results = () => [...world.tree.deliveries.values()].map(({ text }) => text);
    expect(results()).toEqual([]);
    retry(world, latest(world, set));
    world.begin();
    world.end(latest(world, set), { answer: 'Now it works.' });
    expect(results()).toHaveLength(1);
    expect(results()[0]).toMatch(/^Revised result of set 2 /);
    expect(results()[0]).toContain('It replaces the earlier result of this set');
    expect(results()[0]).toContain('Now it works.');
  });

  test('R10: a task that depends on others waits for them, and is refused when they cannot be met', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id: set } = world.dispatch([{ id: 'a' }, { depends_on: ['a'] }]);
    const [a = '', b = ''] = run_ids;
    world.begin();
    world.fail(a);
    expect(world.run(b)).toMatchObject({ outcome: 'stopped', exit_reason: 'dependency' });
    const early = retry(world, b);
    expect(!early.ok && early.error.message).toMatch(/^\[set 1 · 1\/2\] ended failed.* Retry that one first\.$/);
    retry(world, a);
    retry(world, b);
    expect(world.state(latest(world, set, 1))).toBe('queued: dependency');
    world.begin();
    world.end(latest(world, set, 0));
    expect(world.state(latest(world, set, 1))).toBe('queued: concurrency');
  });

  test('R9: in a paused conversation it is held', () => {
    const { world, set, run } = failed();
    world.paused = true;
    retry(world, run);
    expect(world.state(latest(world, set))).toBe('queued: paused');
  });
});

describe('C5: the retry of a set', () => {
  test('tries again what failed and what waited for it, not what a person stopped or what completed', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id: set } = world.dispatch([
      { depends_on: ['a'] },
      { id: 'a' },
      {},
      { goal: 'to be stopped' },
    ]);
    const [b = '', a = '', done = '', stopped = ''] = run_ids;
    world.begin();
    world.end(done);
    world.stop(stopped);
    world.exit(stopped);
    world.fail(a);
    const answer = world.decide((step) => decideRetrySet(step, set));
    expect(answer.ok && answer.value).toHaveLength(2);
    expect(world.runsOf(set).slice(2)).toEqual([done, stopped]);
    expect([b, a]).not.toContain(latest(world, set, 0));
    expect(world.state(latest(world, set, 0))).toBe('queued: dependency');
    expect(world.tree.sets.get(set)).toMatchObject({ status: 'running', revision: 1 });
  });

  test('with nothing that failed is refused', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id: set } = world.dispatch(1);
    world.begin();
    world.end(run_ids[0] ?? '');
    expect(world.decide((step) => decideRetrySet(step, set))).toMatchObject({ ok: false });
    expect(world.tree.sets.get(set)?.status).toBe('completed');
  });
});

describe('T5: automatic retries are spent before a set ends', () => {
  test('one failure after the other, then the set ends with the last one', () => {
    const world = new DelegationWorld();
    const { delegation_id: set } = world.dispatch([{ retry: 2, id: 'a' }, { depends_on: ['a'] }]);
    for (const tried of [1, 2]) {
      world.begin();
      world.fail(latest(world, set));
      expect(world.tree.sets.get(set)).toMatchObject({ status: 'running', ended: 0 });
      expect(world.eventsOf('run_retried')).toHaveLength(tried);
      expect(world.state(latest(world, set, 1))).toBe('queued: dependency');
    }
    world.begin();
    world.fail(latest(world, set));
    expect(world.tree.sets.get(set)).toMatchObject({ status: 'failed', ended: 2 });
    expect(world.run(latest(world, set, 1)).exit_reason).toBe('dependency');
  });

  test('the second try completes: its dependents start, and the set completes', () => {
    const world = new DelegationWorld();
    const { delegation_id: set } = world.dispatch([{ retry: 1, id: 'a' }, { depends_on: ['a'] }]);
    world.begin();
    world.fail(latest(world, set));
    world.begin();
    world.end(latest(world, set));
    world.begin();
    world.end(latest(world, set, 1));
    expect(world.tree.sets.get(set)).toMatchObject({ status: 'completed', totals: { failed: 0, completed: 2 } });
  });

  test.each(['auth', 'billing', 'bad_request', 'model_not_found'] as const)('R8: never after %s', (reason) => {
    const world = new DelegationWorld();
    const { delegation_id: set } = world.dispatch([{ retry: 3 }]);
    world.begin();
    world.end(latest(world, set), { answer: '', error: { reason, message: 'No.' } });
    expect(world.tree.sets.get(set)?.status).toBe('failed');
    expect(world.eventsOf('run_retried')).toEqual([]);
  });

  test('never after a stop', () => {
    const world = new DelegationWorld();
    const { delegation_id: set } = world.dispatch([{ retry: 3 }]);
    world.begin();
    world.stop(latest(world, set));
    world.exit(latest(world, set));
    expect(world.tree.sets.get(set)?.status).toBe('stopped');
  });
});
