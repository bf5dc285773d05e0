import { expect, test } from 'vitest';
import { editsOf } from './retry-edits.ts';

const before = { goal: 'Mend it', agent: 'general', model: 'a/b' };

test('C5: what was not changed is not named', () => {
  expect(editsOf(before, before)).toEqual({});
  expect(editsOf(before, { ...before, goal: 'Mend it well' })).toEqual({ goal: 'Mend it well' });
});

test('C5: another agent without a model of its own makes its own choice', () => {
  expect(editsOf(before, { ...before, agent: 'reviewer', model: '' })).toEqual({ agent: 'reviewer' });
  expect(editsOf(before, { goal: before.goal, agent: 'reviewer', model: 'c/d' })).toEqual({
    agent: 'reviewer',
    model: 'c/d',
  });
});
