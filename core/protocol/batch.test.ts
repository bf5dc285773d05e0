import { expect, test } from 'vitest';
import { batchJsonSchema, BatchInput, TaskDefaults, TaskInput } from './batch.ts';

const goalOf = (goal: string) => TaskInput.shape.goal.safeParse(goal).success;

test('S5: a goal may have 32 KiB of UTF-8, in whatever characters', () => {
  for (const [char, bytes] of [
    ['a', 1],
    ['é', 2],
    ['漢', 3],
    ['😀', 4],
  ] as const) {
    expect(goalOf(char.repeat(Math.floor((32 * 1024) / bytes)))).toBe(true);
    expect(goalOf(char.repeat(Math.floor((32 * 1024) / bytes) + 1))).toBe(false);
  }
});

test('S5: defaults take every field but id and goal', () => {
  const fields = Object.keys(TaskInput.shape).filter((key) => key !== 'id' && key !== 'goal');
  expect(Object.keys(TaskDefaults.shape)).toEqual(fields);
});

test('case 8: NUL characters and halves of surrogate pairs are refused in text', () => {
  expect(goalOf('a\0b and more')).toBe(false);
  expect(goalOf('half \ud800 pair')).toBe(false);
  expect(goalOf('whole 😀 pair')).toBe(true);
});

test('S5: the hard maxima hold', () => {
  const tasks = [{ goal: 'Fix the tests' }];
  const valid = (batch: object) => BatchInput.safeParse({ tasks, ...batch }).success;
  expect(valid({ max_concurrent: 256 })).toBe(true);
  expect(valid({ max_concurrent: 257 })).toBe(false);
  expect(valid({ defaults: { retry: 5 } })).toBe(true);
  expect(valid({ defaults: { retry: 6 } })).toBe(false);
  expect(valid({ defaults: { limits: { max_turns: 10_001 } } })).toBe(false);
  expect(valid({ defaults: { images: Array(9).fill('a.png') } })).toBe(false);
  expect(valid({ tasks: Array(1001).fill('Fix the tests') })).toBe(false);
  // What stands in every row, and names.
  for (const [length, good] of [
    [1000, true],
    [1001, false],
  ] as const) {
    expect(valid({ title: 'x'.repeat(length) })).toBe(good);
    expect(valid({ defaults: { label: 'x'.repeat(length) } })).toBe(good);
  }
  for (const field of ['agent', 'model', 'base_ref']) {
    expect(valid({ defaults: { [field]: 'x'.repeat(4096) } })).toBe(true);
    expect(valid({ defaults: { [field]: 'x'.repeat(4097) } })).toBe(false);
  }
  for (const field of ['files', 'tools', 'fallback_models']) {
    expect(valid({ defaults: { [field]: ['x'.repeat(4097)] } })).toBe(false);
  }
  const verify = (length: number) => ({ acceptance: { verify: [{ command: 'x'.repeat(length) }] } });
  expect(valid({ defaults: verify(32 * 1024) })).toBe(true);
  expect(valid({ defaults: verify(32 * 1024 + 1) })).toBe(false);
});

test('S2: the published schema takes an object and a bare list, and knows every field', () => {
  const schema = batchJsonSchema();
  const text = JSON.stringify(schema);
  expect(schema['anyOf']).toHaveLength(2);
  for (const field of Object.keys(TaskInput.shape)) expect(text).toContain(`"${field}"`);
  expect(text).toContain('"maxLength":32768');
});
