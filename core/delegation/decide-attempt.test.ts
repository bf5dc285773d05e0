import { describe, expect, test } from 'vitest';
import type { CoreFrame } from '../protocol/frames.ts';
import { DelegationWorld, testReport } from '../testing/delegation.ts';
import { decideConnected, decidePlace, decideReconnected, decideRestart } from './decide-attempt.ts';
import { decidePause } from './decide-pause.ts';
import { decideSteer } from './decide-steer.ts';

const DEATH = { active: false, exit: { code: 1, signal: null } } as const;

function running(): { world: DelegationWorld; run: string } {
  const world = new DelegationWorld();
  const [run = ''] = world.dispatch(1).run_ids;
  world.begin();
  return { world, run };
}

const restart = (world: DelegationWorld, run: string): void => {
  world.decide((step) => decideRestart(step, run));
  world.connect(run);
};

describe('R8: a worker that dies before it did anything', () => {
  test('it is started again after 250, 750 and 1,500 ms, then the run fails', () => {
    const { world, run } = running();
    for (let n = 0; n < 3; n += 1) {
      world.exit(run, DEATH);
      expect(world.state(run)).toBe('waiting: restart');
      expect(world.admission.atWork).toBe(1);
      restart(world, run);
    }
    expect(world.restarts.map(({ delay_ms }) => delay_ms)).toEqual([250, 750, 1_500]);
    world.exit(run, { ...DEATH, stderr_tail: 'first\nno such module\n' });
    expect(world.run(run)).toMatchObject({ outcome: 'failed', exit_reason: 'process_died', attempts: 4 });
    expect(world.run(run).error).toMatch(/exit 1.*no such module/);
    expect(world.admission.atWork).toBe(0);
  });

  test('T2: one that never connected has not started', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.grant();
    world.exit(run, { connected: false, active: false, exit: null, stderr_tail: 'spawn ENOENT' });
    expect(world.run(run)).toMatchObject({ outcome: 'failed', exit_reason: 'not_started', failure_reason: 'process' });
    expect(world.run(run).error).toContain('spawn ENOENT');
  });

  test('D5: one that an earlier core ordered, and that nobody has seen within its grace, is started again', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.grant();
    world.exit(run, { connected: false, active: false, exit: null, proof: { method: 'not_started' } });
    expect(world.state(run)).toBe('waiting: restart');
    restart(world, run);
    expect(world.run(run)).toMatchObject({ state: 'running', attempts: 2 });
  });

  test('D5: one that an earlier core had greeted, and that is gone without a word, never had its task and is started again', () => {
    const { world, run } = running();
    world.exit(run, { active: false, exit: null, by_itself: true });
    expect(world.state(run)).toBe('waiting: restart');
    restart(world, run);
    expect(world.run(run)).toMatchObject({ state: 'running', attempts: 2 });
  });

  test('D5: one that an earlier core had greeted, and that was ended because it did not come back, may have begun: it is lost', () => {
    const { world, run } = running();
    world.exit(run, { active: false, exit: null, by_itself: false });
    expect(world.run(run)).toMatchObject({ outcome: 'lost', exit_reason: 'unknown' });
    expect(world.restarts).toEqual([]);
  });

  test('case 18: one that had begun is not started again: its run failed', () => {
    const { world, run } = running();
    world.exit(run, { active: true, exit: { code: null, signal: 'SIGKILL' } });
    expect(world.run(run)).toMatchObject({ outcome: 'failed', exit_reason: 'process_died', failure_reason: 'process' });
    expect(world.restarts).toEqual([]);
  });

  test('case 38: what nobody saw is lost, with the last known activity', () => {
    const { world, run } = running();
    world.tell(run, { type: 'activity', text: 'Running npm test' });
    world.exit(run, { active: true, exit: null, proof: { method: 'unknown', reason: 'restart' } });
    expect(world.run(run)).toMatchObject({ outcome: 'lost', exit_reason: 'unknown', proof: { method: 'unknown' } });
    expect(world.run(run).error).toContain('Running npm test');
  });

  test.each([
    ['unknown', { method: 'unknown', reason: 'restart' }, [], 1],
    ['survived', { method: 'survivors' }, [{ pid: 7, command: 'daemon' }], 1],
    ['proved', { method: 'observed', how: 'group' }, [], 0],
  ] as const)('R1: a place is held while the end of its attempt is not proved: %s', (_, proof, survivors, held) => {
    const { world, run } = running();
    world.exit(run, { active: true, exit: null, proof, survivors });
    expect(world.run(run).state).toBe('ended');
    expect(world.admission.atWork).toBe(held);
  });

  test('a sign of life begins the count anew', () => {
    const { world, run } = running();
    world.exit(run, DEATH);
    restart(world, run);
    world.tell(run, { type: 'activity', text: 'x' });
    world.exit(run, DEATH);
    expect(world.restarts.map(({ delay_ms }) => delay_ms)).toEqual([250, 250]);
  });

  test('after a restart of the core a place stands for the timer that is gone (D5)', () => {
    const { world, run } = running();
    world.exit(run, DEATH);
    world.decide((step) => decidePlace(step, run));
    expect(world.state(run)).toBe('starting');
  });
});

describe('T7: late and doubled words change nothing', () => {
  test('of an attempt that is not the run’s any more', () => {
    const { world, run } = running();
    const before = world.events.length;
    world.decide((step) => decideConnected(step, run, 'att_ffffffffffff', 1));
    const old = world.attempts.get(run);
    world.exit(run, { attempt_id: 'att_ffffffffffff' });
    expect(world.events).toHaveLength(before);
    expect(world.state(run)).toBe('running');
    if (old) world.attempts.set(run, old);
    world.end(run);
  });

  test('of a run that has ended', () => {
    const { world, run } = running();
    world.end(run);
    const before = world.events.length;
    world.tell(run, { type: 'state', state: 'running', reason: null, until: null });
    world.report(run, { answer: 'other' });
    world.tell(run, { type: 'activity', text: 'late' });
    expect(world.events).toHaveLength(before);
    expect(world.run(run)).toMatchObject({ state: 'ended', summary: 'Done.' });
  });

  test('a stopping run cannot go on', () => {
    const { world, run } = running();
    world.stop(run);
    world.tell(run, { type: 'state', state: 'running', reason: null, until: null });
    world.wait(run, 'children');
    expect(world.state(run)).toBe('stopping');
    expect(world.admission.atWork).toBe(1);
  });
});

/** Frames to a run but for its gates: whether it is to pause is said again at each return (R9). */
const heard = (world: DelegationWorld, run: string): CoreFrame[] =>
  world.framesTo(run).filter(({ type }) => type !== 'pause' && type !== 'resume');

describe('D4, P7: a worker comes back after a cut', () => {
  test('it hears the answers of the calls that it still waits for, and no others', () => {
    const { world, run } = running();
    world.delegate(run, 'c1', 1, false);
    world.delegate(run, 'c2', 1, false);
    world.decide((step) => decideReconnected(step, run, ['c2', 'c9'], []));
    expect(heard(world, run).map((frame) => 'call_id' in frame && frame.call_id)).toEqual(['c1', 'c2', 'c2']);
  });

  test('R1: while it waits for its place the answer is kept, and comes with the place', () => {
    const { world, run } = running();
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', 1) ?? '');
    world.begin();
    world.end(child);
    // As after a restart of the core: nobody knows what was sent.
    world.tree.memory.unsent.clear();
    world.decide((step) => decideReconnected(step, run, ['c1'], []));
    expect(heard(world, run)).toEqual([]);
    world.begin();
    expect(heard(world, run)).toMatchObject([{ type: 'call_result', call_id: 'c1' }]);
  });

  test('a stop, or the leave to end, is said again', () => {
    const stopping = running();
    stopping.world.stop(stopping.run);
    stopping.world.decide((step) => decideReconnected(step, stopping.run, [], []));
    expect(stopping.world.stopped).toEqual([stopping.run, stopping.run]);
    const over = running();
    over.world.report(over.run);
    expect(over.world.effectsOf((step) => decideReconnected(step, over.run, [], []))).toEqual([
      { type: 'release_attempt', run_id: over.run },
    ]);
  });

  test('C2: steers that it may not have got are sent again', () => {
    const { world, run } = running();
    world.decide((step) => decideSteer(step, run, 'steer', 'x'));
    world.decide((step) => decideReconnected(step, run, [], []));
    expect(heard(world, run).map(({ type }) => type)).toEqual(['steer', 'steer']);
  });

  test.each([
    ['the core knows which', false],
    ['the core was restarted', true],
  ])('P2: a completion that may not have reached it is sent again when %s', (_, restarted) => {
    const world = new DelegationWorld();
    const run = world.lead();
    world.begin();
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', 1, false) ?? '');
    world.begin();
    world.tell(run, { type: 'answered', answer: 'ok', session: { v: 1 } });
    world.end(child);
    world.begin();
    if (restarted) world.tree.memory.offered.clear();
    world.decide((step) => decideReconnected(step, run, [], []));
    const messages = world.framesTo(run).filter((frame) => frame.type === 'message');
    expect(messages).toHaveLength(2);
    expect(messages[0]).toEqual(messages[1]);
  });

  test('T1: a lead that was to finish is told so again', () => {
    const world = new DelegationWorld();
    const run = world.lead(true);
    world.begin();
    world.tell(run, { type: 'answered', answer: 'ok', session: { v: 1 } });
    world.decide((step) => decideReconnected(step, run, [], []));
    expect(heard(world, run)).toEqual([{ type: 'finish' }, { type: 'finish' }]);
  });
});

describe('T1: a lead outlives its workers', () => {
  function waiting(): { world: DelegationWorld; run: string } {
    const world = new DelegationWorld();
    const run = world.lead();
    world.begin();
    world.tell(run, { type: 'progress', progress: testReport().progress });
    world.tell(run, { type: 'answered', answer: 'ok', session: { v: 1 } });
    return { world, run };
  }

  test('between two messages it needs no process; the next message starts one with its session', () => {
    const { world, run } = waiting();
    world.exit(run, { active: true });
    expect(world.state(run)).toBe('waiting: user');
    world.decide((step) => decideSteer(step, run, 'follow_up', 'Go on'));
    world.grant();
    expect(world.state(run)).toBe('starting');
    expect(world.run(run).attempts).toBe(2);
    world.connect(run);
    expect(world.framesTo(run)).toMatchObject([{ type: 'message', text: 'Go on' }]);
  });

  test('it dies while its next message waits for a place: the message is not lost', () => {
    const { world, run } = waiting();
    world.decide((step) => decideSteer(step, run, 'follow_up', 'Go on'));
    world.exit(run, { active: true });
    expect(world.state(run)).toBe('waiting: concurrency');
    world.begin();
    expect(world.framesTo(run).at(-1)).toMatchObject({ type: 'message', text: 'Go on' });
  });

  test('it dies before it took up the message that was sent: it is started again and gets it again', () => {
    const { world, run } = waiting();
    world.decide((step) => decideSteer(step, run, 'follow_up', 'Go on'));
    world.begin();
    world.exit(run, { active: true, exit: { code: null, signal: 'SIGKILL' } });
    expect(world.state(run)).toBe('waiting: restart');
    restart(world, run);
    expect(world.framesTo(run).filter(({ type }) => type === 'message')).toHaveLength(2);
  });

  test('R6: its counters go on where the earlier attempt has left them; so does its transcript', () => {
    const { world, run } = waiting();
    world.exit(run, { active: true });
    world.decide((step) => decideSteer(step, run, 'follow_up', 'Go on'));
    world.begin();
    expect(world.tree.facts.get(run)?.carried?.first_entry).toBe(7);
    world.tell(run, { type: 'progress', progress: testReport().progress });
    expect(world.run(run)).toMatchObject({ turns: 2, cost_usd: 0.02, tokens: { input: 20, output: 10 } });
    world.end(run);
    expect(world.tree.facts.get(run)?.result).toMatchObject({ turns: 2, cost_usd: 0.02 });
    expect(world.tree.facts.get(run)?.result?.duration_seconds).toBeCloseTo(4, 1);
    expect(world.tree.conversation).toMatchObject({ tokens: 30, cost_usd: 0.02 });
  });

  test('R5: an unknown cost of one attempt makes the whole unknown', () => {
    const { world, run } = waiting();
    world.exit(run, { active: true });
    world.decide((step) => decideSteer(step, run, 'follow_up', 'Go on'));
    world.begin();
    world.tell(run, {
      type: 'progress',
      progress: { ...testReport().progress, cost_usd: null, cost_status: 'unknown' },
    });
    expect(world.run(run)).toMatchObject({ cost_usd: null, cost_status: 'unknown' });
    expect(world.tree.conversation.cost_usd).toBeNull();
  });

  test('a death in the middle of a turn ends it', () => {
    const world = new DelegationWorld();
    const run = world.lead();
    world.begin();
    world.exit(run, { active: true, exit: { code: null, signal: 'SIGKILL' } });
    expect(world.run(run)).toMatchObject({ outcome: 'failed', exit_reason: 'process_died' });
  });
});

describe('R9: pause', () => {
  test('case 31: queued runs say what holds them, and start in order when it is lifted', () => {
    const world = new DelegationWorld();
    const { run_ids } = world.dispatch([{ id: 'a' }, {}, { depends_on: ['a'] }]);
    world.paused = true;
    world.decide((step) => decidePause(step));
    expect(run_ids.map((run) => world.state(run))).toEqual(['queued: paused', 'queued: paused', 'queued: dependency']);
    expect(world.grant()).toEqual([]);
    world.paused = false;
    world.decide((step) => decidePause(step));
    expect(world.state(run_ids[0] ?? '')).toBe('queued: concurrency');
    expect(world.grant()).toEqual(run_ids.slice(0, 2));
  });

  test('case 31: steer and stop work while the app is paused', () => {
    const { world, run } = running();
    world.paused = true;
    expect(world.decide((step) => decideSteer(step, run, 'steer', 'x')).ok).toBe(true);
    world.stop(run);
    world.exit(run);
    expect(world.run(run).outcome).toBe('stopped');
  });
});
