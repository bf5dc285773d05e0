import { expect, test } from 'vitest';
import type { AgentDefinition } from '../../../core/protocol/agents.ts';
import { changeOf, fieldsOf, freeName, valuesOf } from './agent-draft.ts';

const AGENT: AgentDefinition = {
  id: 'reviewer',
  runner: 'acp',
  adapter: 'gemini',
  source: 'user',
  description: 'Reviews',
  tools: ['read', 'grep', 'report_result'],
  limits: { max_turns: 4, max_cost_usd: 2 },
};

test('the form shows what a definition says, and an empty text for what it leaves open', () => {
  expect(valuesOf(AGENT)).toMatchObject({ runner: 'gemini', tools: 'read, grep', max_turns: '4', model: '' });
});

test('a changed field is written in its own form: lists, numbers, and nothing when it is emptied', () => {
  expect(changeOf('tools', ' read,  bash ,')).toEqual({ tools: ['read', 'bash'] });
  expect(changeOf('max_turns', '12')).toEqual({ max_turns: 12 });
  expect(changeOf('max_turns', 'many')).toEqual({ max_turns: 'many' });
  expect(changeOf('model', '  ')).toEqual({ model: null });
});

test('an agent that no file defines becomes one, with a name that is free', () => {
  expect(fieldsOf(AGENT)).toEqual({
    name: 'reviewer',
    description: 'Reviews',
    runner: 'gemini',
    tools: ['read', 'grep'],
    max_turns: 4,
    max_cost_usd: 2,
  });
  expect(freeName('reviewer', ['reviewer', 'reviewer-2'])).toBe('reviewer-3');
  expect(freeName('reviewer-2', ['reviewer-2'])).toBe('reviewer-3');
  expect(freeName('x', [])).toBe('x');
});
