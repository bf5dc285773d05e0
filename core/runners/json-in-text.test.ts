import { expect, it } from 'vitest';
import { jsonIn } from './json-in-text.ts';

const FENCE = '```';

it.each([
  ['a bare object', '{"a":1}', [{ a: 1 }]],
  ['B16: a fence with json', `${FENCE}json\n{"a":1}\n${FENCE}`, [{ a: 1 }]],
  ['B16: a fence without a language', `${FENCE}\n{"a":1}\n${FENCE}`, [{ a: 1 }]],
  ['B16: a fence with CRLF', `${FENCE}json\r\n{"a":1}\r\n${FENCE}\r\n`, [{ a: 1 }]],
  ['B16: a fence that was rendered away', 'json\n{"a":1}\n', [{ a: 1 }]],
  ['B16: prose around it', 'Here it is: {"a":1} Hope it helps {maybe}', [{ a: 1 }]],
  ['B16: a fenced bash block first', `${FENCE}bash\nls {a,b} | awk '{print $1}'\n${FENCE}\n{"a":1}`, [{ a: 1 }]],
  ['B16: a draft and the final one', 'draft {"a":1}, final {"a":2}', [{ a: 1 }, { a: 2 }]],
  ['B16: a byte order mark in front', '\uFEFF{"a":1}', [{ a: 1 }]],
  ['a brace inside a string', 'so: {"a":"}{"} done', [{ a: '}{' }]],
  ['B19: an object that is cut hides what is inside it', 'result: {"items":[{"a":1},{"a":2}', []],
  ['B19: an object with a fault hides what is inside it', 'result: {"a": {"b":1}, oops} end', []],
  ['B19: {} inside code is no result', 'I wrote `function f() {}` and {} there', []],
  ['{} as the whole text is what the model sent', ' {} ', [{}]],
  ['{} as the whole content of a fence too', `Here:\n${FENCE}json\n{}\n${FENCE}`, [{}]],
  ['null is a value, for the schema to judge', 'null', [null]],
  ['no JSON at all', 'I could not do it.', []],
  ['an empty text', '', []],
])('%s', (_name, text, found) => {
  expect(jsonIn(text)).toEqual(found);
});

it('finds arrays between words only when they are looked for', () => {
  expect(jsonIn('list: [1,2] end', true)).toEqual([[1, 2]]);
  expect(jsonIn('list: [1,2] end')).toEqual([]);
});

it('is bounded on text that is all braces', () => {
  expect(jsonIn('{'.repeat(200_000))).toEqual([]);
});
