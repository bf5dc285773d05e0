import { expect, test } from 'vitest';
import { byLastChange, byLastUse, byOpening } from './order.ts';

test('rows of the same moment stand in one order, however they are given', () => {
  const projects = ['proj_b', 'proj_a'].map((project_id) => ({ project_id, used_at: 1 }));
  expect(projects.toSorted(byLastUse)).toEqual(projects.toReversed().toSorted(byLastUse));
  const conversations = ['conv_b', 'conv_a', 'conv_c'].map((conversation_id) => ({ conversation_id, updated_at: 1 }));
  const latest = { conversation_id: 'conv_d', updated_at: 2 };
  const ids = (rows: readonly { conversation_id: string }[]) => rows.map(({ conversation_id }) => conversation_id);
  expect(ids([...conversations, latest].toSorted(byLastChange))).toEqual(['conv_d', 'conv_a', 'conv_b', 'conv_c']);
  expect(ids([latest, ...conversations.toReversed()].toSorted(byLastChange))[1]).toBe('conv_a');
});

test('A2: asks of one moment are told by their projects; those of one project stay in the order of their opening', () => {
  const ask = (ask_id: string, project_id: string, opened_at = 1) => ({ ask_id, project_id, opened_at });
  const asks = [ask('4', 'b'), ask('1', 'b'), ask('3', 'a'), ask('2', 'a'), ask('0', 'z', 0)];
  expect(asks.toSorted(byOpening).map(({ ask_id }) => ask_id)).toEqual(['0', '3', '2', '4', '1']);
});
