import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DelegationWorld } from '../testing/delegation.ts';
import { Admission } from './admission.ts';

const ask = (admission: Admission, group: string, run_id: string, groupCap = 10, head = false): void =>
  admission.ask({ run_id, group, groupCap, head });

describe('R1: places', () => {
  test('case 4: 30 tasks, cap 10 → never more than 10 at work, starts in order', () => {
    const admission = new Admission(() => 10);
    const runs = Array.from({ length: 30 }, (_, n) => `r${n}`);
    for (const run of runs) ask(admission, 'a', run);
    const started: string[] = [];
    for (let next = admission.grant(); next.length > 0; next = admission.grant()) {
      started.push(...next);
      expect(admission.atWork).toBeLessThanOrEqual(10);
      for (const run of next.slice(0, 3)) admission.give(run);
      if (admission.atWork >= 10) break;
    }
    for (let at = 0; started.length < 30; at += 1) {
      admission.give(started[at] ?? '');
      started.push(...admission.grant());
      expect(admission.atWork).toBeLessThanOrEqual(10);
    }
    expect(started).toEqual(runs);
  });

  test('case 4: a second set of 2 starts before the first set’s last task', () => {
    const admission = new Admission(() => 10);
    for (let n = 0; n < 30; n += 1) ask(admission, 'a', `a${n}`, 8);
    const order = admission.grant();
    ask(admission, 'b', 'b0');
    ask(admission, 'b', 'b1');
    order.push(...admission.grant());
    while (order.length < 32) {
      admission.give(order[order.length - admission.atWork] ?? '');
      order.push(...admission.grant());
    }
    expect(order.indexOf('b1')).toBeLessThan(order.indexOf('a29'));
  });

  test('R1: sets take turns, each in its own order', () => {
    const admission = new Admission(() => 6);
    for (const run of ['a0', 'a1', 'a2', 'a3']) ask(admission, 'a', run);
    for (const run of ['b0', 'b1']) ask(admission, 'b', run);
    expect(admission.grant()).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'a3']);
  });

  test('R1: a set’s own cap holds it, not the others', () => {
    const admission = new Admission(() => 10);
    for (const run of ['a0', 'a1', 'a2']) ask(admission, 'a', run, 1);
    ask(admission, 'b', 'b0');
    expect(admission.grant()).toEqual(['a0', 'b0']);
    admission.give('a0');
    expect(admission.grant()).toEqual(['a1']);
  });

  test('R1: one that only waited comes back at the head of its set', () => {
    const admission = new Admission(() => 1);
    for (const run of ['a0', 'a1', 'a2']) ask(admission, 'a', run);
    expect(admission.grant()).toEqual(['a0']);
    admission.give('a0');
    ask(admission, 'a', 'a0', 10, true);
    expect(admission.grant()).toEqual(['a0']);
  });

  test('a changed cap holds at the next grant', () => {
    let cap = 1;
    const admission = new Admission(() => cap);
    for (const run of ['a0', 'a1', 'a2']) ask(admission, 'a', run);
    expect(admission.grant()).toEqual(['a0']);
    cap = 3;
    expect(admission.grant()).toEqual(['a1', 'a2']);
  });

  test('asking twice, giving twice and taking a place after a restart (D5) change nothing', () => {
    const admission = new Admission(() => 2);
    ask(admission, 'a', 'a0');
    ask(admission, 'a', 'a0');
    admission.hold('a1', 'a', 10);
    admission.hold('a1', 'a', 10);
    expect(admission.grant()).toEqual(['a0']);
    expect(admission.atWork).toBe(2);
    for (const run of ['a0', 'a0', 'a1', 'never']) admission.give(run);
    expect(admission.atWork).toBe(0);
  });

  test('R1: in any order of asking and giving no place leaks, no cap is passed, nobody is forgotten', () => {
    const move = fc.record({
      do: fc.constantFrom('ask', 'head', 'give', 'grant'),
      group: fc.integer({ min: 0, max: 3 }),
      run: fc.integer({ min: 0, max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(move, { maxLength: 80, size: 'max' }), fc.integer({ min: 1, max: 4 }), (moves, cap) => {
        const admission = new Admission(() => cap);
        const placed = new Map<string, number>();
        const asked = new Set<string>();
        const grant = (): void => {
          for (const run of admission.grant()) {
            expect(asked.delete(run)).toBe(true);
            placed.set(run, Number(run.split('.')[0]));
          }
        };
        for (const { do: what, group, run } of moves) {
          const id = `${group}.${run}`;
          if (what === 'grant') grant();
          else if (what === 'give') {
            admission.give(id);
            placed.delete(id);
            asked.delete(id);
          } else {
            ask(admission, `g${group}`, id, 2, what === 'head');
            if (!placed.has(id)) asked.add(id);
          }
          expect(admission.atWork).toBe(placed.size);
          expect(placed.size).toBeLessThanOrEqual(cap);
          for (let g = 0; g < 4; g += 1)
            expect([...placed.values()].filter((of) => of === g).length).toBeLessThanOrEqual(2);
        }
        while (asked.size > 0) {
          for (const run of [...placed.keys()]) admission.give(run);
          placed.clear();
          grant();
          expect(placed.size).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('case 36: parents that wait for their children', () => {
  test('10 parents that each wait for 3 → no deadlock at cap 10, never more than 10 at work', () => {
    const world = new DelegationWorld();
    const { run_ids } = world.dispatch(10);
    world.begin();
    expect(world.admission.atWork).toBe(10);
    const sets = run_ids.map((parent) => world.delegate(parent, 'c1', 3) ?? '');
    world.begin();
    const children = new Set(sets.flatMap((set) => world.runsOf(set)));
    let most = 0;
    for (let open = [...children]; open.length > 0; open = open.filter((run) => world.run(run).state !== 'ended')) {
      const next = open.find((run) => world.run(run).state === 'running');
      expect(next).toBeDefined();
      world.end(next ?? '');
      world.begin();
      most = Math.max(most, world.admission.atWork, world.tree.conversation.working);
    }
    world.begin();
    for (const parent of run_ids) {
      expect(world.state(parent)).toBe('running');
      world.end(parent);
    }
    expect(most).toBeLessThanOrEqual(10);
    expect(world.admission.atWork).toBe(0);
    expect(world.tree.conversation).toMatchObject({ runs: 40, ended: 40, working: 0 });
  });

  test('R1: a parent gets its answer only with its place, before the rest of its set', () => {
    const world = new DelegationWorld({ concurrency: 1 });
    const [parent = '', sibling = ''] = world.dispatch(2).run_ids;
    world.begin();
    const [child = ''] = world.runsOf(world.delegate(parent, 'c1', 1) ?? '');
    world.begin();
    expect([world.state(sibling), world.state(child)]).toEqual(['running', 'queued: concurrency']);
    world.end(sibling);
    world.begin();
    world.report(child);
    expect(world.framesTo(parent)).toEqual([]);
    world.exit(child);
    expect(world.state(parent)).toBe('waiting: concurrency');
    expect(world.framesTo(parent)).toEqual([]);
    world.begin();
    expect(world.state(parent)).toBe('running');
    expect(world.framesTo(parent)).toMatchObject([{ type: 'call_result', call_id: 'c1', is_error: false }]);
  });
});
