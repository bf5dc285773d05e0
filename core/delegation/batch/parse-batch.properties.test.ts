import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseBatch, parseBatchValue } from './parse-batch.ts';
import type { BatchForm } from './raw-batch.ts';

const FORMS: readonly BatchForm[] = ['json', 'yaml', 'markdown', 'csv', 'tsv', 'text'];

function goalsIn(text: string, form: BatchForm): unknown[] | string {
  const parsed = parseBatch({ text, form });
  if (!parsed.ok) return JSON.stringify(parsed.error);
  return parsed.value.batch.tasks.map((task) => (task as { goal: unknown }).goal);
}

/** One line without white space at its ends that no form takes for a mark of its own. */
const goal = fc
  .string({
    unit: fc.constantFrom(...'abcXYZ019 "\',;|:-[]{}()*`~!?%&=+/\\', 'é', '漢', '👩‍🚒', 'e\u0301'),
    minLength: 1,
  })
  .map((text) => `Do ${text}`.trim());

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

test('case 8: the same goals are read from JSON, YAML, Markdown, CSV, TSV and text', () => {
  fc.assert(
    fc.property(fc.array(goal, { minLength: 1, maxLength: 8, size: 'max' }), (goals) => {
      const tasks = goals.map((one) => ({ goal: one }));
      expect(goalsIn(JSON.stringify(goals), 'json')).toEqual(goals);
      expect(goalsIn(stringify({ tasks }), 'yaml')).toEqual(goals);
      expect(goalsIn(goals.map((one) => `- ${one}`).join('\n'), 'markdown')).toEqual(goals);
      expect(goalsIn(`goal\n${goals.map(quoted).join('\n')}\n`, 'csv')).toEqual(goals);
      expect(goalsIn(`goal\tlabel\n${goals.map((one) => `${quoted(one)}\tx`).join('\n')}`, 'tsv')).toEqual(goals);
      expect(goalsIn(goals.join('\n'), 'text')).toEqual(goals);
    }),
  );
});

test('case 8: any text comes through a CSV cell and a JSON text unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 }), (contexts) => {
      const used = contexts.map((text) => `.${text.replace(/[\r\0]/g, '')}.`);
      const rows = used.map((text) => `Fix the tests,${quoted(text)}`);
      const parsed = parseBatch({ text: `goal,context\n${rows.join('\n')}`, form: 'csv' });
      expect(parsed).toMatchObject({ ok: true, value: { batch: { tasks: used.map((context) => ({ context })) } } });
    }),
  );
});

test('case 8: no bytes make a parser throw, and every error says something', () => {
  const form = fc.constantFrom(undefined, ...FORMS);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400, size: 'max' }), form, (bytes, asked) => {
      const parsed = parseBatch({ text: bytes, form: asked });
      if (parsed.ok) expect(parsed.value.batch.tasks.length).toBeGreaterThan(0);
      else expect(parsed.error.every(({ message, fix }) => message !== '' && fix !== '')).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('case 8: no text made of the marks of the forms makes a parser throw', () => {
  const unit = fc.constantFrom(
    ...['\n', '  ', '\t', '- ', '* ', '1. ', '[x]', '[ ]', '# ', '```', '---', '"', "'", ',', ';', ':', ': ', '{', '}'],
    ...['[', ']', '&a', '*a', '!t', '|', '>', '<<', 'goal', 'tasks:', '\\', '\ufeff', '\r', '\ud800', 'null', '%'],
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 60, size: 'max' }), fc.constantFrom(undefined, ...FORMS), (text, form) => {
      const parsed = parseBatch({ text, form });
      if (!parsed.ok) expect(parsed.error.length).toBeGreaterThan(0);
    }),
    { numRuns: 3000 },
  );
});

test('case 5: no value makes the parser of arguments throw', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }), (value) => {
      const parsed = parseBatchValue(value);
      if (!parsed.ok) expect(parsed.error.length).toBeGreaterThan(0);
    }),
  );
});

test('S2: where JSON.parse refuses a text, a position within it is named', () => {
  const unit = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '1',
    '-',
    '.',
    'e',
    'true',
    'null',
    ' ',
    '\n',
    '\\',
    'a',
  );
  fc.assert(
    fc.property(fc.string({ unit, minLength: 1, maxLength: 20, size: 'max' }), (text) => {
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      const parsed = parseBatch({ text: `[${text}`, form: 'json' });
      if (!parsed.ok && parsed.error[0]?.pointer)
        expect(parsed.error[0].pointer).toMatch(/^line [1-9]\d*, column [1-9]\d*$/);
      if (valid) expect(parsed.ok).toBe(false);
    }),
    { numRuns: 2000 },
  );
});
