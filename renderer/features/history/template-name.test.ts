import { expect, test } from 'vitest';
import { TemplateName } from '../../../core/protocol/history.ts';
import { countTasks, usableName } from './template-name.ts';

test('whatever a set is called, what is proposed is a name that the core takes, or empty', () => {
  const titles = [
    'Fix a/b: "x" <y>?',
    '..hidden',
    '  spaces \n and\tlines ',
    '🍎'.repeat(60),
    'x'.repeat(300),
    'C:\\temp\\*',
  ];
  for (const title of titles) {
    const name = usableName(title);
    expect([title, TemplateName.safeParse(name).success]).toEqual([title, true]);
  }
  expect(usableName('Fix a/b: "x"')).toBe('Fix a b x');
  expect(usableName('???')).toBe('');
});

test('tasks are counted in a list, in a batch, and in nothing', () => {
  expect([[{}, {}], { tasks: [{}] }, { tasks: 3 }, null, 'x'].map(countTasks)).toEqual([2, 1, 0, 0, 0]);
});
