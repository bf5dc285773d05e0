import { expect, test } from 'vitest';
import { keyLines } from './key-conflicts.ts';

const command = (id: string, chord: string | null, standard = chord) => ({
  id,
  title: `Do ${id}`,
  chord,
  standard,
  run: () => undefined,
});

test('every command is listed once, with those that have the same key', () => {
  const lines = keyLines(
    [command('b', 'mod+k'), command('a', 'mod+k', 'mod+a'), command('a', 'mod+k', 'mod+a'), command('c', null)],
    { a: 'mod+k' },
  );
  expect(lines.map(({ id, conflicts, isBound }) => [id, conflicts, isBound])).toEqual([
    ['a', ['Do b'], true],
    ['b', ['Do a'], false],
    ['c', [], false],
  ]);
});

test('what was bound and nobody offers just now is listed by its id, so that it can be reset', () => {
  expect(keyLines([], { find: 'f3', gone: null })).toMatchObject([
    { id: 'find', chord: 'f3', conflicts: [] },
    { id: 'gone', chord: null, conflicts: [] },
  ]);
});
