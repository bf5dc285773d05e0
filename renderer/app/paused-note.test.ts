import { expect, test } from 'vitest';
import { aConversation, aRun, aSet } from '../testing/fixtures.ts';
import type { PausedNow } from './controls.ts';
import { pausedWords } from './paused-note.tsx';

const now = (part: Partial<PausedNow>) =>
  pausedWords({ app: false, conversation: null, sets: [], runs: [], others: [], ...part });

test('R9: the widest gate is named with the way to open it', () => {
  const conversation = aConversation({ paused: true, held: 3 });
  expect(now({ app: true, conversation })?.ids).toEqual([null]);
  expect(now({ conversation })).toMatchObject({ ids: ['conv_1'], text: 'This conversation is paused, 3 runs held' });
});

test('R9: sets and runs are named together and resumed together', () => {
  const sets = [aSet({ delegation_id: 'd1' }), aSet({ delegation_id: 'd2', set: 2 })];
  const runs = [aRun({ run_id: 'r1' })];
  expect(now({ sets, runs })).toEqual({
    text: 'Paused: set 1, set 2 and 1 run',
    action: 'Resume them',
    ids: ['d1', 'd2', 'r1'],
  });
  expect(now({ sets: sets.slice(0, 1) })).toMatchObject({ text: 'Set 1 is paused', action: 'Resume' });
});

test('nothing paused → nothing said', () => {
  expect(now({})).toBeNull();
});
