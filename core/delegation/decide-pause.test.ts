import { describe, expect, test } from 'vitest';
import { DelegationWorld } from '../testing/delegation.ts';
import { decideReconnected, decideRestart } from './decide-attempt.ts';
import { decideAnswer } from './decide-ask.ts';
import { decideCallAnswer } from './decide-delivery.ts';
import { decideGate, decidePause } from './decide-pause.ts';
import { decideSteer } from './decide-steer.ts';

const gate = (world: DelegationWorld, id: string, paused: boolean) =>
  world.decide((step) => decideGate(step, id, paused));
const pause = (world: DelegationWorld, id: string) => gate(world, id, true);
const resume = (world: DelegationWorld, id: string) => gate(world, id, false);
const frames = (world: DelegationWorld, run: string): string[] => world.framesTo(run).map(({ type }) => type);
const atBoundary = (world: DelegationWorld, run: string): void =>
  world.tell(run, { type: 'state', state: 'waiting', reason: 'paused', until: null });

/** A set of so many tasks, the first of which is at work. */
function working(count = 1, more: { max_concurrent?: number } = {}) {
  const world = new DelegationWorld();
  const { run_ids, delegation_id: set } = world.dispatch(count, more);
  world.begin();
  return { world, runs: run_ids, run: run_ids[0] ?? '', set };
}

describe('R9: the gate of a run', () => {
  test('queued → queued: paused, which keeps its turn in the queue', () => {
    const world = new DelegationWorld();
    const { run_ids } = world.dispatch(3, { max_concurrent: 1 });
    const [first = '', second = '', third = ''] = run_ids;
    pause(world, first);
    expect(world.state(first)).toBe('queued: paused');
    expect(world.grant()).toEqual([second]);
    expect(resume(world, first).ok).toBe(true);
    expect(world.state(first)).toBe('queued: concurrency');
    world.connect(second);
    world.end(second);
    expect(world.grant()).toEqual([first]);
    expect(world.state(third)).toBe('queued: concurrency');
  });

  test('a place that is on its way when the gate closes goes back, and the order stays', () => {
    const world = new DelegationWorld();
    const { run_ids } = world.dispatch(3);
    const placed = world.admission.grant();
    expect(placed).toEqual(run_ids);
    pause(world, world.tree.conversation.conversation_id);
    for (const run of placed) world.place(run);
    expect(world.admission.atWork).toBe(0);
    expect(world.started).toEqual([]);
    resume(world, world.tree.conversation.conversation_id);
    expect(world.grant()).toEqual(run_ids);
  });

  test('a task that waits for another one is held once that has ended', () => {
    const world = new DelegationWorld();
    const { run_ids } = world.dispatch([{ id: 'a' }, { depends_on: ['a'] }]);
    const [a = '', b = ''] = run_ids;
    world.begin();
    pause(world, b);
    expect(world.state(b)).toBe('queued: dependency');
    expect(world.run(b).words).toBe('Queued: for another task, paused');
    world.end(a);
    expect(world.state(b)).toBe('queued: paused');
    resume(world, b);
    expect(world.grant()).toEqual([b]);
  });

  test('running → told; at its next boundary it waits and gives its place back', () => {
    const { world, run } = working();
    expect(pause(world, run)).toEqual({
      ok: true,
      value: `Running, pauses at its next safe boundary. Resume ${run} to undo.`,
    });
    expect(world.state(run)).toBe('running');
    expect(frames(world, run)).toEqual(['pause']);
    atBoundary(world, run);
    expect(world.state(run)).toBe('waiting: paused');
    expect(world.admission.atWork).toBe(0);
    expect(world.tree.conversation).toMatchObject({ working: 0, held: 1 });
  });

  test('waiting: paused → asks for a place at the head of its set, and hears of it when it has one', () => {
    const { world, run, runs } = working(3, { max_concurrent: 1 });
    pause(world, run);
    atBoundary(world, run);
    expect(world.grant()).toEqual([runs[1]]);
    resume(world, run);
    expect(world.state(run)).toBe('waiting: concurrency');
    expect(frames(world, run)).toEqual(['pause']);
    world.connect(runs[1] ?? '');
    world.end(runs[1] ?? '');
    expect(world.grant()).toEqual([run]);
    expect(world.state(run)).toBe('running');
    expect(frames(world, run)).toEqual(['pause', 'resume']);
    expect(world.tree.conversation.held).toBe(0);
  });

  test('C2: what was sent to it meanwhile is told once more before it goes on, since its worker may have been away', () => {
    const { world, run } = working();
    pause(world, run);
    atBoundary(world, run);
    world.decide((step) => decideSteer(step, run, 'steer', 'Shorter.'));
    resume(world, run);
    world.grant();
    expect(frames(world, run).slice(0, 4)).toEqual(['pause', 'steer', 'steer', 'resume']);
  });

  test('resumed before its boundary it never waits, also if its word of it comes late', () => {
    const { world, run } = working();
    pause(world, run);
    resume(world, run);
    expect(frames(world, run)).toEqual(['pause', 'resume']);
    atBoundary(world, run);
    expect(world.state(run)).toBe('running');
    expect(world.admission.atWork).toBe(1);
  });

  test('a run that starts is told when its worker is there', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.grant();
    pause(world, run);
    expect(world.run(run).words).toBe('Starting, pauses at its next safe boundary');
    expect(frames(world, run)).toEqual([]);
    world.connect(run);
    expect(frames(world, run)).toEqual(['pause']);
  });

  test('a run that waits for children goes on with their results only when it is resumed', () => {
    const { world, run } = working();
    const set = world.delegate(run, 'c1', 1) ?? '';
    const [child = ''] = world.runsOf(set);
    world.begin();
    pause(world, run);
    expect(world.state(run)).toBe('waiting: children');
    world.end(child);
    expect(world.state(run)).toBe('waiting: paused');
    expect(world.grant()).toEqual([]);
    expect(frames(world, run)).not.toContain('call_result');
    resume(world, run);
    world.grant();
    expect(frames(world, run).slice(-2)).toEqual(['resume', 'call_result']);
  });

  test('nothing new starts below it; what works below goes on', () => {
    const { world, run } = working();
    const set = world.delegate(run, 'c1', 2) ?? '';
    const [first = '', second = ''] = world.runsOf(set);
    world.limits.concurrency = 1;
    world.begin();
    pause(world, run);
    expect([world.state(first), world.state(second)]).toEqual(['running', 'queued: paused']);
    expect(frames(world, first)).toEqual([]);
    resume(world, run);
    expect(world.state(second)).toBe('queued: concurrency');
  });

  test('a lead that waits for its user takes up a message when it is resumed', () => {
    const world = new DelegationWorld();
    const lead = world.lead();
    world.begin();
    world.tell(lead, { type: 'answered', answer: 'Hello', session: { v: 1 } });
    pause(world, lead);
    world.decide((step) => decideSteer(step, lead, 'follow_up', 'And now?'));
    expect(world.state(lead)).toBe('waiting: user');
    expect(world.run(lead).words).toBe('Waiting: for your message, paused');
    expect(world.grant()).toEqual([]);
    resume(world, lead);
    world.grant();
    expect(world.state(lead)).toBe('running');
    expect(frames(world, lead)).toContain('resume');
    expect(frames(world, lead).at(-1)).toBe('message');
  });

  test('a lead that is paused while it queues for its message outlives its worker', () => {
    const world = new DelegationWorld({ concurrency: 1 });
    const lead = world.lead();
    world.begin();
    world.tell(lead, { type: 'answered', answer: 'Hello', session: { v: 1 } });
    world.dispatch(1);
    world.begin();
    world.decide((step) => decideSteer(step, lead, 'follow_up', 'And now?'));
    expect(world.state(lead)).toBe('waiting: concurrency');
    pause(world, lead);
    expect(world.state(lead)).toBe('waiting: user');
    world.exit(lead);
    expect(world.state(lead)).toBe('waiting: user');
    resume(world, lead);
    expect(world.state(lead)).toBe('waiting: concurrency');
  });

  test('an answer reaches a paused run at once; it pauses at its boundary', () => {
    const { world, run } = working();
    const ask = { kind: 'permission' as const, title: 'Run', tool: 'bash', detail: 'ls', diff: null };
    world.tell(run, { type: 'ask', key: 'k1', ...ask });
    pause(world, run);
    const [askId = ''] = world.tree.asks.keys();
    world.decide((step) => decideAnswer(step, askId, { choice: 'once', note: null, by: 'me' }));
    expect(frames(world, run)).toEqual(['pause', 'answer']);
    expect(world.state(run)).toBe('running');
    expect(world.run(run).words).toBe('Running, pauses at its next safe boundary');
  });

  test('a restart that was due waits for the end of the pause', () => {
    const { world, run } = working();
    world.exit(run, { active: false, exit: { code: 1, signal: null } });
    expect(world.state(run)).toBe('waiting: restart');
    pause(world, run);
    expect(world.state(run)).toBe('waiting: paused');
    expect(world.admission.atWork).toBe(0);
    world.decide((step) => decideRestart(step, run));
    expect(world.started).toEqual([run]);
    resume(world, run);
    world.grant();
    expect(world.started).toEqual([run, run]);
  });

  test('steer, list and stop work on a paused run; its end opens the gate', () => {
    const { world, run } = working();
    pause(world, run);
    atBoundary(world, run);
    expect(world.decide((step) => decideSteer(step, run, 'steer', 'Shorter.')).ok).toBe(true);
    expect(frames(world, run)).toEqual(['pause', 'steer']);
    expect(world.stop(run)).toEqual([run]);
    world.exit(run);
    expect(world.run(run)).toMatchObject({ outcome: 'stopped', paused: false });
    expect(world.tree.conversation.held).toBe(0);
  });

  test('D5: a worker that comes back hears the last word on its pause again', () => {
    const { world, run } = working();
    pause(world, run);
    world.decide((step) => decideReconnected(step, run, [], []));
    expect(frames(world, run)).toEqual(['pause', 'pause']);
    resume(world, run);
    world.decide((step) => decideReconnected(step, run, [], []));
    expect(frames(world, run)).toEqual(['pause', 'pause', 'resume', 'resume']);
  });

  test('a result of a call that comes while it is at its boundary waits with it', () => {
    const { world, run } = working();
    world.delegate(run, 'c1', 1, false);
    pause(world, run);
    atBoundary(world, run);
    const call = world.tree.calls.get(`${run}/c1`);
    if (call === undefined) throw new Error('no call');
    world.decide((step) => decideCallAnswer(step, call, { is_error: false, text: 'late' }));
    expect(frames(world, run).at(-1)).toBe('pause');
  });
});

describe('R9: refused, with the reason', () => {
  test.each(['general', 'command'])('an ended run of %s cannot be paused', (agent) => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch([{ agent }]).run_ids;
    world.begin();
    world.end(run);
    expect(pause(world, run)).toMatchObject({ ok: false, error: { code: 'already_ended' } });
  });

  test('a command at work says that it cannot be paused; before its start it can', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch([{ agent: 'command' }]).run_ids;
    expect(pause(world, run).ok).toBe(true);
    resume(world, run);
    world.begin();
    const refused = pause(world, run);
    expect(refused).toMatchObject({ ok: false, error: { code: 'not_pausable' } });
    expect(!refused.ok && refused.error.message).toContain('A command cannot be paused once it is at work.');
    expect(world.run(run).paused).toBe(false);
  });

  test('a run that is being stopped', () => {
    const { world, run } = working();
    world.stop(run);
    expect(pause(world, run)).toMatchObject({ ok: false, error: { code: 'not_pausable' } });
  });

  test('a run that another gate holds names that gate', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id } = world.dispatch(1);
    pause(world, delegation_id);
    const refused = resume(world, run_ids[0] ?? '');
    expect(!refused.ok && refused.error.message).toBe(
      `What holds this run is the pause of set 1. Resume ${delegation_id}.`,
    );
  });

  test('C1: an unknown id', () => {
    expect(pause(new DelegationWorld(), 'run_ffffffffffff')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });
});

describe('R9: the gate of a set or conversation', () => {
  test('holds what is queued, and nothing that is at work; undone it starts in order', () => {
    const { world, runs, set } = working(3, { max_concurrent: 1 });
    const [first = '', second = '', third = ''] = runs;
    expect(pause(world, set)).toMatchObject({
      value: `Set 1 is paused: 2 held, 1 at work go on. Resume ${set} to undo.`,
    });
    expect(world.tree.sets.get(set)?.paused).toBe(true);
    expect(runs.map((run) => world.state(run))).toEqual(['running', 'queued: paused', 'queued: paused']);
    expect(frames(world, first)).toEqual([]);
    world.end(first);
    expect(world.grant()).toEqual([]);
    resume(world, set);
    expect(world.grant()).toEqual([second]);
    expect(world.state(third)).toBe('queued: concurrency');
  });

  test('of a conversation holds new sets too, also those of its runs', () => {
    const { world, run } = working();
    const { conversation_id } = world.tree.conversation;
    pause(world, conversation_id);
    const nested = world.delegate(run, 'c1', 1) ?? '';
    const later = world.dispatch(1).run_ids[0] ?? '';
    const [child = ''] = world.runsOf(nested);
    expect([world.state(child), world.state(later)]).toEqual(['queued: paused', 'queued: paused']);
    expect(world.tree.conversation).toMatchObject({ paused: true, held: 2 });
    expect(world.grant()).toEqual([]);
    resume(world, conversation_id);
    expect(world.grant()).toEqual([child, later]);
  });

  test('two gates: both must be opened, and what is left is told', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id } = world.dispatch(1);
    pause(world, delegation_id);
    pause(world, world.tree.conversation.conversation_id);
    expect(resume(world, delegation_id)).toMatchObject({ value: 'Set 1 goes on, but 1 is held by another pause.' });
    expect(world.state(run_ids[0] ?? '')).toBe('queued: paused');
    resume(world, world.tree.conversation.conversation_id);
    expect(world.state(run_ids[0] ?? '')).toBe('queued: concurrency');
  });

  test('a parent whose children have ended is no new start', () => {
    const { world, run, set } = working();
    const nested = world.delegate(run, 'c1', 1) ?? '';
    world.begin();
    pause(world, set);
    world.end(world.runsOf(nested)[0] ?? '');
    expect(world.grant()).toEqual([run]);
    expect(world.state(run)).toBe('running');
  });

  test('twice changes nothing; an ended set cannot be paused, and is not said to go on', () => {
    const { world, run, set } = working();
    pause(world, set);
    const events = world.events.length;
    expect(pause(world, set).ok).toBe(true);
    expect(world.events.length).toBe(events);
    world.end(run);
    expect(world.tree.sets.get(set)).toMatchObject({ paused: false, status: 'completed' });
    expect(pause(world, set)).toMatchObject({ ok: false, error: { code: 'already_ended' } });
    expect(resume(world, set)).toMatchObject({ ok: false, error: { code: 'already_ended' } });
  });

  test('case 31: the app’s gate holds every conversation; a run that is at work goes on', () => {
    const { world, run } = working();
    world.paused = true;
    world.decide((step) => decidePause(step));
    const [later = ''] = world.dispatch(1).run_ids;
    expect([world.state(run), world.state(later)]).toEqual(['running', 'queued: paused']);
    const refused = resume(world, later);
    expect(!refused.ok && refused.error.message).toBe(
      'What holds this run is the pause of everything. Resume everything.',
    );
  });
});
