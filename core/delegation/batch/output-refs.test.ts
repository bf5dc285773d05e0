import { describe, expect, test } from 'vitest';
import { codeSpans } from './code-spans.ts';
import { outputRefs, replaceOutputRefs } from './output-refs.ts';
import { didYouMean } from './suggest.ts';

describe('outputs of other tasks (R10)', () => {
  test('R10: ids are found, apart for those in backticks', () => {
    const { plain, code } = outputRefs('{outputs.a} ${outputs.b-1} `{outputs.c}` {outputs.} {outputs.a b}');
    expect([[...plain], [...code]]).toEqual([['a', 'b-1'], ['c']]);
  });

  test('case 9: what is put in is data: nothing in it is replaced again', () => {
    const values: Record<string, string> = { a: '{outputs.b} $& $1', b: 'B' };
    expect(replaceOutputRefs('<{outputs.a}> `{outputs.b}` {outputs.x}', (id) => values[id])).toBe(
      '<{outputs.b} $& $1> `B` {outputs.x}',
    );
  });
});

test('S3: backticks pair by their length, and nothing of the text is lost', () => {
  const text = 'a `b` ``c ` d`` e ``` f';
  const spans = codeSpans(text);
  expect(spans.map((span) => span.text).join('')).toBe(text);
  expect(spans.filter((span) => span.code).map((span) => span.text)).toEqual(['`b`', '``c ` d``']);
});

test.each([
  ['explorr', 'explorer'],
  ['EXPLORER', 'explorer'],
  ['commnad', 'command'],
  ['xyz', null],
  ['a'.repeat(1000), null],
])('S3: %s → did you mean %s', (word, meant) => {
  expect(didYouMean(word, ['general', 'explorer', 'command'])).toBe(meant);
});
