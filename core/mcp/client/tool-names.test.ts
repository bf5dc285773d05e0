import { expect, test } from 'vitest';
import { toolName } from './tool-names.ts';

test.each([
  ['files', 'read', 'mcp__files__read'],
  ['files', 'a.b/c d', 'mcp__files__a_b_c_d'],
  ['files', 'naïve-名', 'mcp__files__na_ve-_'],
])('the tool %s %s has the name %s, which every provider takes', (server, tool, name) => {
  expect(toolName(server, tool, new Set())).toBe(name);
});

test('a name that is too long, or taken, gets a mark of its own', () => {
  const long = toolName('files', 'x'.repeat(80), new Set());
  expect(long).toMatch(/^[A-Za-z0-9_-]{64}$/);
  expect(toolName('files', `${'x'.repeat(80)}y`, new Set())).not.toBe(long);
  expect(toolName('files', 'a.b', new Set([toolName('files', 'a_b', new Set())]))).not.toBe('mcp__files__a_b');
});
