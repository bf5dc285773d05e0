import { describe, expect, test } from 'vitest';
import type { ResultEntry } from '../../../../core/protocol/result-entry.ts';
import { aRun } from '../../../testing/fixtures.ts';
import { diffAnswers } from './answer-diff.ts';
import { compareFacts, writtenFiles } from './compare-facts.ts';

describe('two answers', () => {
  test('are compared word by word', () => {
    expect(diffAnswers('All 41 tests pass now.', 'All 38 tests pass now, 3 fail.')).toEqual({
      a: [
        { text: 'All ', same: true },
        { text: '41 ', same: false },
        { text: 'tests pass ', same: true },
        { text: 'now.', same: false },
      ],
      b: [
        { text: 'All ', same: true },
        { text: '38 ', same: false },
        { text: 'tests pass ', same: true },
        { text: 'now, 3 fail.', same: false },
      ],
    });
  });

  test('put together again are the texts themselves', () => {
    const [a, b] = ['one two\n\nthree four', 'zero one\nthree four five\n'];
    const diff = diffAnswers(a, b);
    expect(diff?.a.map(({ text }) => text).join('')).toBe(a);
    expect(diff?.b.map(({ text }) => text).join('')).toBe(b);
  });

  test('that are long are compared by lines, and too long ones not at all', () => {
    const text = (word: string): string => `${`${word} x y z\n`.repeat(1000)}`;
    expect(diffAnswers(text('a'), text('b'))?.a).toEqual([{ text: text('a'), same: false }]);
    expect(diffAnswers(text('a').repeat(3), text('b').repeat(3))).toBeNull();
    expect(diffAnswers('', '')).toEqual({ a: [], b: [] });
  });
});

test('facts say what the second has more or less, and nothing where one is unknown (R5)', () => {
  const a = aRun({ run_id: 'a', turns: 4, cost_usd: 1, active_seconds: 60.1, tool_calls: 9 });
  const b = aRun({ run_id: 'b', turns: 7, cost_usd: null, active_seconds: 45.9, tool_calls: 9 });
  const facts = new Map(compareFacts(a, b, 0).map((fact) => [fact.id, fact]));
  expect(facts.get('turns')).toMatchObject({ a: '4', b: '7', difference: '+3' });
  expect(facts.get('active')).toMatchObject({ a: '60s', b: '45s', difference: '−15s' });
  expect(facts.get('cost')).toMatchObject({ b: 'unknown', difference: '' });
  expect(facts.get('tools')?.difference).toBe('');
});

test('files that both wrote come first', () => {
  const wrote = (...files_written: string[]): ResultEntry => ({ files_written }) as unknown as ResultEntry;
  expect(writtenFiles(wrote('a.ts', 'b.ts'), wrote('c.ts', 'b.ts')).map(({ path, by }) => `${path} ${by}`)).toEqual([
    'b.ts both',
    'a.ts a',
    'c.ts b',
  ]);
  expect(writtenFiles(null, null)).toEqual([]);
});
