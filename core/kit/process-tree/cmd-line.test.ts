import { expect, test } from 'vitest';
import { cmdArguments, isCmdLine } from './cmd-line.ts';

test('a line for cmd stands in one pair of quotes that cmd takes off, and is known again', () => {
  expect(cmdArguments('dir "a b" & echo !x!')).toEqual(['/d', '/s', '/v:off', '/c', '"dir "a b" & echo !x!"']);
  expect(isCmdLine(cmdArguments('dir'))).toBe(true);
  expect(isCmdLine(['/c', 'dir'])).toBe(false);
  expect(isCmdLine(['-c', 'ls'])).toBe(false);
});
