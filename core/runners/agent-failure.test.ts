import { expect, it } from 'vitest';
import { failureInAnswer, reasonInWords, reasonOfKind } from './agent-failure.ts';

it.each([
  ['[API Error: 401 Incorrect API key provided]', 'auth'],
  ['[API Error: Connection error. (cause: fetch failed)]', 'network'],
  ['[API Error: something odd]', 'server_error'],
])('T3: an answer %j is a failure (%s) although the agent counts it as spoken', (answer, reason) => {
  expect(failureInAnswer(answer, true)?.reason).toBe(reason);
});

it.each([
  ['unexpected status 500 Internal Server Error: boom', 'server_error'],
  ['exceeded retry limit, last status: 429 Too Many Requests', 'rate_limit'],
  ['stream disconnected before completion: error sending request', 'network'],
  ['Warning: something about models.\n\nexceeded retry limit, last status: 429', 'rate_limit'],
  ['We’re currently experiencing high demand, which may cause temporary errors.', 'overloaded'],
])('T3: %j is a failure (%s) when no model has spoken in the turn', (answer, reason) => {
  expect(failureInAnswer(answer, false)?.reason).toBe(reason);
  expect(failureInAnswer(answer, true)).toBeNull();
});

it('an answer that speaks of errors is none', () => {
  expect(failureInAnswer('The test now expects the status 500, and the [API Error text is gone.', false)).toBeNull();
  expect(failureInAnswer('', false)).toBeNull();
});

it('words and kinds give the reason', () => {
  expect(reasonInWords('Please run /login')).toBe('auth');
  expect(reasonInWords('model "x" not found')).toBe('model_not_found');
  expect(reasonInWords('all is well')).toBeNull();
  expect(reasonOfKind('rate_limit')).toBe('rate_limit');
  expect(reasonOfKind(7)).toBeNull();
});
