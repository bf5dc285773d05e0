import { describe, expect, test } from 'vitest';
import type { Task } from '../protocol/batch.ts';
import { DelegationWorld, testReport, testTask } from '../testing/delegation.ts';
import { decideContinue, decideContinueLead } from './decide-continue.ts';
import { decideReconnected } from './decide-attempt.ts';
import { decideLetGo } from './decide-let-go.ts';
import { decideRetry } from './decide-retry.ts';
import { sessionBefore } from './tree.ts';

const SESSION = { v: 1, said: 'so far' };

const go = (world: DelegationWorld, run: string, text = 'And one thing more') =>
  world.decide((step) => decideContinue(step, run, text));
const latest = (world: DelegationWorld, set: string): string => world.runsOf(set)[0] ?? '';

/** The run ends by itself and leaves its session. */
function ends(world: DelegationWorld, run: string, change = {}): void {
  world.tell(run, { type: 'ended', last_seq: 1, report: testReport(change), session: SESSION });
  world.exit(run);
}

function ended(task: Partial<Task> = {}, change = {}) {
  const world = new DelegationWorld();
  const { run_ids, delegation_id: set } = world.dispatch([task]);
  world.begin();
  ends(world, run_ids[0] ?? '', change);
  return { world, set, run: run_ids[0] ?? '' };
}

describe('C5: a continued run', () => {
  test('is a new run in the same slot that has the session of the ended one', () => {
    const { world, set, run } = ended({ label: 'a task' });
    expect(go(world, run).ok).toBe(true);
    const next = latest(world, set);
    expect(world.run(next)).toMatchObject({
      continues: run,
      retry_of: null,
      goal: 'And one thing more',
      label: 'a task',
    });
    expect(world.run(run)).toMatchObject({ continued_by: next, retried_by: null });
    expect(sessionBefore(world.tree, world.run(next))).toEqual(SESSION);
    expect(world.tree.sets.get(set)).toMatchObject({ status: 'running', ended: 0, revision: 1 });
    world.begin();
    ends(world, next);
    expect(world.tree.sets.get(set)).toMatchObject({ status: 'completed', totals: { completed: 1, cost_usd: 0.02 } });
  });

  test('has what is left of the limits, and the same ceiling', () => {
    const limits = { max_turns: 10, max_tool_calls: 5, max_cost_usd: 1, max_tokens: 100, timeout_seconds: 60 };
    const { world, set, run } = ended({
      limits: { ...limits, idle_timeout_seconds: 9 },
      permission: 'plan',
      tools: ['read'],
    });
    go(world, run);
    const next = latest(world, set);
    expect(world.tree.facts.get(next)?.task.limits).toEqual({
      max_turns: 9,
      max_tool_calls: 5,
      max_cost_usd: 0.99,
      max_tokens: 85,
      timeout_seconds: 58,
      idle_timeout_seconds: 9,
    });
    expect(world.run(next)).toMatchObject({ max_turns: 9, permission: 'plan', turns: 0 });
    expect(world.tree.facts.get(next)?.task.tools).toEqual(['read']);
  });

  test('without limits of its own counts down those of the settings', () => {
    const { world, set, run } = ended();
    go(world, run);
    expect(world.run(latest(world, set)).max_turns).toBe(249);
  });

  test('is refused when a limit is used up, with its name', () => {
    const { world, run } = ended({ limits: { max_turns: 1 } });
    const refused = go(world, run);
    expect(refused).toMatchObject({ ok: false, error: { code: 'limit_reached' } });
    expect(!refused.ok && refused.error.message).toContain('max_turns (1)');
  });

  test('one owner of a session: a second one is refused while the first is at work, and after it', () => {
    const { world, set, run } = ended();
    go(world, run);
    const next = latest(world, set);
    for (const finish of [() => undefined, () => (world.begin(), ends(world, next))]) {
      finish();
      const refused = go(world, run);
      expect(!refused.ok && refused.error.message).toBe(`${next} has taken the place of this run. Continue that one.`);
    }
    expect(go(world, next).ok).toBe(true);
    expect(world.run(latest(world, set))).toMatchObject({ continues: next, max_turns: 248 });
  });

  test.each([
    ['at work', {}, 'has not ended'],
    ['of a command', { agent: 'command' }, 'The runner command keeps no session'],
  ])('a run %s is refused', (name, task, why) => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch([task]).run_ids;
    world.begin();
    if (name !== 'at work') world.end(run);
    const refused = go(world, run);
    expect(!refused.ok && refused.error.message).toContain(why);
  });

  test('a run that left no session is refused', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.begin();
    world.exit(run, { exit: { code: null, signal: 'SIGKILL' } });
    const refused = go(world, run);
    expect(!refused.ok && refused.error.message).toContain('left no session');
    expect(world.run(run).continued_by).toBeNull();
  });

  test('that failed at once keeps the session for the next, which hears its message too', () => {
    const { world, set, run } = ended();
    go(world, run, 'First message');
    const next = latest(world, set);
    world.begin();
    world.exit(next, { exit: { code: null, signal: 'SIGKILL' } });
    expect(go(world, next, 'Second message').ok).toBe(true);
    const last = world.run(latest(world, set));
    expect(last.goal).toBe('First message\n\nSecond message');
    expect(sessionBefore(world.tree, last)).toEqual(SESSION);
  });

  test('is retried with the same session', () => {
    const { world, set, run } = ended();
    go(world, run);
    const next = latest(world, set);
    world.begin();
    world.fail(next);
    const task = world.tree.facts.get(next)?.task;
    expect(task && world.decide((step) => decideRetry(step, next, task)).ok).toBe(true);
    const again = world.run(latest(world, set));
    expect(again).toMatchObject({ retry_of: next, continues: run });
    expect(sessionBefore(world.tree, again)).toEqual(SESSION);
  });

  test('T5: a continued run has its own automatic retries, with the same session', () => {
    const { world, set, run } = ended({ retry: 1 });
    go(world, run);
    world.begin();
    world.fail(latest(world, set));
    expect(world.run(latest(world, set))).toMatchObject({ continues: run, state: 'queued' });
    world.begin();
    world.fail(latest(world, set));
    expect(world.tree.sets.get(set)?.status).toBe('failed');
  });

  test('R3: takes no place of the fan-out', () => {
    const world = new DelegationWorld({ fanOut: 1 });
    const [parent = ''] = world.dispatch(1).run_ids;
    world.begin();
    const set = world.delegate(parent, 'c1', 1, false) ?? '';
    world.begin();
    ends(world, latest(world, set));
    expect(go(world, latest(world, set)).ok).toBe(true);
    expect(world.tree.fanOut.get(parent)).toBe(1);
  });

  test('P2: whoever goes on hears once, at its first boundary, of background work that ended without a word to the session', () => {
    const world = new DelegationWorld();
    const { run_ids, delegation_id: set } = world.dispatch(1);
    const [run = ''] = run_ids;
    world.begin();
    const queued = world.delegate(run, 'c1', 1, false) ?? '';
    const stopped = world.delegate(run, 'c2', 1, false) ?? '';
    world.begin();
    // The result of the first waits for the end of the turn; the second ends with its parent.
    world.end(latest(world, queued));
    ends(world, run, { answer: '', error: { reason: 'network', message: 'reset' } });
    world.exit(latest(world, stopped));
    go(world, run);
    const next = latest(world, set);
    world.begin();
    const told = world.framesTo(next).flatMap((frame) => (frame.type === 'notice' ? [frame] : []));
    expect(told.map(({ text }) => /Result of set (\d).*: (\w+)\./.exec(text)?.slice(1))).toEqual([
      ['2', 'completed'],
      ['3', 'stopped'],
    ]);
    for (const { notice_id = '' } of told) world.tell(next, { type: 'steer', steer_id: notice_id, state: 'delivered' });
    ends(world, next);
    go(world, next);
    world.begin();
    expect(world.framesTo(latest(world, set))).toEqual([]);
    expect([...world.tree.deliveries.values()].every(({ done }) => done)).toBe(true);
  });

  test('P2: what a run that was continued delegated is told to its successor', () => {
    const { world, set, run } = (() => {
      const fresh = new DelegationWorld();
      const { run_ids, delegation_id } = fresh.dispatch(1);
      fresh.begin();
      return { world: fresh, set: delegation_id, run: run_ids[0] ?? '' };
    })();
    const nested = world.delegate(run, 'c1', 1) ?? '';
    world.begin();
    world.fail(latest(world, nested));
    world.grant();
    ends(world, run);
    go(world, run);
    world.begin();
    const child = latest(world, nested);
    const task = world.tree.facts.get(child)?.task;
    if (task !== undefined) world.decide((step) => decideRetry(step, child, task));
    world.begin();
    world.end(latest(world, nested));
    expect([...world.tree.deliveries.values()].map(({ to_run_id }) => to_run_id)).toEqual([latest(world, set)]);
    // It waits for no message of a delegation that it did not make itself: it is told at its next boundary.
    expect(world.framesTo(latest(world, set)).at(-1)).toMatchObject({ type: 'notice' });
    const [told] = world.tree.deliveries.values();
    expect(told?.text).toContain(`dispatched by ${run}, which you go on for, at`);
  });
});

describe('T1: the next message to an ended lead continues it', () => {
  function endedLead() {
    const world = new DelegationWorld();
    const lead = world.lead();
    world.begin();
    world.tell(lead, { type: 'answered', answer: 'Hello', session: SESSION });
    return { world, lead };
  }
  const message = (world: DelegationWorld, lead: string, text = 'Go on, please') =>
    world.decide((step) => decideContinueLead(step, lead, text, false));

  test('a new lead goes on with the session and hears the message', () => {
    const { world, lead } = endedLead();
    world.stop(lead);
    world.exit(lead);
    const answer = message(world, lead);
    const next = answer.ok ? answer.value.run_id : '';
    expect(world.run(next)).toMatchObject({ lead: true, continues: lead, goal: 'Go on, please', depth: 0 });
    expect(world.tree.conversation.lead_run_id).toBe(next);
    world.begin();
    expect(world.framesTo(next)).toMatchObject([{ type: 'message', origin: 'message', text: 'Go on, please' }]);
    const [steer] = [...world.tree.steers.values()];
    expect(steer).toMatchObject({ run_id: next, state: 'accepted' });
  });

  const change = (world: DelegationWorld, lead: string, task: Partial<Task>) =>
    world.decide((step) => decideContinueLead(step, lead, 'Go on, please', false, testTask(task)));
  const letGo = (world: DelegationWorld, lead: string) => world.decide((step) => decideLetGo(step, lead));

  test('another model goes on with the session of the lead, which ends for it as completed', () => {
    const { world, lead } = endedLead();
    expect(letGo(world, lead).ok).toBe(true);
    expect(world.framesTo(lead).at(-1)).toEqual({ type: 'finish' });
    ends(world, lead);
    expect(world.run(lead)).toMatchObject({ state: 'ended', outcome: 'completed' });
    const answer = change(world, lead, { model: 'p/other', limits: { max_turns: 3 } });
    const next = answer.ok ? answer.value.run_id : '';
    expect(world.run(next)).toMatchObject({ lead: true, continues: lead, model: 'p/other', goal: 'Go on, please' });
    expect(sessionBefore(world.tree, world.run(next))).toEqual(SESSION);
    world.begin();
    expect(world.framesTo(next)).toMatchObject([{ type: 'message', text: 'Go on, please' }]);
  });

  test('D3: a lead that is let go while its worker is away is told when that is back', () => {
    const { world, lead } = endedLead();
    letGo(world, lead);
    const before = world.framesTo(lead).length;
    world.decide((step) => {
      decideReconnected(step, lead, [], []);
    });
    expect(world.framesTo(lead).slice(before)).toContainEqual({ type: 'finish' });
    ends(world, lead);
    expect(world.run(lead)).toMatchObject({ state: 'ended', outcome: 'completed' });
  });

  test('a lead that is let go and whose worker ends without a word has ended with its answer', () => {
    const { world, lead } = endedLead();
    world.tell(lead, { type: 'answered', answer: 'Hello', session: SESSION, report: testReport({ answer: 'Hello' }) });
    letGo(world, lead);
    world.exit(lead);
    expect(world.run(lead)).toMatchObject({ state: 'ended', outcome: 'completed' });
  });

  test('another kind of agent has no session: it is told what was asked first and answered last, and the message', () => {
    const { world, lead } = endedLead();
    world.agents.set('codex', { id: 'codex', runner: 'acp', source: 'builtin', description: '' });
    letGo(world, lead);
    ends(world, lead, { answer: 'It is 7.' });
    const answer = change(world, lead, { agent: 'codex' });
    const next = world.run(answer.ok ? answer.value.run_id : '');
    expect(sessionBefore(world.tree, next)).toBeNull();
    expect(next.goal).toMatch(/^Before you, "general" led[^]*Find out how it works[^]*It is 7\.[^]*Go on, please$/);
    const refused = change(world, next.run_id, { agent: 'command' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
  });

  test('C3: a lead is not let go in its turn, nor while what it has delegated is still to come', () => {
    const world = new DelegationWorld();
    const lead = world.lead();
    world.begin();
    expect(letGo(world, lead)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('turn') as string },
    });
    world.delegate(lead, 'c1', 1, false);
    world.tell(lead, { type: 'answered', answer: 'Hello', session: SESSION });
    const refused = letGo(world, lead);
    expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining('at work') as string } });
    expect(world.framesTo(lead)).not.toContainEqual({ type: 'finish' });
  });

  test('completions that were kept for it come first', () => {
    const { world, lead } = endedLead();
    world.delegate(lead, 'c1', 1, false);
    world.begin();
    world.stop(lead);
    for (const run of [...world.attempts.keys()]) world.exit(run);
    const answer = message(world, lead);
    const next = answer.ok ? answer.value.run_id : '';
    world.begin();
    const [first] = world.framesTo(next);
    expect(first).toMatchObject({ type: 'message', origin: 'completion' });
    const id = first?.type === 'message' ? first.message_id : '';
    world.tell(next, { type: 'steer', steer_id: id, state: 'delivered' });
    world.tell(next, { type: 'answered', answer: 'I see.', session: SESSION });
    world.grant();
    expect(world.framesTo(next).at(-1)).toMatchObject({ type: 'message', origin: 'message', text: 'Go on, please' });
    expect([...world.tree.deliveries.values()].every(({ done }) => done)).toBe(true);
  });

  test('its worker dies before it took the message: a new attempt hears it again', () => {
    const { world, lead } = endedLead();
    world.stop(lead);
    world.exit(lead);
    const answer = message(world, lead);
    const next = answer.ok ? answer.value.run_id : '';
    world.begin();
    world.exit(next, { active: true, exit: { code: 1, signal: null } });
    expect(world.state(next)).toBe('waiting: restart');
  });

  test('one that never said anything begins anew with both messages', () => {
    const world = new DelegationWorld();
    const lead = world.lead();
    world.stop(lead);
    const answer = message(world, lead);
    const next = answer.ok ? answer.value.run_id : '';
    expect(world.run(next).goal).toBe('Find out how it works\n\nGo on, please');
    expect(world.tree.steers.size).toBe(0);
  });

  test('its turn limit counts by message, its money does not', () => {
    const { world, lead } = endedLead();
    const facts = world.tree.facts.get(lead);
    if (facts)
      world.tree.facts.set(lead, { ...facts, task: { ...facts.task, limits: { max_turns: 3, max_cost_usd: 1 } } });
    ends(world, lead);
    const answer = message(world, lead);
    const next = answer.ok ? answer.value.run_id : '';
    expect(world.tree.facts.get(next)?.task.limits).toEqual({ max_turns: 3, max_cost_usd: 0.99 });
  });

  test('one that is at work, or was continued, is refused', () => {
    const { world, lead } = endedLead();
    expect(message(world, lead)).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
    world.stop(lead);
    world.exit(lead);
    expect(go(world, lead).ok).toBe(true);
    expect(message(world, lead)).toMatchObject({ ok: false, error: { code: 'not_allowed' } });
  });
});
