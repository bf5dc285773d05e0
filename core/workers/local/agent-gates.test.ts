import { expect, it } from 'vitest';
import type { AgentDefinition } from '../../protocol/agents.ts';
import { AgentGates } from './agent-gates.ts';

const agent = (adapter: string): AgentDefinition => ({
  id: adapter,
  runner: adapter.endsWith('-cli') ? 'cli' : 'acp',
  adapter,
  description: '',
  source: 'builtin',
});

const never = new AbortController().signal;
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

it('R1: an agent that shares files becomes ready alone, and the next one follows at once', async () => {
  const gates = new AgentGates(4);
  const order: string[] = [];
  const first = await gates.enter(agent('opencode'), never);
  const second = gates.enter(agent('opencode'), never).then((leave) => {
    order.push('second');
    return leave;
  });
  await settle();
  expect(order).toEqual([]);
  first();
  (await second)();
  expect(order).toEqual(['second']);
  await gates.enter(agent('opencode'), never);
});

it('R1: both ways to one program share its files', async () => {
  const gates = new AgentGates(4);
  const leave = await gates.enter(agent('codex-acp'), never);
  let entered = false;
  const other = gates.enter(agent('codex-cli'), never).then(() => (entered = true));
  await settle();
  expect(entered).toBe(false);
  leave();
  await other;
});

it('R1: heavy starts of different agents share the processors', async () => {
  const gates = new AgentGates(1);
  const gemini = await gates.enter(agent('gemini'), never);
  let entered = false;
  const qwen = gates.enter(agent('qwen'), never).then(() => (entered = true));
  await settle();
  expect(entered).toBe(false);
  gemini();
  await qwen;
});

it('a light agent waits for nobody; an aborted wait gives back what it had', async () => {
  const gates = new AgentGates(1);
  expect(gates.guards(agent('claude-agent-acp'))).toBe(false);
  expect(gates.guards(agent('opencode'))).toBe(true);
  const held = await gates.enter(agent('gemini'), never);
  const abort = new AbortController();
  const waits = gates.enter(agent('opencode'), abort.signal);
  await settle();
  abort.abort();
  await waits;
  held();
  await gates.enter(agent('opencode'), never);
});
