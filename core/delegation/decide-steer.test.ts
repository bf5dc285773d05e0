import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CoreFrame } from '../protocol/frames.ts';
import type { SteerMode } from '../protocol/rows.ts';
import { DelegationWorld } from '../testing/delegation.ts';
import { decideSteer } from './decide-steer.ts';

function steer(world: DelegationWorld, run: string, text: string, mode: SteerMode = 'steer'): string | null {
  const result = world.decide((step) => decideSteer(step, run, mode, text));
  return result.ok ? result.value.steer_id : null;
}

const steerFrames = (frames: readonly CoreFrame[]): string[] =>
  frames.flatMap((frame) => (frame.type === 'steer' ? [frame.text] : []));

function running(): { world: DelegationWorld; run: string } {
  const world = new DelegationWorld();
  const [run = ''] = world.dispatch(1).run_ids;
  world.begin();
  return { world, run };
}

describe('C2: the ledger', () => {
  test('accepted → queued → delivered, each step once', () => {
    const { world, run } = running();
    const id = steer(world, run, 'Look at the tests') ?? '';
    expect(world.tree.steers.get(id)).toMatchObject({ state: 'accepted', text: 'Look at the tests' });
    for (const state of ['queued', 'delivered', 'queued', 'delivered'] as const) {
      world.tell(run, { type: 'steer', steer_id: id, state });
    }
    expect(world.eventsOf('steer_moved').map((event) => event.state)).toEqual(['queued', 'delivered']);
    world.end(run);
    expect(world.tree.facts.get(run)?.result?.missed_steer).toBeUndefined();
  });

  test('case 30: before the start → sent once, when the worker connects', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    steer(world, run, 'early');
    world.grant();
    steer(world, run, 'while it starts');
    expect(world.framesTo(run)).toEqual([]);
    world.connect(run);
    expect(steerFrames(world.framesTo(run))).toEqual(['early', 'while it starts']);
  });

  test('case 30: after the end → refused, and the text stays with the sender', () => {
    const { world, run } = running();
    world.end(run);
    const result = world.decide((step) => decideSteer(step, run, 'steer', 'late'));
    expect(result).toMatchObject({ ok: false, error: { code: 'not_steerable' } });
    expect(world.tree.steers.size).toBe(0);
  });

  test('case 30: once its last word is stored a run accepts nothing more', () => {
    const { world, run } = running();
    world.report(run);
    expect(steer(world, run, 'late')).toBeNull();
  });

  test.each([
    ['a clean end', (world: DelegationWorld, run: string) => world.end(run)],
    ['a failure', (world: DelegationWorld, run: string) => world.fail(run)],
    ['a death', (world: DelegationWorld, run: string) => world.exit(run, { exit: { code: null, signal: 'SIGKILL' } })],
    [
      'a stop',
      (world: DelegationWorld, run: string) => {
        world.stop(run);
        world.exit(run);
      },
    ],
  ])('case 30: ended before a boundary by %s → missed_steer with the exact text', (_, end) => {
    const { world, run } = running();
    const id = steer(world, run, '  exact\ttext  ') ?? '';
    end(world, run);
    expect(world.tree.steers.get(id)?.state).toBe('missed');
    expect(world.tree.facts.get(run)?.result?.missed_steer).toEqual(['  exact\ttext  ']);
  });

  test('C2: handed over is no delivery, but settled', () => {
    const { world, run } = running();
    const id = steer(world, run, 'x') ?? '';
    world.tell(run, { type: 'steer', steer_id: id, state: 'handed_over' });
    world.end(run);
    expect(world.tree.steers.get(id)?.state).toBe('handed_over');
  });

  test('C2: a command cannot be steered; a stopping run accepts nothing; an unknown id tells nothing (C1)', () => {
    const world = new DelegationWorld();
    const [command = '', run = ''] = world.dispatch([{ agent: 'command' }, {}]).run_ids;
    world.begin();
    world.stop(run);
    expect(steer(world, command, 'x')).toBeNull();
    expect(steer(world, run, 'x')).toBeNull();
    expect(world.decide((step) => decideSteer(step, 'run_ffffffffffff', 'steer', 'x'))).toMatchObject({
      error: { code: 'not_found' },
    });
  });

  test('T1: what a lead is to hear after its answer comes as its next message, not as a steer', () => {
    const world = new DelegationWorld();
    const lead = world.lead();
    world.begin();
    const id = steer(world, lead, 'and then?', 'follow_up');
    expect(world.framesTo(lead)).toEqual([]);
    world.tell(lead, { type: 'answered', answer: 'a', session: { v: 1 } });
    world.begin();
    expect(world.framesTo(lead)).toMatchObject([{ type: 'message', message_id: id, text: 'and then?' }]);
  });

  test('C2: a steer that the lead did not hear in time comes as its next message, under the same id', () => {
    const world = new DelegationWorld();
    const lead = world.lead();
    world.begin();
    const id = steer(world, lead, 'now', 'steer');
    world.tell(lead, { type: 'steer', steer_id: id ?? '', state: 'queued' });
    world.tell(lead, { type: 'answered', answer: 'a', session: { v: 1 } });
    world.begin();
    expect(world.framesTo(lead)).toMatchObject([{ type: 'steer' }, { type: 'message', message_id: id }]);
    world.tell(lead, { type: 'steer', steer_id: id ?? '', state: 'delivered' });
    world.tell(lead, { type: 'answered', answer: 'b', session: { v: 1 } });
    expect(world.state(lead)).toBe('waiting: user');
  });
});

test('C2: in 1,000 interleavings of steering, delivery and end each accepted text is delivered xor missed', () => {
  const move = fc.oneof(
    fc.record({ do: fc.constant('steer' as const), follow: fc.boolean() }),
    fc.record({ do: fc.constantFrom('queued' as const, 'delivered' as const, 'handed_over' as const), at: fc.nat(9) }),
    fc.record({ do: fc.constantFrom('connect' as const, 'report' as const, 'stop' as const, 'end' as const) }),
  );
  fc.assert(
    fc.property(fc.array(move, { maxLength: 25 }), (moves) => {
      const world = new DelegationWorld();
      const [run = ''] = world.dispatch(1).run_ids;
      const accepted = new Map<string, string>();
      const delivered = new Set<string>();
      world.grant();
      let n = 0;
      const isOpen = (): boolean => world.run(run).state !== 'ended';
      for (const step of moves) {
        if (step.do === 'steer') {
          const text = `text ${(n += 1)}`;
          const id = steer(world, run, text, step.follow ? 'follow_up' : 'steer');
          if (id !== null) accepted.set(id, text);
        } else if (step.do === 'connect') {
          if (isOpen() && world.attempts.get(run)?.connected === false) world.connect(run);
        } else if (step.do === 'report') {
          if (isOpen()) world.report(run);
        } else if (step.do === 'stop') world.stop(run);
        else if (step.do === 'end') {
          if (isOpen()) world.exit(run, { active: true, connected: true });
        } else {
          const id = [...accepted.keys()][step.at];
          if (id === undefined) continue;
          if (step.do !== 'queued' && isOpen()) delivered.add(id);
          world.tell(run, { type: 'steer', steer_id: id, state: step.do });
        }
      }
      if (isOpen()) world.exit(run, { active: true, connected: true });
      const missed = world.tree.facts.get(run)?.result?.missed_steer ?? [];
      const expected = [...accepted].filter(([id]) => !delivered.has(id)).map(([, text]) => text);
      expect(missed).toEqual(expected);
      for (const { steer_id, state } of world.tree.steers.values()) {
        expect(state === 'missed').toBe(!delivered.has(steer_id));
      }
    }),
    { numRuns: 1_000 },
  );
});
