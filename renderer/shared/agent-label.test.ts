import { expect, test } from 'vitest';
import { agentLabel } from './agent-label.ts';
import { priceWords } from './price-words.ts';

test.each([
  [{ id: 'claude-cli', installed: false }, 'claude-cli (not installed)'],
  [{ id: 'claude-cli', installed: true }, 'claude-cli'],
  [{ id: 'general', installed: null }, 'general'],
])('the agent %j is called %s in menus', (agent, label) => {
  expect(agentLabel(agent)).toBe(label);
});

test('a price is said for input and output, and an unknown one not at all', () => {
  expect(priceWords({ input: 2, output: 10 })).toBe('$2.00 in, $10.00 out per million tokens');
  expect(priceWords(null)).toBe('');
});
