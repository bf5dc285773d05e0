import { describe, expect, it } from 'vitest';
import { aProject, anAsk } from '../../testing/fixtures.ts';
import { answeredAt, answeredToday, askingProjects, focusedAsk, ofProject, steppedAsk } from './inbox-words.ts';

const asks = ['a', 'b', 'c'].map((ask_id) => anAsk({ ask_id, project_id: ask_id === 'c' ? 'proj_2' : 'proj_1' }));

describe('inbox (A2)', () => {
  it('keeps to the wanted ask; when it is gone, what took its place', () => {
    expect(focusedAsk(asks, 'b', 0)?.ask_id).toBe('b');
    expect(focusedAsk(asks, null, 0)?.ask_id).toBe('a');
    expect(focusedAsk(asks, 'gone', 1)?.ask_id).toBe('b');
    expect(focusedAsk(asks.slice(0, 1), 'gone', 2)?.ask_id).toBe('a');
    expect(focusedAsk([], 'gone', 0)).toBeUndefined();
  });

  it('steps stay inside', () => {
    expect(steppedAsk(asks, 'a', 1)).toBe('b');
    expect(steppedAsk(asks, 'c', 1)).toBe('c');
    expect(steppedAsk(asks, 'a', -1)).toBe('a');
    expect(steppedAsk([], undefined, 1)).toBeNull();
  });

  it('offers only projects that ask', () => {
    const projects = [
      aProject({ project_id: 'proj_2', name: 'b' }),
      aProject({ name: 'a' }),
      aProject({ project_id: 'proj_3' }),
    ];
    expect(askingProjects(asks, projects).map(({ project_id }) => project_id)).toEqual(['proj_1', 'proj_2']);
    expect(ofProject(asks, 'proj_2')).toHaveLength(1);
    expect(ofProject(asks, null)).toHaveLength(3);
  });

  it('lists what was answered today, latest first', () => {
    const noon = new Date(2026, 4, 12, 12).getTime();
    const rows = [
      anAsk({ ask_id: 'old', state: 'answered', opened_at: noon - 86_400_000 }),
      anAsk({ ask_id: 'one', state: 'answered', opened_at: noon - 2 }),
      anAsk({ ask_id: 'two', state: 'answered', opened_at: noon - 1 }),
      anAsk({ ask_id: 'open', opened_at: noon }),
    ];
    expect(answeredToday(rows, noon).map(({ ask_id }) => ask_id)).toEqual(['two', 'one']);
    const late = anAsk({ ask_id: 'late', state: 'answered', opened_at: noon - 86_400_000, settled_at: noon });
    expect(answeredToday([...rows, late], noon).map(({ ask_id }) => ask_id)).toEqual(['late', 'two', 'one']);
  });

  it('an answer has the time of its answering, not of its asking', () => {
    expect(answeredAt(anAsk({ opened_at: 1, settled_at: 2 }))).toBe(2);
    expect(answeredAt(anAsk({ opened_at: 1 }))).toBe(1);
  });
});
