import { describe, expect, test } from 'vitest';
import { EMPTY_DRAFT, withTasks, type Draft, type TaskFields } from './draft.ts';
import { moneyOf, placesOf } from './estimates.ts';
import { limitWords } from './limit-words.ts';
import { modelNames } from './model-names.ts';
import { effective, type World } from './world.ts';

const world: World = {
  agents: [
    { id: 'general', runner: 'builtin', description: '', source: 'builtin', limits: { max_turns: 50 } },
    { id: 'command', runner: 'command', description: '', source: 'builtin' },
    { id: 'codex', runner: 'acp', description: '', source: 'settings', model: 'gpt', permission: 'plan' },
  ],
  models: [],
  defaultAgent: 'general',
  defaultModel: 'anthropic/sonnet',
  permission: 'ask',
  perSet: 10,
  atWork: 3,
  places: 8,
  leftUsd: 5,
};
const draftOf = (...tasks: TaskFields[]): Draft => withTasks(EMPTY_DRAFT, tasks);
const costing = (usd: number, more: TaskFields = {}): TaskFields => ({
  goal: 'x',
  limits: { max_cost_usd: usd },
  ...more,
});

describe('what a task runs with', () => {
  test('its own fields, then the defaults of the batch, then the settings (S5)', () => {
    const head = { defaults: { agent: 'codex', limits: { max_turns: 7 } } };
    expect(effective({ goal: 'x' }, head, world)).toMatchObject({
      agent: 'codex',
      model: 'gpt',
      limits: { max_turns: 7 },
    });
    expect(effective({ agent: 'general' }, {}, world)).toMatchObject({
      model: 'anthropic/sonnet',
      limits: { max_turns: 50 },
    });
    expect(effective({ agent: 'nobody' }, {}, world).definition).toBeNull();
  });

  test('a program has no model', () => {
    expect(effective({ agent: 'command', model: 'm' }, {}, world)).toMatchObject({ command: true, model: null });
  });

  test.each([
    [{ agent: 'general' }, true],
    [{ agent: 'general', permission: 'plan' }, false],
    [{ agent: 'general', isolation: 'worktree' }, false],
    [{ agent: 'codex' }, false],
    [{ agent: 'command', permission: 'plan' }, true],
  ])('%j may change the project: %s', (task, may) => {
    expect(effective(task, {}, world).mayWrite).toBe(may);
  });
});

describe('places', () => {
  test('counts what can start and what waits, within all limits', () => {
    const draft = draftOf({ id: 'a' }, { id: 'b' }, { depends_on: ['a', 'b'] });
    expect(placesOf(draft, world)).toEqual({ ready: 2, waiting: 1, atOnce: 8, taken: 3, places: 8 });
    expect(placesOf({ ...draft, head: { max_concurrent: 2 } }, world).atOnce).toBe(2);
  });
});

describe('money', () => {
  test('adds the limits, with retries; a program costs nothing', () => {
    const draft = draftOf(costing(2), costing(1.5, { retry: 1 }), { goal: 'ls', agent: 'command' });
    expect(moneyOf(draft, world)).toEqual({ atMost: 5, open: 0, bounded: true, left: 5 });
  });

  test('a task without a limit leaves the sum open (R5)', () => {
    expect(moneyOf(draftOf(costing(2), { goal: 'x' }), world)).toMatchObject({ atMost: 2, open: 1, bounded: false });
  });

  test('a limit for all closes it, and is never above the sum', () => {
    const head = { tree_limits: { max_cost_usd: 3 } };
    expect(moneyOf({ ...draftOf(costing(2), { goal: 'x' }), head }, world)).toMatchObject({
      atMost: 3,
      open: 0,
      bounded: true,
    });
    expect(moneyOf({ ...draftOf(costing(2)), head }, world)).toMatchObject({ atMost: 2, bounded: true });
  });
});

test('limits in words', () => {
  expect(limitWords({ max_cost_usd: 2, max_turns: 80, timeout_seconds: 1200 })).toBe('$2.00 · 80 turns · 20m');
  expect(limitWords({ max_turns: 1, max_tokens: 9 })).toBe('1 turn');
  expect(limitWords({ max_turns: 'many' })).toBe('');
});

test('models are named without their provider where that tells them apart', () => {
  expect([...modelNames(['a/x', 'a/y', 'b/y']).values()]).toEqual(['x', 'a/y', 'b/y']);
});
