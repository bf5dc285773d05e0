import { expect, test } from 'vitest';
import { systemRandom } from '../../kit/random.ts';
import type { Assignment, WorkerEvent } from '../../protocol/frames.ts';
import { NO_TOKENS } from '../../protocol/token-sums.ts';
import { StopSignal } from '../../runners/contract.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import type { ManualClock } from '../../testing/manual-clock.ts';
import { assignmentFor } from '../../testing/worker-lab.ts';
import { RunPort } from './run-port.ts';

function made(more: Partial<Assignment> = {}): { port: RunPort; clock: ManualClock; events: WorkerEvent[] } {
  const clock = manualClock();
  const events: WorkerEvent[] = [];
  const assignment = { ...assignmentFor('run_1', 'goal', '/'), ...more };
  const push = (event: WorkerEvent): void => void events.push(event);
  const port = new RunPort({ clock, random: systemRandom, attemptId: 'att_1', assignment, push });
  return { port, clock, events };
}

const types = (events: readonly WorkerEvent[]): string[] => events.map((event) => event.type);
const TEXT = { type: 'text', partial: false } as const;

test('text in small pieces becomes one delta a frame of screen time, in its place in the order', () => {
  const { port, clock, events } = made();
  const entry = port.transcript.open(TEXT, 'a');
  entry.append('b');
  entry.append('c');
  expect(types(events)).toEqual(['entry']);
  clock.advance(16);
  expect(events.at(-1)).toEqual({ type: 'delta', entry: 0, offset: 1, text: 'bc' });
  entry.append('d');
  entry.end({ text: 'abcd!' });
  port.transcript.add(TEXT, 'next');
  expect(events.slice(2)).toMatchObject([
    { type: 'delta', offset: 3, text: 'd' },
    { type: 'entry_end', entry: 0, text: 'abcd!', meta: null },
    { type: 'entry', entry: 1, text: 'next' },
    { type: 'entry_end', entry: 1 },
  ]);
  expect(() => entry.end()).toThrow('has ended');
  expect(() => entry.append('x')).toThrow('has ended');
});

test('much text at once goes at once, in pieces that fit into a frame; offsets go on', () => {
  const { port, events } = made();
  const entry = port.transcript.open(TEXT, 'x'.repeat(1_500_000));
  entry.append('y'.repeat(4096));
  expect(events.map((event) => ('text' in event ? [event.type, event.text?.length] : []))).toEqual([
    ['entry', 1_000_000],
    ['delta', 500_000],
    ['delta', 4096],
  ]);
  expect(events.map((event) => (event.type === 'delta' ? event.offset : 0))).toEqual([0, 1_000_000, 1_500_000]);
});

test('states, counters and activity that say nothing new are not told; the latest of 100 ms is', () => {
  const { port, clock, events } = made();
  const progress = (turns: number): Parameters<RunPort['progress']>[0] => ({
    turns,
    tool_calls: 0,
    tokens: NO_TOKENS,
    cost_usd: null,
    cost_status: 'unknown',
    active_seconds: 1,
  });
  port.state('running');
  port.state('waiting', 'rate_limit', 5);
  port.state('waiting', 'rate_limit', 5);
  for (const turns of [1, 2, 3]) port.progress(progress(turns));
  for (const text of ['a', 'b']) port.activity(text);
  clock.advance(100);
  port.progress(progress(3));
  port.activity('b');
  clock.advance(100);
  expect(events).toEqual([
    { type: 'state', state: 'waiting', reason: 'rate_limit', until: 5 },
    { type: 'progress', progress: progress(3) },
    { type: 'activity', text: 'b' },
  ]);
});

test('while it asks, the run waits and its time does not count; after the last answer it is what it was', async () => {
  const { port, clock, events } = made();
  const request = { kind: 'permission', title: 't', tool: null, detail: '', diff: null } as const;
  const asks = [port.ask(request), port.ask(request)];
  port.state('running');
  clock.advance(60_000);
  expect(port.activeSeconds()).toBe(0);
  const answer = { type: 'answer', choice: 'allow', remember: true, note: null } as const;
  const [first = '', second = ''] = port.openAsks;
  port.frame({ ...answer, key: first });
  port.frame({ ...answer, key: first });
  expect(types(events)).toEqual(['ask', 'ask']);
  port.frame({ ...answer, key: second });
  expect(await Promise.all(asks)).toEqual([1, 2].map(() => ({ choice: 'allow', remember: true, note: null })));
  expect(events.at(-1)).toEqual({ type: 'state', state: 'running', reason: null, until: null });
  expect(port.openAsks).toEqual([]);
});

test('C3: a stop rejects all that waits with its reason, closes open asks, and is the first one only', async () => {
  const { port, events } = made();
  const waits = [
    port.nextMessage(),
    port.ask({ kind: 'question', title: 't', tool: null, detail: '', diff: null }),
    port.call('c1', 'delegate_task', {}),
  ];
  port.frame({ type: 'pause' });
  const paused = port.whileNotPaused();
  port.frame({ type: 'stop', reason: 'deadline' });
  port.frame({ type: 'stop', reason: 'stop' });
  for (const each of [...waits, paused]) await expect(each).rejects.toMatchObject({ why: 'deadline' });
  expect(port.stop.reason).toBeInstanceOf(StopSignal);
  await expect(port.ask({ kind: 'question', title: 't', tool: null, detail: '', diff: null })).rejects.toThrow();
  await expect(port.nextMessage()).rejects.toThrow();
  await expect(port.call('c2', 'x', {})).rejects.toThrow();
  await expect(port.whileNotPaused()).rejects.toThrow();
  expect(types(events)).toContain('ask_closed');
});

test('P7: the same call is told once, and all who ask for it get its result', async () => {
  const { port, events } = made();
  const calls = [port.call('c1', 'delegate_task', { a: 1 }), port.call('c1', 'delegate_task', { a: 1 })];
  expect(port.openCalls).toEqual(['c1']);
  port.frame({ type: 'call_result', call_id: 'c1', is_error: true, text: 'no', background: null, display: null });
  expect(await Promise.all(calls)).toMatchObject([{ isError: true, text: 'no' }, { isError: true }]);
  expect(types(events)).toEqual(['call']);
  expect(port.openCalls).toEqual([]);
});

test.each([
  [true, 'user'],
  [false, 'children'],
])('T1: a run that is a lead: %s waits for its next message as for %s, and goes on with it', async (lead, reason) => {
  const { port, events } = made({ lead });
  const next = port.nextMessage();
  expect(events).toEqual([{ type: 'state', state: 'waiting', reason, until: null }]);
  port.frame({ type: 'message', message_id: 'm1', text: 'go', origin: 'message', delegation_id: null });
  expect(await next).toMatchObject({ message_id: 'm1', text: 'go' });
  expect(events.at(-1)).toMatchObject({ type: 'state', state: 'running' });
  port.frame({ type: 'message', message_id: 'm2', text: 'more', origin: 'message', delegation_id: null });
  expect(await port.nextMessage()).toMatchObject({ message_id: 'm2' });
  port.frame({ type: 'finish' });
  expect(await port.nextMessage()).toBeNull();
});

test('D6: without room to store, the run waits at its next safe boundary', async () => {
  const { port, events } = made();
  port.setRoom(false);
  const held = port.whileNotPaused();
  expect(events).toMatchObject([{ state: 'waiting', reason: 'storage' }]);
  port.setRoom(true);
  await held;
  expect(events.at(-1)).toMatchObject({ state: 'running' });
});

test('R7: a tool that runs has the longer idle limit; a stall ends the run', () => {
  const { port, clock, events } = made();
  const meta = { type: 'tool_call', call_id: 'c', name: 'bash', title: '', arguments: '', display: null } as const;
  const entry = port.transcript.open({ ...meta, status: 'running', seconds: null });
  clock.advance(1_199_000);
  expect(types(events)).toEqual(['entry']);
  entry.end({ meta: { ...meta, status: 'ok', seconds: 1199 } });
  clock.advance(452_000);
  expect(types(events)).toEqual(['entry', 'entry_end', 'activity', 'idle']);
  expect(port.takeNotices()).toHaveLength(1);
  clock.advance(121_000);
  expect(port.stop.reason).toMatchObject({ why: 'stalled' });
});

test('R5: what an open request costs at worst is told at once, before it can be lost', () => {
  const { port, events } = made();
  const spent = {
    turns: 0,
    tool_calls: 0,
    tokens: NO_TOKENS,
    cost_usd: 0,
    cost_status: 'estimated',
    active_seconds: 0,
  } as const;
  const in_flight = { tokens: { ...NO_TOKENS, input: 100, output: 4000 }, cost_usd: 0.041 };
  port.progress({ ...spent, in_flight });
  expect(events).toMatchObject([{ type: 'progress', progress: { in_flight } }]);
});

test('R5, R8: new limits and holds of other runs reach the runner, whenever it begins to listen', () => {
  const { port } = made({ key_holds: [{ key_id: 'k1', until: 10 }] });
  const limits: unknown[] = [];
  const holds: unknown[] = [];
  port.frame({ type: 'limits', max_cost_usd: 2.98, max_tokens: null, note: null });
  port.onLimits((told) => limits.push(told));
  port.onKeyHold((told) => holds.push(told));
  port.frame({ type: 'limits', max_cost_usd: 0, max_tokens: 5, note: 'Nothing is left.' });
  port.frame({ type: 'hold', key_id: 'k2', until: 20 });
  expect(limits).toEqual([
    { max_cost_usd: 2.98, max_tokens: null },
    { max_cost_usd: 0, max_tokens: 5 },
  ]);
  expect(holds).toEqual([
    { key_id: 'k1', until: 10 },
    { key_id: 'k2', until: 20 },
  ]);
});

test('R8: a hold that the run has found is told to the core, with the name of the key and not the key', () => {
  const { port, events } = made();
  port.keyHeld({ key_id: 'k1', until: 10 });
  expect(events).toEqual([{ type: 'hold', key_id: 'k1', until: 10 }]);
});

test('R7, B45: before a run waits it tells how long it was active, without the time in which it was frozen', () => {
  const { port, clock, events } = made();
  port.progress({
    turns: 1,
    tool_calls: 0,
    tokens: NO_TOKENS,
    cost_usd: 0,
    cost_status: 'estimated',
    active_seconds: 0,
  });
  clock.advance(2000);
  clock.freeze(2 * 3_600_000);
  clock.advance(1000);
  port.state('waiting', 'children');
  const last = events.filter(({ type }) => type === 'progress').at(-1);
  expect(last).toMatchObject({ progress: { active_seconds: expect.closeTo(3, 0) } });
  expect(events.at(-1)).toMatchObject({ type: 'state', reason: 'children' });
});

test('R7, B42: a run that has used nothing yet tells its time too, and after a wait for a provider', () => {
  const { port, clock, events } = made();
  clock.advance(2000);
  port.state('waiting', 'rate_limit', 1);
  clock.set(3 * 24 * 3_600_000);
  clock.advance(3000);
  port.state('running');
  const told = events.filter(({ type }) => type === 'progress' || type === 'state');
  expect(told).toMatchObject([
    { progress: { active_seconds: 2, turns: 0, cost_usd: 0 } },
    { state: 'waiting', reason: 'rate_limit' },
    { progress: { active_seconds: 5 } },
    { state: 'running' },
  ]);
});

test('A2: what was asked in a turn that is over is closed, and so is what is withdrawn; the run reads as what it does', async () => {
  const { port, events } = made({ lead: true });
  const request = { kind: 'permission', title: 'Run a command', tool: 'bash', detail: 'make', diff: null } as const;
  const withdrawn = new AbortController();
  const [first, second] = [port.ask(request, withdrawn.signal), port.ask(request)];
  withdrawn.abort();
  await expect(first).rejects.toThrow('not asked for any more');
  expect(port.openAsks).toHaveLength(1);
  expect(types(events)).toEqual(['ask', 'ask', 'ask_closed']);
  port.answered('Done without it.', null);
  await expect(second).rejects.toThrow('not asked for any more');
  expect(port.openAsks).toEqual([]);
  expect(events.slice(3)).toMatchObject([
    { type: 'ask_closed' },
    { type: 'state', state: 'running' },
    { type: 'answered' },
  ]);
  await expect(port.ask(request, withdrawn.signal)).rejects.toThrow('not asked for any more');
  expect(types(events)).toHaveLength(6);
});
