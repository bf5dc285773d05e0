import { describe, expect, test } from 'vitest';
import type { RunRow } from '../protocol/rows.ts';
import { DelegationWorld } from '../testing/delegation.ts';
import { decideAnswer, decideAsk } from './decide-ask.ts';
import { decideControl } from './decide-call.ts';
import { decideContinue } from './decide-continue.ts';
import { decideOutsideCall, decideOutsideGone, decideOutsideOpen } from './decide-outside.ts';
import { decideGate } from './decide-pause.ts';
import { decideSteer } from './decide-steer.ts';

class OutsideWorld extends DelegationWorld {
  readonly outside = this.decide((step) =>
    decideOutsideOpen(step, 'proj_000000000001', {
      client: 'some-client',
      goal: 'What it delegates',
      permission: 'auto',
    }),
  );

  get row(): RunRow {
    return this.run(this.outside);
  }

  call(call_id: string, args: object, waits = false): void {
    const call = { call_id, tool: 'delegate_task', arguments: args, waits };
    this.decide((step) => decideOutsideCall(step, this.outside, call));
  }

  /** A set of the client, with the call that made it. */
  set(call_id: string, tasks: number, waits: boolean): string {
    this.call(call_id, { wait: waits }, waits);
    return this.delegate(this.outside, call_id, tasks, waits) ?? '';
  }

  waitFor(call_id: string, delegation_id: string | null): void {
    this.call(call_id, { action: 'wait', ...(delegation_id === null ? {} : { delegation_id }) }, true);
    const record = this.tree.calls.get(`${this.outside}/${call_id}`);
    if (record !== undefined) this.decide((step) => decideControl(step, record, { action: 'wait', delegation_id }));
  }

  endSet(id: string): void {
    this.begin();
    for (const run of this.runsOf(id)) this.end(run);
  }

  answer(call_id: string): { is_error: boolean; text: string } | null | undefined {
    return this.tree.calls.get(`${this.outside}/${call_id}`)?.answer;
  }

  get told(): string[] {
    return this.sent.flatMap(({ frame }) => (frame.type === 'call_result' ? [frame.call_id] : []));
  }
}

describe('a lead outside', () => {
  test('is there without a place, an attempt or a worker, and its own money is not ours to count', () => {
    const world = new OutsideWorld({ concurrency: 1 });
    expect(world.row).toMatchObject({ lead: true, depth: 0, runner: 'outside', agent: 'some-client' });
    expect(world.row).toMatchObject({ state: 'waiting', reason: 'user', cost_status: 'included', cost_usd: 0 });
    expect(world.tree.conversation).toMatchObject({ lead_run_id: world.outside, working: 0, needs_you: 0 });
    expect(world.admission.atWork).toBe(0);
    expect(world.attempts.size).toBe(0);
  });

  test('R1: gets the answer of a waiting call at once, also when all places are taken', () => {
    const world = new OutsideWorld({ concurrency: 1 });
    const set = world.set('c1', 1, true);
    expect(world.row).toMatchObject({ state: 'waiting', reason: 'children' });
    world.dispatch(1);
    world.begin();
    expect(world.told).toEqual([]);
    world.end(world.runsOf(set)[0] ?? '');
    world.begin();
    expect(world.told).toEqual(['c1']);
    expect(world.row).toMatchObject({ state: 'waiting', reason: 'user' });
    expect(world.admission.atWork).toBe(1);
  });

  test('R3: each call is a turn of its own, and the fan-out of its life holds', () => {
    const world = new OutsideWorld({ fanOutPerTurn: 2, fanOut: 4 });
    world.set('c1', 2, false);
    world.set('c2', 2, false);
    expect(world.row).toMatchObject({ turns: 2, tool_calls: 2 });
    expect(world.set('c3', 1, false)).toBe('');
    expect(world.answer('c3')?.text).toMatch(/4 of 4 runs are used/);
  });

  test('P6: a result in the background is told by a call that waits, once, and not as a message', () => {
    const world = new OutsideWorld();
    const one = world.set('c1', 1, false);
    const two = world.set('c2', 1, false);
    expect(world.answer('c1')?.text).toContain(`{\\"action\\": \\"wait\\", \\"delegation_id\\": \\"${one}\\"}`);
    world.waitFor('w1', null);
    world.endSet(one);
    expect(world.answer('w1')).toBeNull();
    world.endSet(two);
    expect(world.answer('w1')?.text).toMatch(new RegExp(`${one}[^]*${two}`));
    expect([...world.tree.deliveries.values()].every(({ done }) => done)).toBe(true);
    world.waitFor('w2', null);
    expect(world.answer('w2')?.text).toContain('nothing to wait for');
    world.waitFor('w3', one);
    expect(world.answer('w3')?.text).toContain(one);
    expect(world.sent.some(({ frame }) => frame.type === 'message')).toBe(false);
  });

  test('C1: a wait for a foreign and an unknown delegation get the same error, and waiting is not for the built-in loop', () => {
    const world = new OutsideWorld();
    const { delegation_id: foreign } = world.dispatch(1);
    world.waitFor('w1', foreign);
    world.waitFor('w2', 'deleg_ffffffff');
    expect(world.answer('w1')?.text.replace(foreign, 'X')).toBe(
      world.answer('w2')?.text.replace('deleg_ffffffff', 'X'),
    );
    expect(world.answer('w1')?.is_error).toBe(true);
  });

  test('cannot be steered, paused or continued from here, and says why', () => {
    const world = new OutsideWorld();
    const refused = [
      world.decide((step) => decideSteer(step, world.outside, 'steer', 'hello')),
      world.decide((step) => decideGate(step, world.outside, true)),
      world.decide((step) => decideContinue(step, world.outside, 'go on')),
    ];
    expect(refused.map(({ ok }) => ok)).toEqual([false, false, false]);
    expect(refused[0]).toMatchObject({ error: { message: expect.stringContaining('at work outside') as string } });
    expect(world.row).toMatchObject({ state: 'waiting', reason: 'user' });
  });

  test('asks a person and goes on waiting for its own user when it was answered, without a place', () => {
    const world = new OutsideWorld();
    const ask = { key: 'k', kind: 'question' as const, title: 'Which?', tool: null, detail: '', diff: null };
    world.decide((step) => decideAsk(step, world.row, { type: 'ask', ...ask }));
    expect(world.row).toMatchObject({ state: 'waiting', reason: 'question' });
    const [id = ''] = world.tree.asks.keys();
    world.decide((step) => decideAnswer(step, id, { choice: 'text', note: 'this', by: 'me' }));
    expect(world.row).toMatchObject({ state: 'waiting', reason: 'user' });
    expect(world.admission.atWork).toBe(0);
  });

  test('that has gone waits for what it began, and then ends completed (P6)', () => {
    const world = new OutsideWorld();
    const set = world.set('c1', 1, true);
    world.decide((step) => decideOutsideGone(step, world.outside));
    expect(world.row).toMatchObject({ state: 'waiting', reason: 'children', activity: 'Disconnected' });
    world.endSet(set);
    world.decide((step) => decideOutsideGone(step, world.outside));
    expect(world.row).toMatchObject({ state: 'ended', outcome: 'completed', caveats: [] });
    expect(world.row.summary).toBe('some-client has disconnected. It delegated one set.');
  });
});
