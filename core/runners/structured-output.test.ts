import { expect, it } from 'vitest';
import { StructuredOutput } from './structured-output.ts';

const SCHEMA = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };

it('takes the last valid value of several (P8)', async () => {
  const output = await StructuredOutput.open(SCHEMA);
  expect(output.takeText('{"a":1} then {"a":2} then {"a":"x"}')).toBe(true);
  expect(output.value).toEqual({ a: 2 });
  expect(output.report).toEqual({ valid: true, retries: 0, errors: [] });
});

it.each(['{"a":"1"}', '{}', 'null', ''])('B16: %j is a miss, never a silent result', async (text) => {
  const output = await StructuredOutput.open(SCHEMA);
  expect(output.takeText(text)).toBe(false);
  expect(output.isValid).toBe(false);
  expect(output.report.errors.length).toBeGreaterThan(0);
});

it('tells the errors and not the schema (P8)', async () => {
  const output = await StructuredOutput.open({ ...SCHEMA, description: 'never repeated' });
  output.takeArguments({ a: 'x' });
  expect(output.rejection).toContain('/a must be integer');
  expect(output.rejection).not.toContain('never repeated');
});

it('resolves local references, also draft 7 (case 23)', async () => {
  const modern = await StructuredOutput.open({ $ref: '#/$defs/x', $defs: { x: SCHEMA } });
  const draft7 = await StructuredOutput.open({
    $schema: 'http://json-schema.org/draft-07/schema#',
    $ref: '#/definitions/x',
    definitions: { x: SCHEMA },
  });
  for (const output of [modern, draft7]) {
    expect(output.takeArguments({ a: 'x' })).toBe(false);
    expect(output.takeArguments({ a: 1 })).toBe(true);
  }
});

it('bounds a pathological pattern in time (case 23)', async () => {
  const output = await StructuredOutput.open({
    type: 'object',
    properties: { a: { type: 'string', pattern: '^(a+)+$' } },
  });
  expect(output.takeArguments({ a: `${'a'.repeat(50)}!` })).toBe(false);
  expect(output.report.errors.join()).toContain('took longer');
});

it('takes a value that is no object through the field result', async () => {
  const output = await StructuredOutput.open({ type: 'array', items: { type: 'integer' } });
  expect(output.takeArguments({})).toBe(false);
  expect(output.takeArguments({ result: [1, 2] })).toBe(true);
  expect(output.value).toEqual([1, 2]);
});

it('keeps the errors of arguments that were no JSON (B19)', async () => {
  const output = await StructuredOutput.open({ type: 'object' });
  output.refuse('The arguments were cut off');
  expect(output.report).toEqual({ valid: false, retries: 0, errors: ['The arguments were cut off'] });
});
