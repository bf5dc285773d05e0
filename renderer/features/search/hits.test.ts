import { describe, expect, test } from 'vitest';
import type { SearchHit } from '../../../core/protocol/search.ts';
import { currentOf, groupHits, keyOf, kindsOf, MORE, snippetPieces, wordsOfHit } from './hits.ts';

const hit = (part: Partial<SearchHit>): SearchHit => ({
  kind: 'entry',
  project_id: 'proj_1',
  conversation_id: 'conv_1',
  run_id: 'run_1',
  entry: 3,
  line: 2,
  title: 'Apples',
  snippet: 'red apples and green apples',
  marks: [],
  at: 1,
  ...part,
});

test('hits stand by conversation, the one with the newest hit first, each in its own order', () => {
  const groups = groupHits([
    hit({ entry: 1, at: 5 }),
    hit({ conversation_id: 'conv_2', entry: 2, at: 9 }),
    hit({ entry: 3, at: 2 }),
  ]);
  expect(groups.map(({ conversation_id, hits }) => [conversation_id, hits.map(({ entry }) => entry)])).toEqual([
    ['conv_2', [2]],
    ['conv_1', [1, 3]],
  ]);
});

describe('snippet', () => {
  test('the words are told apart from what is around them, and nothing is lost', () => {
    const pieces = snippetPieces(hit({ marks: [[4, 10], [21, 27]] })); // prettier-ignore
    expect(pieces.map(({ text, marked }) => (marked ? `[${text}]` : text)).join('')).toBe(
      'red [apples] and green [apples]',
    );
  });

  test('marks that overlap, are out of order or lie outside still give every character once', () => {
    for (const marks of [
      [
        [21, 27],
        [4, 10],
      ],
      [
        [0, 8],
        [4, 12],
      ],
      [[20, 99]],
      [[-4, 3]],
      [[5, 5]],
      [[40, 50]],
    ] as [number, number][][])
      // prettier-ignore
      expect(
        snippetPieces(hit({ marks }))
          .map(({ text }) => text)
          .join(''),
      ).toBe('red apples and green apples');
  });
});

test('the transcript is searched for what was typed where it stands so, else for a word that was found', () => {
  expect(wordsOfHit(hit({}), ' Green Apples ')).toBe('Green Apples');
  expect(wordsOfHit(hit({ marks: [[4, 10]] }), 'green red')).toBe('apples'); // prettier-ignore
  expect(wordsOfHit(hit({}), 'pears')).toBe('pears');
});

test('every scope names its kinds; everything names none', () => {
  expect(kindsOf('all')).toBeUndefined();
  const named = (['titles', 'results', 'transcripts'] as const).flatMap((scope) => kindsOf(scope) ?? []);
  expect(new Set(named)).toEqual(new Set(['conversation', 'goal', 'result', 'entry']));
});

test('one hit is current whenever there is one: as chosen while it is there, else the first that is shown', () => {
  const [old, fresh, newest] = [
    hit({ entry: 1, at: 1 }),
    hit({ entry: 2, at: 2 }),
    hit({ conversation_id: 'conv_2', at: 9 }),
  ];
  expect(currentOf('', [old, fresh], true)).toBe(keyOf(old));
  expect(currentOf(keyOf(fresh), [old, fresh], true)).toBe(keyOf(fresh));
  expect(currentOf(MORE, [old], true)).toBe(MORE);
  expect(currentOf(MORE, [old], false)).toBe(keyOf(old));
  // Another answer: what was chosen is gone, and the newest conversation stands first.
  expect(currentOf(keyOf(fresh), [old, newest], false)).toBe(keyOf(newest));
  expect(currentOf(keyOf(fresh), [], false)).toBe('');
});
