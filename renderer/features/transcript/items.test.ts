import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../core/protocol/entry.ts';
import { applyFeed, addPage, EMPTY_LIVE, PAGE, type LiveState } from '../../app/live-state.ts';
import { emptySnapshot } from '../../testing/fixtures.ts';
import { itemReader, placeOf } from './items.ts';

type Meta = Entry['meta'];
const text: Meta = { type: 'text', partial: false };
const tool = (name: string, status = 'ok'): Meta => ({
  type: 'tool_call',
  call_id: 'c',
  name,
  title: name,
  arguments: '{}',
  status,
  display: null,
  seconds: 1,
});
const output: Meta = { type: 'output', stream: 'stdout' };

const entry = (number: number, meta: Meta, words = 'x', ended = true): Entry => ({
  run_id: 'run_1',
  entry: number,
  at: 0,
  meta,
  text: words,
  ended,
});

function withEntries(entries: readonly Entry[], count = entries.length, state: LiveState = EMPTY_LIVE): LiveState {
  const snapshot = emptySnapshot({
    scope: { type: 'transcript', run_id: 'run_1' },
    entries: [...entries],
    entry_count: count,
  });
  return applyFeed(state, [{ type: 'snapshot', rev: 1, snapshot }]);
}

const transcriptOf = (state: LiveState) => state.transcripts.get('run_1');
const shape = (list: { items: readonly { type: string; first: number; last: number }[] }): string =>
  list.items.map(({ type, first, last }) => `${type} ${first}${first === last ? '' : `-${last}`}`).join(', ');
const add = (state: LiveState, added: Entry): LiveState =>
  applyFeed(state, [{ type: 'changes', rev: 2, changes: [{ type: 'entry', entry: added }] }]);

describe('rows of a transcript', () => {
  it('folds calls that only read and went well, one after another', () => {
    const metas = [
      text,
      tool('read'),
      tool('Grep'),
      tool('ls', 'running'),
      tool('bash'),
      tool('read', 'error'),
      tool('read'),
    ];
    const state = withEntries(metas.map((meta, number) => entry(number, meta)));
    expect(shape(itemReader()(transcriptOf(state)))).toBe('entry 0, reads 1-3, entry 4, entry 5, reads 6');
  });

  it('a message that came to nothing does not part two reads', () => {
    const state = withEntries([entry(0, tool('read')), entry(1, text, ' \n'), entry(2, tool('read'))]);
    expect(shape(itemReader()(transcriptOf(state)))).toBe('reads 0-2');
  });

  it('a message that has not begun to arrive is a row already', () => {
    const state = withEntries([entry(0, text, '', false)]);
    expect(shape(itemReader()(transcriptOf(state)))).toBe('entry 0');
  });

  it('gathers the output of a command', () => {
    const state = withEntries([entry(0, text), entry(1, output), entry(2, { ...output, stream: 'stderr' })]);
    expect(shape(itemReader()(transcriptOf(state)))).toBe('entry 0, output 1-2');
  });

  it('a delta changes no row: the list stays the same object', () => {
    const read = itemReader();
    const before = withEntries([entry(0, text, 'a', false)]);
    const list = read(transcriptOf(before));
    const after = applyFeed(before, [
      { type: 'changes', rev: 2, changes: [{ type: 'delta', run_id: 'run_1', entry: 0, offset: 1, text: 'b' }] },
    ]);
    expect(transcriptOf(after)).not.toBe(transcriptOf(before));
    expect(read(transcriptOf(after))).toBe(list);
  });

  it('a new entry keeps the rows before it', () => {
    const read = itemReader();
    let state = withEntries(Array.from({ length: PAGE + 3 }, (_, number) => entry(number, text)));
    const before = read(transcriptOf(state));
    state = add(state, entry(PAGE + 3, text));
    const after = read(transcriptOf(state));
    expect(after.items).toHaveLength(PAGE + 4);
    expect(after.items[5]).toBe(before.items[5]);
  });

  it('a fold goes on over the border of two pages, and grows with the next read', () => {
    const read = itemReader();
    let state = withEntries(
      Array.from({ length: PAGE }, (_, number) => entry(number, number < PAGE - 2 ? text : tool('read'))),
    );
    read(transcriptOf(state));
    state = add(state, entry(PAGE, tool('read')));
    state = add(state, entry(PAGE + 1, tool('read')));
    expect(read(transcriptOf(state)).items.at(-1)).toMatchObject({ type: 'reads', first: PAGE - 2, last: PAGE + 1 });
  });

  it('an entry that becomes another kind parts a fold', () => {
    const read = itemReader();
    let state = withEntries([entry(0, tool('read')), entry(1, tool('read', 'running')), entry(2, tool('read'))]);
    expect(shape(read(transcriptOf(state)))).toBe('reads 0-2');
    state = add(state, entry(1, tool('read', 'error')));
    expect(shape(read(transcriptOf(state)))).toBe('reads 0, entry 1, reads 2');
  });

  it('begins after the last gap, and earlier when what was missing has come', () => {
    const read = itemReader();
    const all = Array.from({ length: 400 }, (_, number) => entry(number, text));
    let state = withEntries(all.slice(300), 400);
    expect(read(transcriptOf(state))).toMatchObject({ first: 300 });
    expect(read(transcriptOf(state)).items[0]).toMatchObject({ key: 'e300' });
    state = addPage(state, 'run_1', all.slice(100, 300), 400);
    expect(read(transcriptOf(state)).first).toBe(100);
    expect(read(transcriptOf(state)).items).toHaveLength(300);
  });

  it('builds what a fresh reader builds, whatever came before', () => {
    const read = itemReader();
    const metas = [text, tool('read'), tool('bash'), output];
    let state = withEntries([]);
    for (let number = 0; number < 3 * PAGE; number += 1) {
      state = add(state, entry(number, metas[(number * 7 + (number >> 3)) % 4] ?? text));
      if (number % 37 === 0) state = add(state, entry(Math.floor(number / 2), metas[number % 4] ?? text));
      expect(shape(read(transcriptOf(state)))).toBe(shape(itemReader()(transcriptOf(state))));
    }
  });

  it('takes an entry onto 100,000 and makes no item anew but those of the last page', () => {
    const read = itemReader();
    let state = withEntries(
      Array.from({ length: 100_000 }, (_, number) => entry(number, number % 3 === 0 ? text : tool('read'))),
    );
    const before = new Set(read(transcriptOf(state)).items);
    for (let number = 100_000; number < 100_020; number += 1) state = add(state, entry(number, text));
    const after = read(transcriptOf(state)).items;
    expect(after.length).toBeGreaterThanOrEqual(before.size);
    expect(after.filter((item) => !before.has(item)).length).toBeLessThanOrEqual(PAGE + 20);
  });

  it('without a transcript there are no rows', () => {
    expect(itemReader()(undefined)).toEqual({ items: [], first: 0 });
  });
});

describe('placeOf', () => {
  it('finds the row of an entry, also inside a fold', () => {
    const state = withEntries([text, tool('read'), tool('read'), text].map((meta, number) => entry(number, meta)));
    const { items } = itemReader()(transcriptOf(state));
    expect([0, 1, 2, 3].map((number) => placeOf(items, number))).toEqual([0, 1, 1, 2]);
  });
});
