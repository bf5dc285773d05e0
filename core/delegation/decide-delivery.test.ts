import { describe, expect, test } from 'vitest';
import type { CoreFrame } from '../protocol/frames.ts';
import { DelegationWorld, testReport } from '../testing/delegation.ts';
import { decideReconnected } from './decide-attempt.ts';
import { decideGate } from './decide-pause.ts';
import { decideSteer } from './decide-steer.ts';

const SESSION = { v: 1 };

function lead(once = false): { world: DelegationWorld; run: string } {
  const world = new DelegationWorld();
  const run = world.lead(once);
  world.begin();
  return { world, run };
}

const answered = (world: DelegationWorld, run: string): void =>
  world.tell(run, { type: 'answered', answer: 'ok', session: SESSION });

const delivered = (world: DelegationWorld, run: string, id: string): void =>
  world.tell(run, { type: 'steer', steer_id: id, state: 'delivered' });

const messages = (frames: readonly CoreFrame[]): Extract<CoreFrame, { type: 'message' }>[] =>
  frames.filter((frame) => frame.type === 'message');

describe('P1, P2: results that come later', () => {
  test('case 34: children of a talking lead end → one new turn, never inside a running one; two sets, two deliveries, in order', () => {
    const { world, run } = lead();
    const first = world.runsOf(world.delegate(run, 'c1', 2, false) ?? '');
    const second = world.runsOf(world.delegate(run, 'c2', 1, false) ?? '');
    world.begin();
    for (const child of [...second, ...first]) world.end(child);
    expect(messages(world.framesTo(run))).toEqual([]);
    answered(world, run);
    expect(world.state(run)).toBe('waiting: concurrency');
    world.begin();
    const [one] = messages(world.framesTo(run));
    expect(one).toMatchObject({ origin: 'completion' });
    expect(one?.text).toMatch(/^Result of set 2 /);
    delivered(world, run, one?.message_id ?? '');
    expect(messages(world.framesTo(run))).toHaveLength(1);
    answered(world, run);
    world.begin();
    const two = messages(world.framesTo(run))[1];
    expect(two?.text).toMatch(/^Result of set 1 /);
    delivered(world, run, two?.message_id ?? '');
    answered(world, run);
    expect(world.state(run)).toBe('waiting: user');
    expect(world.eventsOf('delivery_done')).toHaveLength(2);
  });

  test('P2: a lead that waits for its user is woken by a completion, and by a message after it', () => {
    const { world, run } = lead();
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', 1, false) ?? '');
    world.begin();
    answered(world, run);
    expect(world.state(run)).toBe('waiting: user');
    world.decide((step) => decideSteer(step, run, 'follow_up', 'And now?'));
    world.end(child);
    world.begin();
    const [first] = messages(world.framesTo(run));
    expect(first?.origin).toBe('completion');
    delivered(world, run, first?.message_id ?? '');
    answered(world, run);
    world.begin();
    expect(messages(world.framesTo(run))[1]).toMatchObject({ origin: 'message', text: 'And now?' });
  });

  test('P2: a message that is on its way keeps the run at work when its wait was told before', () => {
    const { world, run } = lead();
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', 1, false) ?? '');
    world.begin();
    world.end(child);
    answered(world, run);
    world.begin();
    world.wait(run, 'user');
    expect(world.state(run)).toBe('running');
    expect(messages(world.framesTo(run))).toHaveLength(1);
    delivered(world, run, messages(world.framesTo(run))[0]?.message_id ?? '');
    world.wait(run, 'user');
    expect(world.state(run)).toBe('waiting: user');
  });

  test('P2: a completion never comes with the answer of a call: the turn goes on first', () => {
    const { world, run } = lead();
    const [later = ''] = world.runsOf(world.delegate(run, 'c1', 1, false) ?? '');
    const [now = ''] = world.runsOf(world.delegate(run, 'c2', 1) ?? '');
    world.begin();
    world.end(later);
    world.end(now);
    world.begin();
    const frames = world.framesTo(run).map(({ type }) => type);
    expect(frames).toEqual(['call_result', 'call_result']);
    answered(world, run);
    world.begin();
    expect(messages(world.framesTo(run))).toHaveLength(1);
  });

  test('P1: a run that ends its turn with background children waits for them and goes on with the result', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.begin();
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', 1, false) ?? '');
    world.wait(run, 'children');
    expect(world.state(run)).toBe('waiting: children');
    world.begin();
    world.end(child);
    world.begin();
    expect(world.state(run)).toBe('running');
    expect(messages(world.framesTo(run))).toMatchObject([{ origin: 'completion' }]);
  });

  test('P2: only the run that delegated hears of it', () => {
    const { world, run } = lead();
    const other = world.lead();
    world.begin();
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', 1, false) ?? '');
    world.begin();
    for (const each of [run, other]) answered(world, each);
    world.end(child);
    world.begin();
    expect(messages(world.framesTo(other))).toEqual([]);
    expect(messages(world.framesTo(run))).toHaveLength(1);
  });

  test('R1: of two calls that wait in one turn the first answer comes at once, the last with the place', () => {
    const { world, run } = lead();
    const [a = ''] = world.runsOf(world.delegate(run, 'c1', 1) ?? '');
    const [b = ''] = world.runsOf(world.delegate(run, 'c2', 1) ?? '');
    world.begin();
    world.end(b);
    expect(world.framesTo(run)).toMatchObject([{ call_id: 'c2' }]);
    expect(world.state(run)).toBe('waiting: children');
    world.end(a);
    expect(world.framesTo(run)).toHaveLength(1);
    world.begin();
    expect(world.framesTo(run)).toMatchObject([{ call_id: 'c2' }, { call_id: 'c1' }]);
  });

  test('R1: a worker that goes on by itself queues for its place, and gives it back when it waits again', () => {
    const { world, run } = lead();
    const set = world.delegate(run, 'c1', 1) ?? '';
    world.tell(run, { type: 'state', state: 'running', reason: null, until: null });
    expect(world.state(run)).toBe('waiting: concurrency');
    world.wait(run, 'children');
    expect(world.state(run)).toBe('waiting: children');
    world.begin();
    expect(world.admission.atWork).toBe(1);
    world.end(world.runsOf(set)[0] ?? '');
    world.begin();
    expect(world.state(run)).toBe('running');
    expect(world.admission.atWork).toBe(1);
  });
});

describe('P3: early word of a failure', () => {
  test('case 35: the first failure of a running set is told to the parent early, the final result still comes', () => {
    const { world, run } = lead();
    const children = world.runsOf(world.delegate(run, 'c1', 3, false) ?? '');
    world.begin();
    world.fail(children[0] ?? '');
    world.fail(children[1] ?? '');
    const notices = world.framesTo(run).filter((frame) => frame.type === 'notice');
    expect(notices).toHaveLength(1);
    expect(notices[0]?.text).toMatch(/Task \[set 1 · 1\/3\] of the running set 1 has ended: .*It broke/);
    world.end(children[2] ?? '');
    answered(world, run);
    world.begin();
    expect(messages(world.framesTo(run))[0]?.text).toMatch(/: partial\./);
  });

  const notices = (world: DelegationWorld, run: string) =>
    world.framesTo(run).flatMap((frame) => (frame.type === 'notice' ? [frame.notice_id ?? ''] : []));
  const back = (world: DelegationWorld, run: string): void =>
    world.decide((step) => decideReconnected(step, run, [], []));

  test('P3: early word outlives a cut: it is sent again until the parent has taken it, and then never more', () => {
    const { world, run } = lead();
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', 2, false) ?? '');
    world.begin();
    world.fail(child);
    back(world, run);
    const [first = '', again] = notices(world, run);
    expect(again).toBe(first);
    world.tell(run, { type: 'steer', steer_id: first, state: 'delivered' });
    back(world, run);
    expect(notices(world, run)).toHaveLength(2);
    expect(world.tree.deliveries.get(first)).toMatchObject({ kind: 'notice', done: true });
  });

  test('P3: a lead without a worker hears it in its next attempt; early word alone wakes nobody', () => {
    const { world, run } = lead();
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', 2, false) ?? '');
    world.begin();
    answered(world, run);
    world.exit(run);
    world.fail(child);
    world.begin();
    expect(world.state(run)).toBe('waiting: user');
    world.decide((step) => decideSteer(step, run, 'follow_up', 'And now?'));
    const before = notices(world, run).length;
    world.begin();
    expect(notices(world, run).length).toBe(before + 1);
    expect(messages(world.framesTo(run))).toHaveLength(1);
  });

  test('P3: the result of the set takes the place of early word that nobody has taken', () => {
    const { world, run } = lead();
    const [a = '', b = ''] = world.runsOf(world.delegate(run, 'c1', 2, false) ?? '');
    world.begin();
    world.fail(a);
    world.end(b);
    const sent = notices(world, run).length;
    back(world, run);
    expect(notices(world, run)).toHaveLength(sent);
    answered(world, run);
    world.begin();
    expect(messages(world.framesTo(run))).toHaveLength(1);
  });

  test('P3: a parent that waits in its call hears of the failure with the result', () => {
    const { world, run } = lead();
    const [a = '', b = ''] = world.runsOf(world.delegate(run, 'c1', 2) ?? '');
    world.begin();
    world.fail(a);
    expect(notices(world, run)).toEqual([]);
    world.end(b);
    expect(world.tree.calls.get(`${run}/c1`)?.answer?.text).toMatch(/: partial\./);
  });

  test('P3: the failure that ends its set is no early word', () => {
    const { world, run } = lead();
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', 1, false) ?? '');
    world.begin();
    world.fail(child);
    expect(world.framesTo(run).filter(({ type }) => type === 'notice')).toEqual([]);
  });
});

describe('P4: the text of a result', () => {
  test('it stands by itself: what was asked, when, by whom, each outcome with caveats, and that claims are unverified', () => {
    const { world, run } = lead();
    const set =
      world.delegate(
        run,
        'c1',
        [{ label: 'Parser', goal: 'Look at\n the parser' }, { goal: 'Look at the writer' }],
        true,
      ) ?? '';
    const [a = '', b = ''] = world.runsOf(set);
    world.begin();
    world.end(a, { limit: 'max_turns', answer: 'Found three.' });
    world.fail(b);
    const text = world.tree.calls.get(`${run}/c1`)?.answer?.text ?? '';
    expect(text).toContain(`Result of set 1 (${set}), dispatched by you at 1970-01-01T00:00:0`);
    expect(text).toContain('their own claim');
    expect(text).toMatch(
      /## \[set 1 · 1\/2\] Parser\nrun_id: run_\w+ · agent: general · status: completed with caveat: truncated.*\nasked: Look at the parser\n/,
    );
    expect(text).toContain('Found three.');
    expect(text).toMatch(/## \[set 1 · 2\/2\] Look at the writer\n.*status: failed \(It broke\)/);
    expect(text.match(/asked:/g)).toHaveLength(1);
  });

  test('P5: a summary over the limit keeps its head and its tail', () => {
    const world = new DelegationWorld({ summaryChars: 400 });
    const run = world.lead();
    world.begin();
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', 1) ?? '');
    world.begin();
    world.end(child, { answer: `HEAD\n${'middle\n'.repeat(500)}TAIL` });
    const text = world.tree.calls.get(`${run}/c1`)?.answer?.text ?? '';
    expect(text).toContain('HEAD');
    expect(text).toContain('TAIL');
    expect(text.length).toBeLessThan(1_200);
  });
});

describe('T1: a lead that is to end after its answer', () => {
  const ended = (world: DelegationWorld, run: string) =>
    world.tell(run, {
      type: 'answered',
      answer: 'ok',
      session: SESSION,
      report: testReport({ answer: 'The answer.' }),
    });

  test('T1: its worker dies after the answer, idle: the answer counts', () => {
    const { world, run } = lead(true);
    ended(world, run);
    world.exit(run, { exit: { code: null, signal: 'SIGKILL' } });
    expect(world.run(run)).toMatchObject({ outcome: 'completed', exit_reason: 'done', summary: 'The answer.' });
    expect(world.run(run).turns).toBe(1);
  });

  test('T1, T7: nobody saw the end of its worker: the answer counts, and a limit that cut it is its caveat', () => {
    const { world, run } = lead(true);
    const report = testReport({ answer: 'As far as I got.', limit: 'max_turns' });
    world.tell(run, { type: 'answered', answer: 'ok', session: SESSION, report });
    world.exit(run, { exit: null, proof: { method: 'unknown', reason: 'test' } });
    expect(world.run(run)).toMatchObject({ outcome: 'completed', caveats: ['truncated'], summary: 'As far as I got.' });
  });

  test('T1: with a delegation open it goes on without a worker; what dies in a later turn is no answer', () => {
    const { world, run } = lead(true);
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', 1, false) ?? '');
    world.begin();
    ended(world, run);
    world.exit(run, { exit: { code: null, signal: 'SIGKILL' } });
    expect(world.state(run)).toBe('waiting: user');
    world.end(child);
    world.begin();
    const [message] = messages(world.framesTo(run));
    delivered(world, run, message?.message_id ?? '');
    world.exit(run, { exit: { code: null, signal: 'SIGKILL' } });
    expect(world.run(run)).toMatchObject({ outcome: 'failed', failure_reason: 'process' });
  });

  test('it is told to finish when no delegation is open and nothing waits for it', () => {
    const { world, run } = lead(true);
    answered(world, run);
    expect(world.framesTo(run)).toEqual([{ type: 'finish' }]);
  });

  test('P2, R9: paused while a result waits to be taken up, and its worker comes back → not told to finish; resumed, it hears the result', () => {
    const { world, run } = lead(true);
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', 1, false) ?? '');
    world.begin();
    answered(world, run);
    world.end(child);
    expect(world.state(run)).toBe('waiting: concurrency');
    world.decide((step) => decideGate(step, run, true));
    expect(world.state(run)).toBe('waiting: user');
    world.decide((step) => decideReconnected(step, run, [], []));
    expect(world.framesTo(run).some(({ type }) => type === 'finish')).toBe(false);
    world.decide((step) => decideGate(step, run, false));
    world.begin();
    expect(messages(world.framesTo(run))).toMatchObject([{ origin: 'completion' }]);
  });

  test('with a delegation open it waits; after the completion and one more answer it finishes', () => {
    const { world, run } = lead(true);
    const [child = ''] = world.runsOf(world.delegate(run, 'c1', 1, false) ?? '');
    world.begin();
    answered(world, run);
    expect(world.framesTo(run).some(({ type }) => type === 'finish')).toBe(false);
    world.end(child);
    world.begin();
    delivered(world, run, messages(world.framesTo(run))[0]?.message_id ?? '');
    answered(world, run);
    expect(world.framesTo(run).at(-1)).toEqual({ type: 'finish' });
  });

  test('a lead without it waits for its user and holds no place', () => {
    const { world, run } = lead();
    answered(world, run);
    expect(world.state(run)).toBe('waiting: user');
    expect(world.framesTo(run)).toEqual([]);
    expect(world.admission.atWork).toBe(0);
  });
});
