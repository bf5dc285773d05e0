import { expect, test } from 'vitest';
import { modelsFor, reviewers, withWish } from './review-batch.ts';

const AGENTS = [
  { id: 'general', runner: 'builtin' },
  { id: 'command', runner: 'command' },
  { id: 'codex', runner: 'cli' },
] as const;
const MODELS = [
  { ref: 'a/one', has_key: true },
  { ref: 'b/two', has_key: false },
];

test('a program reviews nothing; every other agent can', () => {
  expect(reviewers(AGENTS).map(({ value }) => value)).toEqual(['general', 'codex']);
});

test('a built-in agent can have each model that has a key, another only its own', () => {
  expect(modelsFor(AGENTS, MODELS, 'general').map(({ value }) => value)).toEqual(['', 'a/one']);
  expect(modelsFor(AGENTS, MODELS, 'codex').map(({ value }) => value)).toEqual(['']);
});

test('a wish goes behind the goal of the review; without one the batch is as it was', () => {
  const batch = { title: 'T', tasks: [{ goal: 'Review it.', context: 'c' }] };
  expect(withWish(batch, ' twice? ')).toEqual({
    title: 'T',
    tasks: [{ goal: 'Review it.\n\nLook at this in particular: twice?', context: 'c' }],
  });
  expect(withWish(batch, '  ')).toBe(batch);
  expect(withWish(null, 'x')).toBe(null);
});
