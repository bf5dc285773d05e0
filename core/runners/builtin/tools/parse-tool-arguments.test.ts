import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseToolArguments } from './parse-tool-arguments.ts';

function code(raw: string): string {
  const parsed = parseToolArguments(raw);
  return parsed.ok ? 'ok' : parsed.error.code;
}

test.each([
  ['{"path":"a.txt","content":"line1\\nline2', 'cut'],
  ['{"command":"rm -rf build', 'cut'],
  ['', 'cut'],
  ['  \n', 'cut'],
  ['{', 'cut'],
  ['[]', 'not_object'],
  ['"text"', 'not_object'],
  ['null', 'not_object'],
  ['3', 'not_object'],
  ['{"command":"ls"} and more', 'not_json'],
  ['{"command":"ls"}}', 'not_json'],
  ['{"command":"a\nb"}', 'not_json'],
  ['{"command":"\\U0001F600"}', 'not_json'],
  ['{"path":"a.md","content":"say "hi"', 'not_json'],
  ['{command:"ls"}', 'not_json'],
  ['{"a":1,}', 'not_json'],
])('B09, B19: arguments %j are refused as %s', (raw, expected) => {
  expect(code(raw)).toBe(expected);
});

test('B09: whole arguments are taken exactly, with what surrounds them being white space only', () => {
  expect(parseToolArguments(' {"a":{"b":[1,"😀"]}}\n')).toEqual({ ok: true, value: { a: { b: [1, '😀'] } } });
});

test('B19: the raw text is kept for the transcript, and the message tells the model what to do', () => {
  const parsed = parseToolArguments('{"path":"a');
  expect(parsed).toMatchObject({
    ok: false,
    error: { raw: '{"path":"a', message: expect.stringContaining('cut off') as string },
  });
});

test('an empty text is an empty object only for a tool without parameters', () => {
  expect(parseToolArguments('', { parameterless: true })).toEqual({ ok: true, value: {} });
  expect(parseToolArguments('{', { parameterless: true }).ok).toBe(false);
});

test('B09: every proper beginning of arguments is recognised as cut, never run', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 8, size: 'max' });
  const value = fc.dictionary(
    text,
    fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 3, size: 'max' })),
  );
  fc.assert(
    fc.property(value, fc.double({ min: 0, max: 0.999, noNaN: true }), (args, share) => {
      const raw = JSON.stringify(args);
      expect(code(raw)).toBe('ok');
      expect(code(raw.slice(0, Math.floor(raw.length * share)))).toBe('cut');
    }),
    { numRuns: 1000 },
  );
});
