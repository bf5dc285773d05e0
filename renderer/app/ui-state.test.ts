import { expect, test } from 'vitest';
import {
  addToDraft,
  beginIn,
  chooseTab,
  FIRST_UI,
  foldSet,
  keepDraft,
  openConversation,
  panelHeight,
  resizePanel,
  selectNode,
  showView,
  shownTab,
} from './ui-state.ts';

const run = { type: 'run', id: 'run_1' } as const;

test('another conversation lets the selected node go, the same one keeps it', () => {
  const state = selectNode(openConversation(FIRST_UI, 'conv_1'), run);
  expect(openConversation(state, 'conv_1').node).toEqual(run);
  expect(openConversation(state, 'conv_2').node).toBeNull();
});

test('selecting a node opens a closed inspector, clearing the selection leaves it', () => {
  const closed = { ...FIRST_UI, inspectorOpen: false };
  expect(selectNode(closed, run).inspectorOpen).toBe(true);
  expect(selectNode(closed, null).inspectorOpen).toBe(false);
});

test('selecting what is selected already changes nothing', () => {
  const state = selectNode(FIRST_UI, run);
  expect(selectNode(state, { ...run })).toBe(state);
});

test('drafts are kept by place, and an empty one is forgotten', () => {
  const one = keepDraft(keepDraft(FIRST_UI, 'steer:run_1', 'a'), 'lead:conv_1', 'b');
  expect(one.drafts).toEqual({ 'steer:run_1': 'a', 'lead:conv_1': 'b' });
  expect(keepDraft(one, 'steer:run_1', '').drafts).toEqual({ 'lead:conv_1': 'b' });
});

test('a set is folded and unfolded', () => {
  expect(foldSet(FIRST_UI, 'deleg_1').folded).toEqual(['deleg_1']);
  expect(foldSet(foldSet(FIRST_UI, 'deleg_1'), 'deleg_1').folded).toEqual([]);
});

test('a new conversation begins in the named project, or in the last one', () => {
  const state = beginIn(openConversation(FIRST_UI, 'conv_1'), 'proj_1');
  expect(state).toMatchObject({ conversation: null, project: 'proj_1' });
  expect(beginIn(state, null).project).toBe('proj_1');
});

test('each conversation keeps its own view, and the tree is not written down', () => {
  const state = showView(showView(FIRST_UI, 'conv_1', 'list'), 'conv_2', 'board');
  expect(state.views).toEqual({ conv_1: 'list', conv_2: 'board' });
  expect(showView(state, 'conv_1', 'tree').views).toEqual({ conv_2: 'board' });
});

test('a tab is chosen for one run: another begins with its transcript', () => {
  const state = selectNode(chooseTab(FIRST_UI, 'run_1', 'changes'), run);
  expect(shownTab(state)).toBe('changes');
  expect(shownTab(selectNode(state, { type: 'run', id: 'run_2' }))).toBe('transcript');
  expect(shownTab(selectNode(state, { type: 'set', id: 'deleg_1' }))).toBeNull();
  const many = Array.from({ length: 300 }, (_, at) => `r${at}`).reduce((now, id) => chooseTab(now, id, 'x'), state);
  expect(Object.keys(many.tabs)).toHaveLength(200);
  expect(many.tabs).toHaveProperty('r299');
});

test('the bottom panel keeps within its bounds', () => {
  expect([10, 300.4, 5000].map((height) => resizePanel(FIRST_UI, height).panelHeight)).toEqual([96, 300, 900]);
});

test('the bottom panel follows the window until it was given a height', () => {
  expect([400, 900, 2000].map((height) => panelHeight(FIRST_UI, height))).toEqual([144, 234, 320]);
  expect(panelHeight(resizePanel(FIRST_UI, 300), 900)).toBe(300);
});

test('a quote goes below what is written already', () => {
  const once = addToDraft(FIRST_UI, 'steer:a', 'a.ts:1\n> x\n');
  expect(once.drafts['steer:a']).toBe('a.ts:1\n> x\n');
  expect(addToDraft(once, 'steer:a', 'b').drafts['steer:a']).toBe('a.ts:1\n> x\n\nb');
});
