import { describe, expect, it } from 'vitest';
import { ScriptedPort, type ScriptedPortOptions } from '../testing/scripted-port.ts';
import { bridgeHandlers, type BridgedRun } from './bridge-handlers.ts';
import type { CallResult } from './contract.ts';

const DELEGATE = { description: '', wait_default: true, command_agents: ['command'] };
const PROGRAM = { goal: 'rm -rf build', agent: 'command' };

const done = (text: string): CallResult => ({ isError: false, text, background: null, display: null });

function bridged(options: ScriptedPortOptions = {}, permission: BridgedRun['assignment']['permission'] = 'ask') {
  const port = new ScriptedPort({ onCall: () => done('ok'), ...options });
  const assignment = { permission, delegate: DELEGATE };
  const handlers = bridgeHandlers({ assignment, port, output: null, told: () => undefined });
  let calls = 0;
  const call = (args: unknown) => handlers.call(`c${(calls += 1)}`, 'delegate_task', args);
  return { port, handlers, call };
}

describe('A1: programs of the agent’s choice', () => {
  it.each([
    ['a task that is one', PROGRAM],
    ['commands that check a task', { goal: 'Look', acceptance: { verify: [{ command: 'rm -rf build' }] } }],
  ])('%s asks, and is not started when that is denied', async (_, args) => {
    const { port, call } = bridged({ onAsk: () => ({ choice: 'deny', remember: false, note: 'no' }) });
    expect(await call(args)).toEqual({ isError: true, text: 'Not run: permission was denied: no.' });
    expect(port.asks).toMatchObject([{ kind: 'permission', tool: 'delegate_task' }]);
    expect(port.asks[0]?.detail).toContain('rm -rf build');
    expect(port.calls).toEqual([]);
  });

  it('what was allowed for the run is not asked again, what was allowed once is', async () => {
    for (const [remember, asks] of [
      [true, 1],
      [false, 2],
    ] as const) {
      const { port, call } = bridged({ onAsk: () => ({ choice: 'allow', remember, note: null }) });
      await call(PROGRAM);
      await call(PROGRAM);
      expect([port.asks.length, port.calls.length]).toEqual([asks, 2]);
    }
  });

  it.each([
    ['plan', 0, 'in the permission mode "plan"'],
    ['auto', 1, 'ok'],
  ] as const)('in the mode %s nobody is asked', async (permission, calls, text) => {
    const { port, call } = bridged({}, permission);
    expect((await call(PROGRAM)).text).toContain(text);
    expect([port.asks.length, port.calls.length]).toEqual([0, calls]);
  });

  it('work for agents with a model asks nobody', async () => {
    const { port, call } = bridged();
    await call({ tasks: [{ goal: 'Look', agent: 'general' }] });
    expect([port.asks.length, port.calls.length]).toEqual([0, 1]);
  });
});

describe('R1: the place of a run that only waits', () => {
  it('is given back from the first call that waits to the end of the last', async () => {
    const answers: ((result: CallResult) => void)[] = [];
    const { port, call } = bridged({ onCall: () => new Promise((resolve) => answers.push(resolve)) });
    const both = [call({ goal: 'one' }), call({ action: 'wait' })];
    await expect.poll(() => answers.length).toBe(2);
    expect(port.states).toEqual(['waiting children']);
    answers[0]?.(done('one'));
    await both[0];
    expect(port.states).toEqual(['waiting children']);
    answers[1]?.(done('two'));
    await both[1];
    expect(port.states).toEqual(['waiting children', 'running']);
  });

  it.each([{ goal: 'one', wait: false }, { action: 'list' }])('is kept by %j', async (args) => {
    const { port, call } = bridged();
    await call(args);
    expect(port.states).toEqual([]);
  });

  it('a stop while it waits ends the call, and the run says nothing more of its state (C3)', async () => {
    const { port, call } = bridged({ onCall: () => new Promise(() => undefined) });
    const waiting = call({ goal: 'one' });
    await expect.poll(() => port.states).toEqual(['waiting children']);
    port.stopWith('stop');
    await expect(waiting).rejects.toThrow();
    expect(port.states).toEqual(['waiting children']);
  });
});

it('a question that is denied or left blank is one that nobody answered (A2)', async () => {
  const answers = [
    { choice: 'text', note: ' Tabs. ' },
    { choice: 'text', note: ' ' },
    { choice: 'deny', note: 'no time' },
  ] as const;
  for (const [answer, words] of [
    [answers[0], 'Tabs.'],
    [answers[1], null],
    [answers[2], null],
  ] as const) {
    const { handlers } = bridged({ onAsk: () => ({ ...answer, remember: false }) });
    expect(await handlers.ask({ title: 'Tabs?', detail: '' })).toBe(words);
  }
});
