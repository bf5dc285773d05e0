import { expect, test } from 'vitest';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { aConversation, anAsk, aRun } from '../../testing/fixtures.ts';
import { matching, needsYou } from './needs-you.ts';

const conversations = (unseen: number) => new Map([['conv_1', aConversation({ unseen_failures: unseen })]]);
const failed = (id: string, part: Partial<RunRow> = {}): [string, RunRow] => [
  id,
  aRun({ run_id: id, label: id, state: 'ended', outcome: 'failed', seen: false, ended_at: 1, ...part }),
];

test('asks come first, with what they are and where', () => {
  const runs = new Map([
    ['run_1_7', aRun({ run_id: 'run_1_7', label: 'Remove it', tag: '[set 1 · 7/9]' })],
    failed('Bad'),
  ]);
  expect(needsYou([anAsk()], conversations(1), runs).map(({ text, sub }) => [text, sub])).toEqual([
    ['Remove it', 'Permission · set 1 · 7/9'],
    ['Bad', 'Failed · set 1 · 1/9'],
  ]);
});

test('a question is told by its words; of a run that is not loaded, the conversation is named', () => {
  const [need] = needsYou([anAsk({ kind: 'question', title: 'Which TTL?' })], conversations(0), new Map());
  expect(need).toMatchObject({ mark: 'question', text: 'Which TTL?', sub: 'Question · Session extraction' });
});

test('a permission is told by its run also while that is not loaded', () => {
  const chain = [
    { run_id: null, words: 'You' },
    { run_id: 'run_1_7', words: '[set 1 · 7/9] Remove it' },
  ];
  const [need] = needsYou([anAsk({ chain })], conversations(0), new Map());
  expect(need).toMatchObject({ text: 'Remove it', sub: 'Permission · Session extraction' });
  expect(needsYou([anAsk({ chain: [] })], conversations(0), new Map())[0]?.text).toBe(anAsk().title);
});

test('failures of a conversation that is not loaded, and many at once, are one entry', () => {
  expect(needsYou([], conversations(2), new Map())).toMatchObject([{ text: '2 failures', run_id: null }]);
  const many = new Map(Array.from({ length: 9 }, (_, at) => failed(`run_${at}`)));
  expect(needsYou([], conversations(9), many)).toMatchObject([{ text: '9 failures' }]);
});

test('failures that are one entry have the age of the latest of them, whatever happened since', () => {
  const row = aConversation({ unseen_failures: 4, failed_at: 30, updated_at: 90 });
  expect(needsYou([], new Map([['conv_1', row]]), new Map())[0]?.since).toBe(30);
  const runs = new Map(Array.from({ length: 4 }, (_, at) => failed(`run_${at}`, { ended_at: 10 + at })));
  expect(needsYou([], new Map([['conv_1', row]]), runs)[0]?.since).toBe(13);
});

test('failures that were seen or retried need nobody', () => {
  const runs = new Map([failed('a', { seen: true }), failed('b', { retried_by: 'c' }), failed('d')]);
  expect(needsYou([], conversations(1), runs).map(({ text }) => text)).toEqual(['d']);
});

test('the search takes every word, in any case', () => {
  const rows = [aConversation({ title: 'Session extraction' }), aConversation({ title: 'Cache audit' })];
  expect(matching(rows, ' EXTR ses ').map(({ title }) => title)).toEqual(['Session extraction']);
});
