import { expect, test } from 'vitest';
import { Limits } from '../protocol/settings.ts';
import { delegateText } from './delegate-text.ts';

const AGENTS = [
  { id: 'general', description: 'Works on any task.', runner: 'builtin' },
  { id: 'explorer', description: 'Reads and searches.', runner: 'builtin' },
] as const;

test('K6: the text of the delegate tool is short, says when not to delegate, which limits hold and which agents there are', () => {
  const text = delegateText(
    Limits.parse({ concurrencyPerSet: 7, maxDepth: 3, fanOut: 99, fanOutPerTurn: 33 }),
    AGENTS,
    true,
  );
  expect(text.length).toBeLessThan(2000);
  expect(text).toContain('Do not use it for');
  expect(text).toMatch(/7 of a set at once.*depth 3.*33 runs a turn, 99 in all/);
  expect(text).toContain('- explorer: Reads and searches.');
});

test('K6: it is the same to the byte while settings are, and says who waits by default', () => {
  const limits = Limits.parse({});
  expect(delegateText(limits, AGENTS, true)).toBe(delegateText(limits, AGENTS, true));
  expect(delegateText(limits, AGENTS, true)).toContain('"wait": true');
  expect(delegateText(limits, AGENTS, false)).toContain('"wait": false');
});

test('K6: with very many agents it stays under 2,000 characters, and their descriptions give way first', () => {
  const many = Array.from({ length: 80 }, (_, n) => ({
    id: `agent-${n}`,
    description: 'x'.repeat(200),
    runner: n === 0 ? ('acp' as const) : ('builtin' as const),
  }));
  const text = delegateText(Limits.parse({}), many, true);
  expect(text.length).toBeLessThan(2000);
  expect(text).toContain('agent-0, agent-1');
  expect(text).toContain('Limits:');
});

test('K6: of many agents, programs of others are told by name before our own lose what they are for', () => {
  const programs = Array.from({ length: 20 }, (_, n) => ({
    id: `program-${n}`,
    description: 'y'.repeat(60),
    runner: 'cli' as const,
  }));
  const text = delegateText(Limits.parse({}), [...AGENTS, ...programs], true);
  expect(text.length).toBeLessThan(2000);
  expect(text).toContain('- explorer: Reads and searches.');
  expect(text).toContain('program-0, program-1');
});

test('K6, C1: answering is told of exactly where a child could ask', () => {
  const limits = Limits.parse({});
  expect(delegateText(limits, AGENTS, true)).not.toContain('"answer"');
  const outside = { id: 'outside', description: 'Works elsewhere.', runner: 'acp' } as const;
  const text = delegateText(limits, [...AGENTS, outside], true);
  expect(text).toContain('{"action": "answer", "run_id": "…", "message": "…"}');
  expect(text.length).toBeLessThan(2000);
});
