import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RunLab } from '../../../testing/run-lab.ts';
import type { Adapter } from '../adapter.ts';
import type { AgentEvent } from '../agent-event.ts';
import { object } from '../json.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';

/** What a program said once, given to its adapter again. */
async function replay(adapter: Adapter, name: string): Promise<AgentEvent[]> {
  await using lab = RunLab.withoutModel();
  const events: AgentEvent[] = [];
  const agent = adapter({
    assignment: lab.assignment(),
    server: null,
    session: null,
    prompt: 'Write out.txt',
    emit: (event) => events.push(event),
    send: () => undefined,
  });
  agent.begin();
  if (agent.launch.input === null) agent.prompt('Write out.txt');
  const lines = readFileSync(join(import.meta.dirname, '../recordings', `${name}.jsonl`), 'utf8');
  for (const line of lines.split('\n').filter((each) => each !== '')) agent.take(object(JSON.parse(line)));
  agent.ended?.(name.endsWith('401') ? 1 : 0);
  return events;
}

function ofType<T extends AgentEvent['type']>(events: readonly AgentEvent[], type: T) {
  return events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
}

/** Texts entry by entry, as a reader sees them. */
function texts(events: readonly AgentEvent[], type: 'text' | 'reasoning'): string[] {
  const byKey = new Map<string, string>();
  for (const { key, delta, whole } of ofType(events, type))
    byKey.set(key, whole ?? (byKey.get(key) ?? '') + (delta ?? ''));
  return [...byKey.values()];
}

const RECORDED: readonly (readonly [
  string,
  Adapter,
  { thinks: boolean; input: number; output: number; reasoning: number },
])[] = [
  ['claude', claude, { thinks: true, input: 24_428, output: 34, reasoning: 4 }],
  ['codex', codex, { thinks: true, input: 20_337, output: 27, reasoning: 4 }],
  ['pi', pi, { thinks: true, input: 2851, output: 34, reasoning: 4 }],
  ['gemini', gemini, { thinks: false, input: 23_613, output: 37, reasoning: 4 }],
  ['opencode', opencode, { thinks: false, input: 15_454, output: 34, reasoning: 4 }],
];

describe.each(RECORDED)('a turn of %s, as recorded', (name, adapter, expected) => {
  it('gives its texts, its tool call with the result, its session and its end', async () => {
    const events = await replay(adapter, name);
    expect(texts(events, 'text')).toEqual(['I write it.', 'All done.']);
    expect(texts(events, 'reasoning')).toEqual(expected.thinks ? ['Let me think.'] : []);
    const [tool] = ofType(events, 'tool');
    expect(tool?.title).toContain('printf hello > out.txt && cat out.txt');
    const ends = ofType(events, 'tool_end');
    expect(ends.map(({ id, status, text }) => ({ id, status, text }))).toEqual([
      { id: tool?.id, status: 'ok', text: 'hello' },
    ]);
    expect(ofType(events, 'session').at(-1)?.id).toMatch(/./);
    expect(ofType(events, 'message_end')).toHaveLength(2);
    const turnEnds = ofType(events, 'turn_end');
    expect(turnEnds).toHaveLength(1);
    expect(turnEnds[0]).toMatchObject({ failure: null, interrupted: false });
  });

  it('R6: counts each token once', async () => {
    const usage = ofType(await replay(adapter, name), 'usage');
    const totals = usage.filter(({ as }) => as === 'total');
    const counted = totals.length > 0 ? totals.slice(-1) : usage;
    const sum = (member: 'input' | 'output' | 'reasoning'): number =>
      counted.reduce((total, { tokens }) => total + tokens[member], 0);
    const { input, output, reasoning } = expected;
    expect({ input: sum('input'), output: sum('output'), reasoning: sum('reasoning') }).toEqual({
      input,
      output,
      reasoning,
    });
  });

  it('R5: a cost without a known price is not told as one', async () => {
    for (const { cost_usd } of ofType(await replay(adapter, name), 'usage')) expect(cost_usd).toBeNull();
  });
});

it.each([
  ['claude-401', claude, 'auth'],
  ['gemini-401', gemini, 'auth'],
  ['opencode-401', opencode, 'auth'],
] as const)('T3: %s fails by what its stream says', async (name, adapter, reason) => {
  const events = await replay(adapter, name);
  expect(ofType(events, 'turn_end').at(-1)?.failure).toMatchObject({ reason });
  expect(texts(events, 'text')).toEqual([]);
});

it('T3: pi-429 tells of its retries, with what was last seen', async () => {
  const retries = ofType(await replay(pi, 'pi-429'), 'retry');
  expect(retries.map(({ failure }) => failure.reason)).toEqual(['rate_limit', 'rate_limit', 'rate_limit']);
});

it('an agent that claude starts inside of itself is seen, and its turn ends only with what comes after it', async () => {
  const events = await replay(claude, 'claude-subagent');
  const seen = ofType(events, 'subagent');
  expect(seen[0]).toMatchObject({ title: 'Look around', status: 'running' });
  expect(seen.at(-1)).toMatchObject({ key: seen[0]?.key, status: 'ok', text: 'Nothing there.' });
  expect(seen.some(({ text }) => text.includes('echo seen'))).toBe(true);
  expect(texts(events, 'text')).toEqual(['All done.', 'Later.']);
  expect(ofType(events, 'turn_end')).toEqual([
    { type: 'turn_end', interrupted: false, failure: null, answer: 'Later.' },
  ]);
});

it('codex asks for a command by its approval request, and the answer goes back under its id', async () => {
  await using lab = RunLab.withoutModel();
  const sent: unknown[] = [];
  const asks: AgentEvent[] = [];
  const agent = codex({
    assignment: lab.assignment({ permission: 'ask' }),
    server: null,
    session: null,
    prompt: '',
    emit: (event) => event.type === 'ask' && asks.push(event),
    send: (message) => sent.push(message),
  });
  const lines = readFileSync(join(import.meta.dirname, '../recordings/codex.jsonl'), 'utf8');
  const request = lines.split('\n').find((line) => line.includes('requestApproval')) ?? '';
  agent.take(object(JSON.parse(request)));
  const [ask] = asks;
  if (ask?.type !== 'ask') throw new Error('nothing was asked');
  expect(ask).toMatchObject({ tool: 'exec_command', kind: 'execute' });
  ask.answer({ choice: 'deny', note: null });
  expect(sent).toEqual([{ id: 0, result: { decision: 'decline' } }]);
});

const WITHDRAWN: readonly (readonly [string, Adapter, request: object, withdrawal: object])[] = [
  [
    'claude',
    claude,
    {
      type: 'control_request',
      request_id: 'r1',
      request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'make' } },
    },
    { type: 'control_cancel_request', request_id: 'r1' },
  ],
  [
    'codex',
    codex,
    { id: 7, method: 'item/commandExecution/requestApproval', params: { itemId: 'i', command: 'make' } },
    { method: 'serverRequest/resolved', params: { requestId: 7 } },
  ],
];

it.each(WITHDRAWN)(
  'A2: a permission that %s takes back waits for no answer',
  async (_, adapter, request, withdrawal) => {
    await using lab = RunLab.withoutModel();
    const asks: Extract<AgentEvent, { type: 'ask' }>[] = [];
    const agent = adapter({
      assignment: lab.assignment({ permission: 'ask' }),
      server: null,
      session: null,
      prompt: '',
      emit: (event) => event.type === 'ask' && asks.push(event),
      send: () => undefined,
    });
    agent.take(object(request));
    expect(asks.map(({ withdrawn }) => withdrawn.aborted)).toEqual([false]);
    agent.take(object(withdrawal));
    expect(asks.map(({ withdrawn }) => withdrawn.aborted)).toEqual([true]);
  },
);

it.each([
  ['nothing was said after it', [], 'auth'],
  ['the model has answered since', [{ type: 'agentMessage', id: 'm', text: 'It works now.' }], null],
])(
  'T3: an error that codex does not try again is its turn’s, whatever the end is called: %s',
  async (_, items, reason) => {
    await using lab = RunLab.withoutModel();
    const events: AgentEvent[] = [];
    const agent = codex({
      ...{ assignment: lab.assignment(), server: null, session: null, prompt: 'Go on' },
      emit: (event) => events.push(event),
      send: () => undefined,
    });
    const error = { message: 'Your key was refused', codexErrorInfo: 'unauthorized' };
    agent.take({ method: 'error', params: { error, willRetry: false } });
    for (const item of items) agent.take({ method: 'item/completed', params: { item } });
    agent.take({ method: 'turn/completed', params: { turn: { id: 't', status: 'completed' } } });
    expect(ofType(events, 'turn_end').map(({ failure }) => failure?.reason ?? null)).toEqual([reason]);
  },
);
