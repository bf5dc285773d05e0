import { expect, it } from 'vitest';
import { LIMITS, RunLab } from '../../../testing/run-lab.ts';
import { ScriptedPort } from '../../../testing/scripted-port.ts';
import { runBuiltin } from '../run.ts';

const READ = { tool_call: { name: 'read', arguments: { path: 'a.txt' } } };

it('case 15, B11: a turn limit of 3 is 3 turns and a wrap-up whose calls are not executed', async () => {
  await using lab = await RunLab.open([[{ text: 'So far so good.' }, READ]], { repeat_last: true });
  lab.write('a.txt', 'x');
  const port = new ScriptedPort();
  const { report } = await lab.run(runBuiltin, port, { limits: { ...LIMITS, max_turns: 3 } });
  expect(lab.model.requests).toHaveLength(4);
  expect(report).toMatchObject({ limit: 'max_turns', answer: 'So far so good.', error: null });
  expect(report.progress).toMatchObject({ turns: 3, tool_calls: 3 });
  const calls = port.entries.flatMap(({ meta }) => (meta.type === 'tool_call' ? [meta.status] : []));
  expect(calls).toEqual(['ok', 'ok', 'ok', 'refused']);
  expect(lab.bodies[3]).toContain('The turns of this run are used up');
});

it('case 15: without any text the answer is empty, for the core to judge', async () => {
  await using lab = await RunLab.open([[READ]], { repeat_last: true });
  lab.write('a.txt', 'x');
  const { report } = await lab.run(runBuiltin, undefined, { limits: { ...LIMITS, max_turns: 3 } });
  expect(report).toMatchObject({ limit: 'max_turns', answer: '', ended_on_tool_error: false });
});

it('a run that ends by itself in its last turn met no limit', async () => {
  await using lab = await RunLab.open([[READ], 'Done.']);
  lab.write('a.txt', 'x');
  const { report } = await lab.run(runBuiltin, undefined, { limits: { ...LIMITS, max_turns: 2 } });
  expect(report).toMatchObject({ limit: null, answer: 'Done.' });
});

it('R4: above the tool-call limit only reading works, at 1.25 × the run winds down', async () => {
  const write = { tool_call: { name: 'write', arguments: { path: 'b.txt', content: 'never' } } };
  await using lab = await RunLab.open([[READ, READ, READ, READ], [write], ['Never asked.'].map((text) => ({ text }))]);
  lab.write('a.txt', 'x');
  const { report } = await lab.run(runBuiltin, undefined, { limits: { ...LIMITS, max_tool_calls: 4 } });
  expect(lab.read('b.txt')).toBeNull();
  expect(report).toMatchObject({ limit: 'max_tool_calls', answer: 'Never asked.' });
  expect(lab.bodies[1]).toContain('4 of 4 tool calls are used');
  expect(lab.bodies[2]).toContain('only reading is possible now');
  expect(lab.bodies[2]).toContain('The tool calls of this run are used up');
  expect(lab.model.requests).toHaveLength(3);
});

it('R4: a run in which a call was refused ends with that limit, also when it ends by itself', async () => {
  const write = { tool_call: { name: 'write', arguments: { path: 'b.txt', content: 'never' } } };
  const reads = Array.from({ length: 8 }, () => READ);
  await using lab = await RunLab.open([reads, [write], 'I could not write.']);
  lab.write('a.txt', 'x');
  const { report } = await lab.run(runBuiltin, undefined, { limits: { ...LIMITS, max_tool_calls: 8 } });
  expect(report).toMatchObject({ limit: 'max_tool_calls', answer: 'I could not write.' });
});

it('R5: with tokens for one more request only, that one is the wind-down', async () => {
  const turn = [{ text: 'Found one.' }, READ, { usage: { input: 900, output: 100 } }];
  await using lab = await RunLab.open([turn], { repeat_last: true });
  lab.write('a.txt', 'x');
  const { report } = await lab.run(runBuiltin, undefined, { limits: { ...LIMITS, max_tokens: 3500 } });
  expect(lab.model.requests).toHaveLength(3);
  expect(report).toMatchObject({ limit: 'max_tokens', answer: 'Found one.' });
  expect(report.progress.turns).toBe(2);
});

it('R5: with money for no further request the run ends without one', async () => {
  const turn = [{ text: 'Found one.' }, READ, { usage: { input: 1000, output: 100 } }];
  await using lab = await RunLab.open([turn], { repeat_last: true });
  lab.write('a.txt', 'x');
  const { report } = await lab.run(runBuiltin, undefined, { limits: { ...LIMITS, max_cost_usd: 0.003 } });
  expect(lab.model.requests).toHaveLength(1);
  expect(report).toMatchObject({ limit: 'budget', answer: 'Found one.' });
  expect(report.progress.cost_usd).toBe(0.002);
});

it('R5: an answer that passes the limit while it streams is cut and kept', async () => {
  await using lab = await RunLab.open([[{ text: 'word '.repeat(2000) }, { usage: { input: 10, output: 2500 } }]]);
  const port = new ScriptedPort();
  const models = [lab.bundle('openai-compatible')];
  const { report } = await lab.run(runBuiltin, port, { models, limits: { ...LIMITS, max_tokens: 500 } });
  expect(report.limit).toBe('max_tokens');
  expect(report.answer.length).toBeGreaterThan(1000);
  expect(report.answer.length).toBeLessThan(6000);
  expect(report.progress.tokens.output).toBeGreaterThan(400);
  expect(port.entries.at(-1)?.meta).toEqual({ type: 'text', partial: true });
});

it('an unknown price makes an unknown cost, never 0 (R5)', async () => {
  await using lab = await RunLab.open(['Done.']);
  const { report } = await lab.run(runBuiltin, undefined, { models: [lab.bundle('openai', { price: null })] });
  expect(report.progress).toMatchObject({ cost_usd: null, cost_status: 'unknown' });
});

it('an answer that ends at the output limit of the model is truncated', async () => {
  await using lab = await RunLab.open([[{ text: 'And then' }, { stop: 'max_tokens' }]]);
  const { report } = await lab.run(runBuiltin);
  expect(report).toMatchObject({ limit: 'max_tokens', answer: 'And then', error: null });
});

it('R5: before each request the core hears what it may cost at worst, and after it what it has cost', async () => {
  await using lab = await RunLab.open([[{ text: 'Done.' }, { usage: { input: 1000, output: 100 } }]]);
  const port = new ScriptedPort();
  await lab.run(runBuiltin, port);
  expect(port.inFlight).toHaveLength(1);
  const [worst] = port.inFlight;
  expect(worst?.tokens.output).toBe(4000);
  expect(worst?.cost_usd).toBeCloseTo(((worst?.tokens.input ?? 0) * 1 + 4000 * 10) / 1e6, 6);
  expect(port.progressLog.at(-1)).toMatchObject({ cost_usd: 0.002 });
  expect(port.progressLog.at(-1)?.in_flight ?? null).toBeNull();
  expect(port.requests).toEqual([true, false]);
});

it('R5: limits that change while the run waits for its children hold from then on', async () => {
  const delegate = { tool_call: { name: 'delegate_task', arguments: { goal: 'Look at all of it.' } } };
  await using lab = await RunLab.open([[delegate, { usage: { input: 1000, output: 100 } }], 'Never asked.']);
  const port: ScriptedPort = new ScriptedPort({
    onCall: async () => {
      await Promise.resolve();
      port.limit({ max_cost_usd: 0.002, max_tokens: null });
      return { isError: false, text: 'They found it.', background: null, display: null };
    },
  });
  const { report } = await lab.run(runBuiltin, port, {
    delegate: { description: 'Gives tasks away.', wait_default: true },
  });
  expect(lab.model.requests).toHaveLength(1);
  expect(report).toMatchObject({ limit: 'budget', error: null });
});

it('R8: a declared fallback that takes over is recorded in the report', async () => {
  await using lab = await RunLab.open([[{ fault: { status: 401 } }]], { repeat_last: true });
  await using second = await RunLab.open(['Done by the second.']);
  const models = [lab.bundle('anthropic', { model: 'first' }), second.bundle('anthropic', { model: 'second' })];
  const { report } = await lab.run(runBuiltin, undefined, { models });
  expect(report).toMatchObject({ answer: 'Done by the second.', model: 'scripted/second' });
});
