import { expect, test } from 'vitest';
import { countMatches, firstLine, promptJson, roleWords } from './prompt-words.ts';

const prompt = {
  at: 0,
  model: 'p/m',
  system: 'Be brief. Brief!',
  messages: [{ role: 'user', text: 'A BRIEF task' }],
  tools: [{ name: 'ls', description: 'Lists\nbriefly', schema: { type: 'object', title: 'brief' } }],
  cut: false,
};

test('a search counts every place that can be read, whatever its case: system, messages, tools and their schemas', () => {
  expect(countMatches(prompt, ' brief ')).toBe(5);
  expect(countMatches(prompt, 'nothing')).toBe(0);
  expect(countMatches(prompt, '  ')).toBe(0);
});

test('the copy holds everything that was sent', () => {
  const { cut: _cut, at: _at, ...rest } = prompt;
  expect(JSON.parse(promptJson(prompt))).toEqual({ sent_at: '1970-01-01T00:00:00.000Z', ...rest });
});

test('an unknown role is shown as itself, a description by its first line', () => {
  expect(roleWords('user')).toBe('User');
  expect(roleWords('developer')).toBe('developer');
  expect(firstLine('\nLists\nbriefly')).toBe('Lists');
});
