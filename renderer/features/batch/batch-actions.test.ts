import { ORPCError } from '@orpc/client';
import { expect, test } from 'vitest';
import { whyUnread } from './batch-actions.ts';

test('S2: a file that is no batch is told with the place of each problem and what to do', () => {
  const problem = { task_index: null, field: null, suggestion: null, pointer: 'line 2, column 5' };
  const problems = [
    { ...problem, message: 'It cannot be read as JSON: at line 2, column 5 a comma was expected.', fix: 'Mend it.' },
    { ...problem, message: 'It has no goal.', fix: 'Add one.' },
  ];
  const data = { code: 'invalid_batch', message: 'This is not a batch.', problems };
  expect(whyUnread(new ORPCError('FAILED', { defined: true, data }))).toEqual(problems);
});

test('a text that could not be asked about is told with the reason', () => {
  expect(whyUnread(new Error('The line is down.'))).toEqual([{ message: 'The line is down.', fix: '' }]);
});
