import { describe, expect, test } from 'vitest';
import { aRun } from '../../testing/fixtures.ts';
import { candidates, complete, fileReference, tokenAt } from './completion.ts';

test('a reference begins at an @ before a word, not inside an address', () => {
  expect(tokenAt('see @src/a', 10)).toEqual({ start: 4, query: 'src/a' });
  expect(tokenAt('@', 1)).toEqual({ start: 0, query: '' });
  expect(tokenAt('(@x', 3)).toEqual({ start: 1, query: 'x' });
  expect(tokenAt('mail me@example.com', 19)).toBeNull();
  expect(tokenAt('@done and', 9)).toBeNull();
  expect(tokenAt('@abc', 2)).toEqual({ start: 0, query: 'a' });
});

test('what is chosen takes the place of the token, with one space behind it', () => {
  expect(complete('see @ap now', { start: 4, query: 'ap' }, 7, '@apple.js')).toEqual({
    text: 'see @apple.js now',
    caret: 14,
  });
  expect(complete('@a', { start: 0, query: 'a' }, 2, '@apple.js')).toEqual({ text: '@apple.js ', caret: 10 });
});

test('a path with spaces, quotes or line ends stays one reference', () => {
  expect(fileReference('src/apple.js')).toBe('@src/apple.js');
  expect(fileReference('my notes/a "b".md')).toBe('@"my notes/a \\"b\\".md"');
  expect(fileReference('a\nb')).toBe('@"a\\nb"');
});

describe('candidates', () => {
  const known = {
    agents: ['general', 'explorer'],
    runs: [aRun({ run_id: 'r1', label: 'Export list' }), aRun({ run_id: 'r2', lead: true, label: 'Explain' })],
    files: ['src/export.js'],
  };

  test('agents and runs that hold the words come before files, and after them where a path was typed', () => {
    expect(candidates('exp', known).map(({ kind, insert }) => [kind, insert])).toEqual([
      ['agent', '@explorer'],
      ['run', '[set 1 · 1/9] Export list'],
      ['file', '@src/export.js'],
    ]);
    expect(candidates('src/', known).map(({ kind }) => kind)).toEqual(['file']);
    expect(candidates('.', { ...known, agents: ['a.b'] }).map(({ kind }) => kind)).toEqual(['file', 'agent']);
  });

  test('hidden characters of a name are written out where it is shown', () => {
    const [run] = candidates('bad', { agents: [], files: [], runs: [aRun({ run_id: 'r', label: 'bad\u202Egnp' })] });
    expect(run?.text).toContain('⟨U+202E⟩');
  });
});
