import { expect, test } from 'vitest';
import { nothingWords } from './nothing-words.ts';

test('a view without rows says whether nothing matches or nothing has begun', () => {
  expect(nothingWords(3, false)).toEqual({ title: 'No run matches.', hint: null });
  expect(nothingWords(3, true).title).toBe('No run matches.');
  expect(nothingWords(0, false).title).toBe('No runs in this conversation yet.');
});

test('at a moment before the first run it says that none had begun, and asks for nothing', () => {
  const { title, hint } = nothingWords(0, true);
  expect(title).toBe('No run had begun yet.');
  expect(hint).toBe('The replay stands at a moment before the first run.');
});
