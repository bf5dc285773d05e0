import { expect, test } from 'vitest';
import { aRun } from '../../testing/fixtures.ts';
import { mayComment, quoteOf } from './comment.ts';

test('a quote says file, line and what stands there; a removed line is called so, a long one is cut', () => {
  expect(quoteOf('src/a.ts', { type: 'add', before: null, after: 7, text: '  x' })).toBe('src/a.ts:7\n>   x\n');
  expect(quoteOf('a', { type: 'remove', before: 3, after: null, text: 'y' })).toBe('a:3 (removed)\n> y\n');
  expect(quoteOf('a', { type: 'same', before: 3, after: 4, text: 'z'.repeat(400) })).toHaveLength(308);
});

test('C2, C5: a comment needs a run that hears it: one at work, or one whose session can be gone on with', () => {
  expect(mayComment(aRun({ run_id: 'a', state: 'running' }))).toBe(true);
  expect(mayComment(aRun({ run_id: 'a', state: 'running', runner: 'command' }))).toBe(false);
  expect(mayComment(aRun({ run_id: 'a', state: 'ended', runner: 'builtin' }))).toBe(true);
  expect(mayComment(aRun({ run_id: 'a', state: 'ended', runner: 'builtin', continued_by: 'b' }))).toBe(false);
});
