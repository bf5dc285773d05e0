import { describe, expect, test } from 'vitest';
import { BatchInput } from '../../../core/protocol/batch.ts';
import type { AgentDefinition } from '../../../core/protocol/agents.ts';
import type { Finding } from '../../../core/protocol/health.ts';
import { stateOf } from './findings.ts';
import { firstBatch, firstTasks } from './first-batch.ts';

const agent = (id: string, runner: AgentDefinition['runner']): AgentDefinition => ({
  id,
  runner,
  description: '',
  source: 'builtin',
});
const all = [
  agent('general', 'builtin'),
  agent('explorer', 'builtin'),
  agent('command', 'command'),
  agent('codex', 'acp'),
];
const git = { git: true };

describe('the first batch', () => {
  test('asks whoever can answer, in turn, and only to read', () => {
    const tasks = firstTasks(all, true, git, false);
    expect(tasks.map((task) => task.agent)).toEqual(['general', 'codex', 'general']);
    expect(tasks.every((task) => task.permission === 'plan')).toBe(true);
  });

  test('without a model the built-in agent is left out', () => {
    expect(firstTasks(all, false, git, false).every((task) => task.agent === 'codex')).toBe(true);
  });

  test('with nobody it runs programs that change nothing', () => {
    const bare = all.slice(0, 3);
    expect(
      firstTasks(bare, false, git, false).every(({ agent: by, goal }) => by === 'command' && goal.startsWith('git ')),
    ).toBe(true);
    expect(firstTasks(bare, false, { git: false }, true)[0]?.goal).toBe('dir');
  });

  test.each([true, false])('is a batch as a file could hold it, with a model: %s (S2)', (hasModel) => {
    expect(BatchInput.safeParse(firstBatch(firstTasks(all, hasModel, git, false))).success).toBe(true);
  });
});

describe('findings', () => {
  const finding = (part: Partial<Finding>): Finding => ({
    id: 'anthropic',
    kind: 'provider_key',
    name: 'Anthropic',
    found: true,
    detail: '',
    models: [],
    ...part,
  });

  test.each([
    [{}, 'anthropic/sonnet', 'default'],
    [{ id: 'provider_key:anthropic' }, 'anthropic/sonnet', 'default'],
    [{}, null, 'usable'],
    [{ found: false }, 'anthropic/sonnet', 'missing'],
    [{ kind: 'agent', id: 'agent:codex', name: 'Codex' }, null, 'ready'],
    [{ kind: 'agent', id: 'agent:goose', name: 'goose' }, null, 'usable'],
  ] as const)('%j with the default model %s → %s', (part, model, state) => {
    expect(stateOf(finding(part), all, model)).toBe(state);
  });
});
