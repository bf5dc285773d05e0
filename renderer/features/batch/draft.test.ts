import { describe, expect, test } from 'vitest';
import { append, EMPTY_DRAFT, freshId, isEmpty, toBatch, withTasks, type Draft } from './draft.ts';

const parsed = (batch: unknown, more: { title?: string | null; skipped?: number } = {}) => ({
  batch,
  title: more.title ?? null,
  skipped: more.skipped ?? 0,
});
const goals = (draft: Draft): unknown[] => draft.rows.map(({ task }) => task['goal']);

describe('taking over a batch', () => {
  test('an empty draft takes title, head and tasks whole, but no token of another dispatch (S7)', () => {
    const batch = { version: 1, title: 'T', defaults: { agent: 'a' }, client_token: 'x', tasks: [{ goal: 'One' }] };
    const draft = append(EMPTY_DRAFT, parsed(batch, { title: 'T', skipped: 2 }), 'plan "a" 😀.md');
    expect(draft).toMatchObject({ title: 'T', skipped: 2, sources: ['plan "a" 😀.md'] });
    expect(toBatch(draft)).toEqual({ version: 1, title: 'T', defaults: { agent: 'a' }, tasks: [{ goal: 'One' }] });
  });

  test('a bare list and goals that are only text are tasks (S2)', () => {
    expect(goals(append(EMPTY_DRAFT, parsed(['One', { goal: 'Two' }]), null))).toEqual(['One', 'Two']);
  });

  test.each([null, 7, 'text', {}, { tasks: 'no list' }])('%j holds no tasks → the draft stays as it is', (batch) => {
    expect(append(EMPTY_DRAFT, parsed(batch), 'x')).toBe(EMPTY_DRAFT);
  });

  test('unknown keys and values of the wrong kind stay in the task until somebody mends them (S3)', () => {
    const task = { goal: 'One', agnet: 'codex', limits: 'none' };
    expect(toBatch(append(EMPTY_DRAFT, parsed({ tasks: [task] }), null))['tasks']).toEqual([task]);
  });
});

describe('adding to a draft that has tasks', () => {
  const first = append(EMPTY_DRAFT, parsed({ title: 'First', tasks: [{ id: 'a', goal: 'One' }] }), 'a.md');

  test('what is dropped later comes behind, and the title stays', () => {
    const both = append(first, parsed({ title: 'Second', tasks: [{ goal: 'Two' }] }, { skipped: 1 }), 'b.md');
    expect(goals(both)).toEqual(['One', 'Two']);
    expect(both).toMatchObject({ title: 'First', sources: ['a.md', 'b.md'], skipped: 1 });
    expect(new Set(both.rows.map(({ key }) => key)).size).toBe(2);
  });

  test('an id that is taken is changed, also where other tasks name it', () => {
    const second = [
      { id: 'a', goal: 'Two' },
      { id: 'b', goal: 'Use {outputs.a} and {outputs.b}', depends_on: ['a', 'b'] },
    ];
    const tasks = append(first, parsed({ tasks: second }), null).rows.map(({ task }) => task);
    expect(tasks[1]).toEqual({ id: 'a-2', goal: 'Two' });
    expect(tasks[2]).toEqual({ id: 'b', goal: 'Use {outputs.a-2} and {outputs.b}', depends_on: ['a-2', 'b'] });
  });

  test('defaults of the second batch are written into its tasks, whose own fields count', () => {
    const second = {
      defaults: { agent: 'codex', limits: { max_turns: 5, max_cost_usd: 1 } },
      tasks: [
        { goal: 'Two', limits: { max_turns: 9 } },
        { goal: 'Three', agent: 'gemini' },
      ],
    };
    const tasks = append(first, parsed(second), null).rows.map(({ task }) => task);
    expect(tasks[1]).toEqual({ agent: 'codex', goal: 'Two', limits: { max_turns: 9, max_cost_usd: 1 } });
    expect(tasks[2]).toMatchObject({ agent: 'gemini', limits: { max_turns: 5, max_cost_usd: 1 } });
    expect(tasks[0]).toEqual({ id: 'a', goal: 'One' });
  });

  test('blank rows make room', () => {
    const blank = withTasks(EMPTY_DRAFT, [{ goal: '' }]);
    expect(goals(append(blank, parsed(['One']), null))).toEqual(['One']);
    expect(isEmpty(blank)).toBe(true);
    expect(isEmpty(first)).toBe(false);
  });
});

test('a fresh id keeps within 64 characters (S5)', () => {
  const long = 'x'.repeat(64);
  const id = freshId(long, new Set([long]));
  expect(id).not.toBe(long);
  expect(id.length).toBeLessThanOrEqual(64);
});
