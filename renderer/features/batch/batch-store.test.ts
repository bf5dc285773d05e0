import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  closeEditor,
  dispatchToken,
  edit,
  forgetDraft,
  keepDraftNow,
  leaveSet,
  moveToProject,
  openEditor,
  settleEarlier,
  touch,
  undoEdit,
  useBatch,
} from './batch-store.ts';
import { loadDraft, saveDraft } from './draft-storage.ts';
import { append, EMPTY_DRAFT, withTasks } from './draft.ts';
import { addTask, removeTask, withTask } from './row-operations.ts';

/** A storage in memory; `room` is the number of characters that it takes. */
function storageOf(room = Infinity): Storage {
  const map = new Map<string, string>();
  return {
    get length() {
      return map.size;
    },
    clear: () => map.clear(),
    key: (place) => [...map.keys()][place] ?? null,
    getItem: (key) => map.get(key) ?? null,
    removeItem: (key) => void map.delete(key),
    setItem: (key, value) => {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError');
      map.set(key, value);
    },
  };
}

const goals = (): unknown[] => useBatch.getState().draft.rows.map(({ task }) => task['goal']);
const add = (...list: string[]): void => edit((draft) => append(draft, { batch: list, title: null, skipped: 0 }, null));

beforeEach(() => {
  vi.stubGlobal('localStorage', storageOf());
  openEditor('proj_1', null, false);
});
afterEach(() => {
  closeEditor();
  vi.unstubAllGlobals();
});

describe('the first row', () => {
  const untouched = (): string | null => useBatch.getState().untouched;
  const first = (): string | undefined => useBatch.getState().draft.rows[0]?.key;

  test('is untouched until somebody writes in it, adds a row, or wants to run', () => {
    for (const act of [
      () => edit((draft) => withTask(draft, first() ?? '', (task) => ({ ...task, goal: 'x' }))),
      () => edit((draft) => addTask(draft)),
      touch,
    ]) {
      closeEditor();
      localStorage.clear();
      openEditor('proj_untouched', null, false);
      expect(untouched()).toBe(first());
      edit((draft) => ({ ...draft, head: { defaults: { model: 'a/b' } } }));
      expect(untouched()).toBe(first());
      act();
      expect(untouched()).toBeNull();
    }
  });
});

describe('drafts', () => {
  test('each project has its own, and it survives closing', () => {
    add('One', 'Two');
    closeEditor();
    openEditor('proj_2', null, false);
    expect(goals()).toEqual(['']);
    openEditor('proj_1', null, false);
    expect(goals()).toEqual(['One', 'Two']);
  });

  test("S8: tasks for a set at work are a draft of their own, and become the project's when that set has ended", () => {
    add('One');
    openEditor('proj_1', 'conv_1', true, 'deleg_1');
    expect(goals()).toEqual([]);
    add('For the set');
    leaveSet();
    expect(useBatch.getState()).toMatchObject({ into: null, conversation: 'conv_1' });
    expect(goals()).toEqual(['For the set']);
    expect(useBatch.getState().earlier?.rows[0]?.task['goal']).toBe('One');
    expect(loadDraft(localStorage, 'set:deleg_1')).toBeNull();
  });

  test('a new drop puts a draft with tasks aside; they can be brought back', () => {
    add('One');
    closeEditor();
    openEditor('proj_1', null, true);
    add('Two');
    expect(useBatch.getState().earlier?.rows).toHaveLength(1);
    settleEarlier((draft, earlier) =>
      withTasks(
        draft,
        earlier.rows.map(({ task }) => task),
      ),
    );
    expect(goals()).toEqual(['Two', 'One']);
    expect(useBatch.getState().earlier).toBeNull();
  });

  test('what has been dispatched is no draft any more', () => {
    add('One');
    keepDraftNow();
    forgetDraft();
    expect(localStorage.length).toBe(0);
    expect(useBatch.getState().open).toBe(false);
  });

  test('moves with its project, and loses nothing that is there', () => {
    saveDraft(localStorage, 'proj_2', { draft: withTasks(EMPTY_DRAFT, [{ goal: 'There' }]), earlier: null });
    add('One');
    moveToProject('proj_2');
    expect(goals()).toEqual(['One']);
    expect(loadDraft(localStorage, 'proj_2')?.earlier?.rows[0]?.task['goal']).toBe('There');
    expect(loadDraft(localStorage, 'proj_1')).toBeNull();
  });

  test('one that is too large is said to be so, and edited on', () => {
    vi.stubGlobal('localStorage', storageOf(10));
    add('A goal that is longer than the room');
    keepDraftNow();
    expect(useBatch.getState()).toMatchObject({ saved: 'too_large' });
    expect(goals()).toHaveLength(1);
  });

  test.each(['nonsense', '{}', '{"draft":{"rows":[1]}}'])('a kept %s is none', (text) => {
    localStorage.setItem('espalier:batch:p', text);
    expect(loadDraft(localStorage, 'p')).toBeNull();
  });
});

describe('undo', () => {
  test('takes the last change of rows back, until something else changes', () => {
    add('One', 'Two');
    const key = useBatch.getState().draft.rows[0]!.key;
    edit((draft) => removeTask(draft, key), 'task 1 removed');
    undoEdit();
    expect(goals()).toEqual(['One', 'Two']);
    edit((draft) => removeTask(draft, key), 'task 1 removed');
    add('Three');
    expect(useBatch.getState().undo).toBeNull();
    undoEdit();
    expect(goals()).toEqual(['Two', 'Three']);
  });
});

describe('token of a dispatch', () => {
  test('S7: stays the same until the batch changes', () => {
    let made = 0;
    const make = (): string => `token ${(made += 1)}`;
    add('One');
    expect(dispatchToken(make)).toBe(dispatchToken(make));
    add('Two');
    expect(dispatchToken(make)).toBe('token 2');
  });
});
