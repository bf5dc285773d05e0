import { expect, test } from 'vitest';
import { aRun, aSet } from '../testing/fixtures.ts';
import { childrenText, hintOf, rowNote, secondLine } from './row-text.ts';

test('a run that waits for its children says how far they are, those of all its open sets together', () => {
  const run = aRun({ run_id: 'run_a', state: 'waiting', reason: 'children' });
  const set = (id: string, part: object) =>
    [id, aSet({ delegation_id: id, conversation_id: run.conversation_id, parent_run_id: 'run_a', ...part })] as const;
  const sets = new Map([
    set('deleg_1', { count: 3, ended: 2, ended_at: null }),
    set('deleg_2', { count: 2, ended: 0, ended_at: null }),
    set('deleg_3', { count: 4, ended: 4, ended_at: 9 }),
    set('deleg_4', { count: 5, ended: 1, ended_at: null, parent_run_id: 'run_b' }),
  ]);
  const state = { sets, setsOf: new Map([[run.conversation_id, [...sets.keys()]]]) };
  expect(childrenText(state, run)).toBe('2 of 5 ended');
  expect(childrenText(state, { ...run, reason: 'permission' })).toBe('');
});

test('a stopped run says that nothing is left running only where that was proved (C4)', () => {
  const stopped = aRun({ run_id: 'run_a', state: 'ended', outcome: 'stopped', words: 'Stopped', proof: null });
  expect(secondLine(stopped, undefined).text).toBe('Stopped');
  const proved = { ...stopped, proof: { method: 'observed', how: 'cgroup' } as const };
  expect(secondLine(proved, undefined).text).toBe('Stopped, nothing left running');
});

test('a run that was told to stop says so, not what it did before', () => {
  const run = aRun({ run_id: 'run_a', state: 'stopping', words: 'Stopping', activity: 'Running sleep 300' });
  expect(secondLine(run, undefined)).toEqual({ tone: 'plain', text: 'Stopping', code: null });
});

test('the tooltip of a row has its whole label, which the row may cut, and its goal', () => {
  const run = aRun({ run_id: 'run_a', goal: 'Count the apples' });
  expect(hintOf({ ...run, label: 'Count' })).toBe('Count\nCount the apples');
  expect(hintOf({ ...run, label: null })).toBe('Count the apples');
  expect(hintOf({ ...run, label: 'Count the apples' })).toBe('Count the apples');
});

test('the summary of a completed run is shown as plain words', () => {
  const run = aRun({
    run_id: 'run_a',
    state: 'ended',
    outcome: 'completed',
    summary: '- `src/a.ts` is **done**\nmore',
  });
  expect(secondLine(run, undefined).text).toBe('src/a.ts is done');
});

test('a run says that its worktree has work which nobody has applied, kept or discarded (W4)', () => {
  const worktree = { branch: 'b', path: '/w', state: 'kept', commits: 0, dirty: true, applied: null };
  const note = (part: object, state: 'ended' | 'running' = 'ended') =>
    rowNote(aRun({ run_id: 'run_a', state, outcome: 'completed', worktree: { ...worktree, ...part } }));
  expect(note({})).toBe('changes to apply');
  expect(note({ dirty: false, commits: 2 })).toBe('changes to apply');
  expect(note({ dirty: null, commits: null })).toBe('changes to apply');
  expect([note({ dirty: false }), note({ applied: 'merge' }), note({ state: 'branch' }), note({}, 'running')]).toEqual(
    Array(4).fill(''),
  );
});
