import { expect, it } from 'vitest';
import { outputAnswer } from './output-answer.ts';

it.each([
  ['stdout after a success', 'out\n', 'warning\n', true, 'out'],
  ['stderr when stdout is silent', ' \n', 'only this\n', true, 'only this'],
  ['after a failure the errors come last (T2)', 'out\n', 'boom\n\n', false, 'out\nboom'],
  ['after a failure without errors stdout is the reason (T2)', 'line\nlast\n', '', false, 'line\nlast'],
  ['nothing at all', '', '', true, ''],
])('%s', (_name, stdout, stderr, succeeded, answer) => {
  expect(outputAnswer(stdout, stderr, succeeded)).toBe(answer);
});
