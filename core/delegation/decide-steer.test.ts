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
    const answer = (): unknown => world.decide((step) => decideSteer(step, command, 'steer', 'x'));
    expect(answer()).toMatchObject({ error: { message: expect.stringMatching(/Stop it, or wait for its end\.$/) } });
    world.end(command);
    expect(world.state(command)).toMatch(/^ended/);
    expect(answer()).toMatchObject({ error: { message: expect.stringMatching(/does not read messages\.$/) } });
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

/** One run, steered, told and ended in any order; remembers what must become of each text. */
class Ledger {
  readonly world = new DelegationWorld();
  readonly run: string;
  readonly accepted = new Map<string, string>();
  readonly delivered = new Set<string>();

  constructor() {
    [this.run = ''] = this.world.dispatch(1).run_ids;
    this.world.grant();
  }

  get isOpen(): boolean {
    return this.world.run(this.run).state !== 'ended';
  }

  steer(mode: SteerMode): void {
    const text = `text ${this.world.now}`;
    const id = steer(this.world, this.run, text, mode);
    if (id !== null) this.accepted.set(id, text);
  }

  tell(at: number, state: 'queued' | 'delivered' | 'handed_over'): void {
    const id = [...this.accepted.keys()][at];
    if (id === undefined) return;
    if (state !== 'queued' && this.isOpen) this.delivered.add(id);
    this.world.tell(this.run, { type: 'steer', steer_id: id, state });
  }

  connect(): void {
    if (this.world.attempts.get(this.run)?.connected === false) this.world.connect(this.run);
  }

  end(): void {
    if (this.isOpen) this.world.exit(this.run, { active: true, connected: true });
  }
}

const MOVES: Record<string, (ledger: Ledger, at: number) => void> = {
  steer: (ledger) => ledger.steer('steer'),
  'follow up': (ledger) => ledger.steer('follow_up'),
  queued: (ledger, at) => ledger.tell(at, 'queued'),
  delivered: (ledger, at) => ledger.tell(at, 'delivered'),
  'handed over': (ledger, at) => ledger.tell(at, 'handed_over'),
  connect: (ledger) => ledger.connect(),
  report: (ledger) => ledger.isOpen && ledger.world.report(ledger.run),
  stop: (ledger) => ledger.world.stop(ledger.run),
  end: (ledger) => ledger.end(),
};

test('C2: in 1,000 interleavings of steering, delivery and end each accepted text is delivered xor missed', () => {
  const move = fc.tuple(fc.constantFrom(...Object.keys(MOVES)), fc.nat(9));
  fc.assert(
    fc.property(fc.array(move, { maxLength: 25, size: 'max' }), (moves) => {
      const ledger = new Ledger();
      for (const [name, at] of moves) MOVES[name]?.(ledger, at);
      ledger.end();
      const { world, run, accepted, delivered } = ledger;
      const expected = [...accepted].filter(([id]) => !delivered.has(id)).map(([, text]) => text);
      expect(world.tree.facts.get(run)?.result?.missed_steer ?? []).toEqual(expected);
      for (const { steer_id, state } of world.tree.steers.values()) {
        expect(state === 'missed').toBe(!delivered.has(steer_id));
      }
    }),
    { numRuns: 1_000 },
  );
});
