import { expect, test } from 'vitest';
import { cleanTail } from './error-tail.ts';

test('the message of a broken program is the last line: no stack, no caret, no version of Node, no colours', () => {
  const printed = `file:///app/child.js:12
    throw new Error('no such thing');
          ^

\x1b[31mError: no such thing\x1b[39m
    at run (file:///app/child.js:12:9)
    at node:internal/modules:1:2

Node.js v24.1.0
`;
  expect(cleanTail(printed).split('\n').at(-1)).toBe('Error: no such thing');
});

test('of a long text the last 20 lines are kept', () => {
  const lines = Array.from({ length: 50 }, (_, n) => `line ${n}`);
  expect(cleanTail(lines.join('\n')).split('\n')).toEqual(lines.slice(-20));
});
