import { describe, expect, test } from 'vitest';
import { DelegationWorld, testBatch, testTask } from '../testing/delegation.ts';
import { decidePlace, decideRestart } from './decide-attempt.ts';
import { decideCall, decideControl, decideSpawn } from './decide-call.ts';
import { decideRetry } from './decide-retry.ts';
import { runsOf } from './decide-stop.ts';

/** A run whose child has failed and was tried again; what had failed below that child was tried again too, and is at work. */
function replacedWithOneBelow() {
  const world = new DelegationWorld({ maxDepth: 3 });
  const { run_ids, delegation_id: set } = world.dispatch(1);
  const [top = ''] = run_ids;
  world.begin();
  const [child = ''] = world.runsOf(world.delegate(top, 'c1', 1, false) ?? '');
  world.begin();
  const inner = world.delegate(child, 'c2', 1, false) ?? '';
  world.begin();
  world.fail(world.runsOf(inner)[0] ?? '');
  world.fail(child);
  for (const run of [child, world.runsOf(inner)[0] ?? '']) {
    world.decide((step) => decideRetry(step, run, world.tree.facts.get(run)?.task ?? testTask()));
  }
  world.begin();
  const [below = ''] = world.runsOf(inner);
  expect(world.state(below)).toBe('running');
  return { world, top, set, below };
}

describe('C3: stop is final and recurses', () => {
  test('case 28: stop one → siblings go on, its children stop, the text is kept', () => {
    const world = new DelegationWorld();
    const [parent = '', sibling = ''] = world.dispatch(2).run_ids;
    world.begin();
    const [atWork = '', starting = ''] = world.runsOf(world.delegate(parent, 'c1', 2) ?? '');
    world.grant();
    world.connect(atWork);
    expect(world.stop(parent)).toEqual([atWork, starting, parent]);
    expect(world.stopped).toEqual([atWork, starting, parent]);
    world.report(atWork, { answer: 'Half', cut_by: 'stop' });
    for (const run of [atWork, starting, parent]) world.exit(run);
    for (const run of [atWork, starting, parent]) expect(world.run(run).outcome).toBe('stopped');
    expect(world.run(atWork)).toMatchObject({ summary: 'Half', text_cut: true });
    expect(world.state(sibling)).toBe('running');
    expect(world.eventsOf('run_ended')).toHaveLength(3);
  });

  test('C3: children are told before their parents, and unstarted ones never start', () => {
    const world = new DelegationWorld({ concurrency: 1 });
    const [parent = ''] = world.dispatch(1).run_ids;
    world.begin();
    const children = world.runsOf(world.delegate(parent, 'c1', 3) ?? '');
    world.begin();
    world.stop(parent);
    expect(world.stopped).toEqual([children[0], parent]);
    expect(children.slice(1).map((run) => world.run(run).outcome)).toEqual(['stopped', 'stopped']);
    world.exit(children[0] ?? '');
    world.exit(parent);
    expect(world.grant()).toEqual([]);
    expect(world.admission.atWork).toBe(0);
    expect(world.started).toEqual([parent, children[0]]);
  });

  test('C3: a stop of a set ends what was tried again below a run that its retry stands for', () => {
    const { world, set, below } = replacedWithOneBelow();
    world.stop(...(runsOf(world.tree, set) ?? []));
    expect(world.state(below)).toBe('stopping');
  });

  test('C1, C3: a run lists and stops what is at work below a child that was tried again', () => {
    const { world, top, below } = replacedWithOneBelow();
    world.decide((step) => decideCall(step, top, { call_id: 'l', tool: 'delegate_task', arguments: {} }));
    world.decide((step) => {
      const call = step.tree.calls.get(`${top}/l`);
      if (call !== undefined) decideControl(step, call, { action: 'list' });
    });
    expect(world.tree.calls.get(`${top}/l`)?.answer?.text).toContain(below);
    world.stop(top);
    expect(world.state(below)).toBe('stopping');
  });

  test('case 28: a child being attached after the stop is refused, and its parent hears nothing more', () => {
    const world = new DelegationWorld();
    const [parent = ''] = world.dispatch(1).run_ids;
    world.begin();
    world.stop(parent);
    const before = world.framesTo(parent).length;
    expect(world.delegate(parent, 'c1', 1)).toBeNull();
    expect(world.tree.calls.get(`${parent}/c1`)?.answer).toMatchObject({ is_error: true });
    expect(world.framesTo(parent)).toHaveLength(before);
    expect(world.tree.sets.size).toBe(1);
  });

  test('case 28: a call that was stored before the stop starts nothing after it', () => {
    const world = new DelegationWorld();
    const [parent = ''] = world.dispatch(1).run_ids;
    world.begin();
    world.decide((step) =>
      step.emit({ type: 'call_opened', v: 1, run_id: parent, call_id: 'c1', tool: 't', arguments: {} }),
    );
    world.stop(parent);
    world.exit(parent);
    world.decide((step) => decideSpawn(step, parent, 'c1', testBatch(2), true));
    expect(world.tree.runs.size).toBe(1);
  });

  test('running → stopping: a second stop is ignored', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.begin();
    world.stop(run);
    expect(world.stop(run)).toEqual([run]);
    expect(world.stopped).toEqual([run]);
    world.exit(run);
    expect(world.stop(run)).toEqual([]);
  });

  test('T7: a run whose last word is stored has ended by itself: a stop that comes later takes nothing from it', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.begin();
    world.report(run);
    expect(world.stop(run)).toEqual([run]);
    world.exit(run);
    expect(world.run(run)).toMatchObject({ outcome: 'completed', summary: 'Done.' });
  });

  test('T3: a last word that comes after the stop does not make it completed', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.begin();
    world.stop(run);
    world.report(run);
    world.exit(run);
    expect(world.run(run)).toMatchObject({ outcome: 'stopped', text_cut: true });
  });

  test('C3: a run that ends takes what still works below it along', () => {
    const world = new DelegationWorld();
    const [parent = ''] = world.dispatch(1).run_ids;
    world.begin();
    const [child = ''] = world.runsOf(world.delegate(parent, 'c1', 1, false) ?? '');
    world.begin();
    world.end(parent);
    expect(world.state(child)).toBe('stopping');
    world.exit(child);
    expect(world.run(child).outcome).toBe('stopped');
    expect(world.tree.deliveries.size).toBe(0);
  });

  test('ids: a run, a set, a conversation; an unknown one is none', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id } = world.dispatch(2);
    const lead = world.lead();
    expect(runsOf(world.tree, run_ids[0] ?? '')).toEqual([run_ids[0]]);
    expect(runsOf(world.tree, delegation_id)).toEqual(run_ids);
    expect(runsOf(world.tree, 'conv_000000000001')).toEqual([...run_ids, lead]);
    expect(runsOf(world.tree, 'run_ffffffffffff')).toBeUndefined();
  });
});

/** Where a run stands when it is stopped, and how to get there. */
const WHERE: [what: string, go: (world: DelegationWorld, run: string) => void, proof: boolean][] = [
  ['queued', () => undefined, false],
  ['queued with a place on its way', (world) => void world.admission.grant(), false],
  ['starting', (world) => void world.grant(), true],
  ['running', (world) => world.begin(), true],
  [
    'waiting for a rate limit',
    (world, run) => {
      world.begin();
      world.tell(run, { type: 'state', state: 'waiting', reason: 'rate_limit', until: 9 });
    },
    true,
  ],
  [
    'waiting for a permission',
    (world, run) => {
      world.begin();
      world.tell(run, {
        type: 'ask',
        key: 'k',
        kind: 'permission',
        title: 't',
        tool: 'bash',
        detail: 'ls',
        diff: null,
      });
    },
    true,
  ],
  [
    'waiting for budget',
    (world, run) => {
      world.begin();
      world.tell(run, { type: 'state', state: 'waiting', reason: 'budget', until: null });
    },
    true,
  ],
  [
    'waiting for children',
    (world, run) => {
      world.begin();
      world.delegate(run, 'c1', 2);
    },
    true,
  ],
  [
    'waiting for its place again',
    (world, run) => {
      world.begin();
      const [child = ''] = world.runsOf(world.delegate(run, 'c1', 1) ?? '');
      world.begin();
      world.end(child);
    },
    true,
  ],
  [
    'between two attempts',
    (world, run) => {
      world.begin();
      world.exit(run, { active: false });
    },
    false,
  ],
];

describe('case 33: stopped at once, and nothing starts later', () => {
  test.each(WHERE)('while %s', (_, go, proof) => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    go(world, run);
    world.stop(run);
    const started = world.started.length;
    if (proof) {
      expect(world.state(run)).toBe('stopping');
      world.exit(run);
    }
    expect(world.run(run)).toMatchObject({ state: 'ended', outcome: 'stopped' });
    world.decide((step) => decidePlace(step, run));
    world.decide((step) => decideRestart(step, run));
    world.grant();
    expect(world.started).toHaveLength(started);
    expect(world.admission.atWork).toBe(0);
    expect([...world.tree.asks.values()].filter(({ row }) => row.state === 'open')).toEqual([]);
  });

  test('case 33: a stop during the start is told to the worker as soon as it connects', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.grant();
    world.stop(run);
    world.connect(run);
    expect(world.stopped).toEqual([run, run]);
    expect(world.state(run)).toBe('stopping');
  });

  test('A2: a permission that is answered after the stop starts nothing: it is closed', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.begin();
    world.tell(run, { type: 'ask', key: 'k', kind: 'permission', title: 't', tool: 'bash', detail: 'rm', diff: null });
    world.stop(run);
    expect([...world.tree.asks.values()].map(({ row }) => row.state)).toEqual(['closed']);
    world.tell(run, { type: 'ask', key: 'k2', kind: 'permission', title: 't', tool: 'bash', detail: 'rm', diff: null });
    expect(world.tree.asks.size).toBe(1);
  });
});
