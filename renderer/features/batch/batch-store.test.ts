import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  addAside,
  closeEditor,
  deleteAside,
  dispatchToken,
  edit,
  forgetDraft,
  keepDraftNow,
  leaveSet,
  moveToProject,
  openAside,
  openEditor,
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
const asides = (): unknown[][] =>
  useBatch.getState().aside.map(({ draft }) => draft.rows.map(({ task }) => task['goal']));
const keyAt = (place: number): number => useBatch.getState().aside[place]!.key;
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
    expect(asides()).toEqual([['One']]);
    expect(loadDraft(localStorage, 'set:deleg_1')).toBeNull();
  });

  /** A drop while the editor is closed: its tasks are a batch of their own. */
  const drop = (...list: string[]): void => {
    closeEditor();
    openEditor('proj_1', null, true);
    add(...list);
  };

  test('each new drop puts the draft before it aside; none replaces another, and a reload finds them all', () => {
    add('One');
    drop('Two');
    drop('Three');
    drop('Four');
    expect(goals()).toEqual(['Four']);
    expect(asides()).toEqual([['Three'], ['Two'], ['One']]);
    closeEditor();
    useBatch.setState({ aside: [], draft: EMPTY_DRAFT });
    openEditor('proj_1', null, false);
    expect(goals()).toEqual(['Four']);
    expect(asides()).toEqual([['Three'], ['Two'], ['One']]);
  });

  test('the open draft makes way for one that is opened; one without tasks leaves nothing behind', () => {
    add('One');
    drop('Two');
    openAside(keyAt(0));
    expect(goals()).toEqual(['One']);
    expect(asides()).toEqual([['Two']]);
    edit((draft) => removeTask(draft, draft.rows[0]!.key));
    openAside(keyAt(0));
    expect(goals()).toEqual(['Two']);
    expect(asides()).toEqual([]);
  });

  test('what was put aside is added, or deleted; both are taken back whole', () => {
    add('One');
    drop('Two');
    addAside(keyAt(0), 'added');
    expect(goals()).toEqual(['Two', 'One']);
    expect(asides()).toEqual([]);
    undoEdit();
    expect(goals()).toEqual(['Two']);
    expect(asides()).toEqual([['One']]);
    deleteAside(keyAt(0), 'deleted');
    expect(asides()).toEqual([]);
    undoEdit();
    expect(asides()).toEqual([['One']]);
  });

  test('when no more fit aside, a drop is added to the draft that is there, and nothing is let go', () => {
    add('First');
    for (let number = 1; number <= 12; number += 1) drop(`Goal ${number}`);
    expect(asides()).toHaveLength(10);
    expect(asides().at(-1)).toEqual(['First']);
    expect(goals()).toEqual(['Goal 10', 'Goal 11', 'Goal 12']);
  });

  test('the draft that an older build put aside is there still', () => {
    const earlier = withTasks(EMPTY_DRAFT, [{ goal: 'Before' }]);
    localStorage.setItem('espalier:batch:proj_old', JSON.stringify({ draft: EMPTY_DRAFT, earlier }));
    openEditor('proj_old', null, false);
    expect(asides()).toEqual([['Before']]);
  });

  test('what has been dispatched is no draft any more', () => {
    add('One');
    keepDraftNow();
    forgetDraft();
    expect(localStorage.length).toBe(0);
    expect(useBatch.getState().open).toBe(false);
  });

  test('moves with its project, and loses nothing that is there', () => {
    saveDraft(localStorage, 'proj_2', { draft: withTasks(EMPTY_DRAFT, [{ goal: 'There' }]), aside: [] });
    add('Zero');
    drop('One');
    moveToProject('proj_2');
    expect(goals()).toEqual(['One']);
    expect(asides()).toEqual([['There']]);
    openEditor('proj_1', null, false);
    expect(goals()).toEqual(['']);
    expect(asides()).toEqual([['Zero']]);
    openAside(keyAt(0));
    moveToProject('proj_2');
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
