import { expect, test } from 'vitest';
import { checkArguments } from './tool-arguments.ts';

const FIELDS = {
  path: { type: 'string', description: 'the file', minLength: 1 },
  limit: { type: 'integer', description: 'how many', minimum: 1, maximum: 5 },
  all: { type: 'boolean', description: 'everything' },
  output: { type: 'string', description: 'what', enum: ['lines', 'files'] },
} as const;

function fault(args: Record<string, unknown>): string {
  const checked = checkArguments(FIELDS, ['path'], args);
  return checked.ok ? 'ok' : checked.error;
}

test('arguments that fit are taken as they are; null counts as absent', () => {
  expect(checkArguments(FIELDS, ['path'], { path: 'a', limit: 5, all: null })).toEqual({
    ok: true,
    value: { path: 'a', limit: 5 },
  });
});

test.each([
  [{}, '"path" is missing (the file)'],
  [{ path: null }, '"path" is missing (the file)'],
  [{ path: '' }, '"path" must not be empty'],
  [{ path: 3 }, '"path" must be a string, not 3'],
  [{ path: 'a', limit: '2' }, '"limit" must be an integer, not "2"'],
  [{ path: 'a', limit: 1.5 }, '"limit" must be an integer, not 1.5'],
  [{ path: 'a', limit: 0 }, '"limit" must be from 1 to 5, not 0'],
  [{ path: 'a', all: 'true' }, '"all" must be a boolean, not "true"'],
  [{ path: 'a', output: 'json' }, '"output" must be one of lines, files'],
  [{ path: 'a', file_path: 'b' }, 'unknown field "file_path" (did you mean "path"?)'],
  [{ path: 'a', toString: 'b' }, 'unknown field "toString" (fields: path, limit, all, output)'],
  [{ limit: 9 }, '"path" is missing (the file); "limit" must be from 1 to 5, not 9'],
])('B09: %j is refused, naming every wrong field', (args, expected) => {
  expect(fault(args)).toBe(expected);
});
