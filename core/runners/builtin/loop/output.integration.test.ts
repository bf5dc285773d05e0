import { expect, it } from 'vitest';
import { LIMITS, MODEL_KINDS, RunLab, type ModelStep } from '../../../testing/run-lab.ts';
import { ScriptedPort } from '../../../testing/scripted-port.ts';
import { runBuiltin } from '../run.ts';

const output_schema = {
  type: 'object',
  description: 'the schema itself',
  required: ['a'],
  properties: { a: { type: 'integer' } },
};
const reportResult = (args: Record<string, unknown>): ModelStep => ({
  tool_call: { name: 'report_result', arguments: args },
});

it.each(MODEL_KINDS)('case 21: a valid output at once ends the run, with no retry (%s)', async (kind) => {
  await using lab = await RunLab.open([[reportResult({ a: 1 })]]);
  const { report } = await lab.run(runBuiltin, undefined, { output_schema, models: [lab.bundle(kind)] });
  expect(report).toMatchObject({
    output: { a: 1 },
    schema: { valid: true, retries: 0, errors: [] },
    answer: '',
    error: null,
  });
  expect(lab.model.requests).toHaveLength(1);
});

it.each(MODEL_KINDS)(
  'case 21: invalid, then valid → one more turn, which has the errors and not the schema (%s)',
  async (kind) => {
    await using lab = await RunLab.open([[reportResult({ a: 'x' })], [reportResult({ a: 2 })]]);
    const { report } = await lab.run(runBuiltin, undefined, { output_schema, models: [lab.bundle(kind)] });
    expect(report).toMatchObject({ output: { a: 2 }, schema: { valid: true, retries: 1, errors: [] } });
    expect(lab.model.requests).toHaveLength(2);
    const said = lab.model.requests[1]?.request.texts.at(-1)?.text ?? '';
    expect(said).toContain('/a must be integer');
    expect(said).not.toContain('the schema itself');
  },
);

it('case 21: a valid object in the text of the last message is accepted', async () => {
  await using lab = await RunLab.open(['Here it is:\n```json\n{"a": 3}\n```\nHope it helps.']);
  const { report } = await lab.run(runBuiltin, undefined, { output_schema });
  expect(report).toMatchObject({ output: { a: 3 }, schema: { valid: true, retries: 0 } });
  expect(lab.model.requests).toHaveLength(1);
});

it.each(['{"a":"1"}', '{}', 'null', ' '])('B16: %j makes one repair turn', async (text) => {
  await using lab = await RunLab.open([[{ text }], '{"a":2}']);
  const port = new ScriptedPort();
  const { report } = await lab.run(runBuiltin, port, { output_schema });
  expect(report).toMatchObject({ output: { a: 2 }, schema: { valid: true, retries: 1 } });
  expect(port.entries.some(({ meta }) => meta.type === 'user' && meta.origin === 'repair')).toBe(true);
});

it('B16: after one repair it is a miss, with no output at all', async () => {
  await using lab = await RunLab.open([[{ text: 'No.' }]], { repeat_last: true });
  const { report } = await lab.run(runBuiltin, undefined, { output_schema });
  expect(report.schema).toMatchObject({ valid: false, retries: 1 });
  expect('output' in report).toBe(false);
  expect(lab.model.requests).toHaveLength(2);
});

it('B19: arguments of report_result that are no JSON are a miss, never {}', async () => {
  await using lab = await RunLab.open([
    [{ tool_call: { name: 'report_result', raw_arguments: '{"a": say "hi"' } }],
    [reportResult({ a: 4 })],
  ]);
  const { report } = await lab.run(runBuiltin, undefined, { output_schema: { ...output_schema, required: [] } });
  expect(report).toMatchObject({ output: { a: 4 }, schema: { valid: true, retries: 1 } });
});

it('in the repair turn no other tool is run', async () => {
  const write: ModelStep = { tool_call: { name: 'write', arguments: { path: 'a.txt', content: 'x' } } };
  await using lab = await RunLab.open([[reportResult({})], [write]]);
  const { report } = await lab.run(runBuiltin, undefined, { output_schema });
  expect(lab.read('a.txt')).toBeNull();
  expect(report.schema).toMatchObject({ valid: false, retries: 1 });
});

it('an output beside other calls is kept while the work goes on', async () => {
  const write: ModelStep = { tool_call: { name: 'write', arguments: { path: 'a.txt', content: 'x' } } };
  await using lab = await RunLab.open([[reportResult({ a: 5 }), write], 'Written too.']);
  const { report } = await lab.run(runBuiltin, undefined, { output_schema });
  expect(report).toMatchObject({ output: { a: 5 }, answer: 'Written too.' });
  expect(lab.read('a.txt')).toBe('x');
});

it('an output can still be handed over in the wind-down', async () => {
  const read: ModelStep = { tool_call: { name: 'ls', arguments: {} } };
  await using lab = await RunLab.open([[read], [reportResult({ a: 6 })]]);
  const { report } = await lab.run(runBuiltin, undefined, { output_schema, limits: { ...LIMITS, max_turns: 1 } });
  expect(report).toMatchObject({ limit: 'max_turns', output: { a: 6 }, schema: { valid: true } });
});

it('case 16: an empty text beside a valid output is told as it is', async () => {
  await using lab = await RunLab.open([[{ text: '  ' }, reportResult({ a: 7 })]]);
  const { report } = await lab.run(runBuiltin, undefined, { output_schema });
  expect(report).toMatchObject({ output: { a: 7 }, schema: { valid: true }, ended_on_tool_error: false });
});

it('case 22: without a schema there is no schema in the report and no report_result', async () => {
  await using lab = await RunLab.open(['{"a":1}']);
  const { report } = await lab.run(runBuiltin);
  expect(report.schema).toBeNull();
  expect('output' in report).toBe(false);
  expect(lab.bodies[0]).not.toContain('report_result');
});
