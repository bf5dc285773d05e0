import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry } from '../../core/protocol/entry.ts';
import type { Change, FeedMessage } from '../../core/protocol/feed.ts';
import { aConversation, anApp, anAsk, aProject, aRun, aSet, emptySnapshot } from '../testing/fixtures.ts';
import { addPage, applyFeed, EMPTY_LIVE, entryAt, leaveScope, PAGE, type LiveState } from './live-state.ts';

const changes = (...list: Change[]): FeedMessage => ({ type: 'changes', rev: 7, changes: list });
const run = (id: string, part: Partial<ReturnType<typeof aRun>> = {}): Change => ({
  type: 'run',
  row: aRun({ run_id: id, ...part }),
});
const entry = (number: number, part: Partial<Entry> = {}): Entry => ({
  run_id: 'run_a',
  entry: number,
  at: 0,
  meta: { type: 'text', partial: false },
  text: '',
  ended: false,
  ...part,
});
const delta = (number: number, offset: number, text: string): Change => ({
  type: 'delta',
  run_id: 'run_a',
  entry: number,
  offset,
  text,
});
const transcript = (entries: Entry[], count = entries.length): FeedMessage => ({
  type: 'snapshot',
  rev: 1,
  snapshot: emptySnapshot({ scope: { type: 'transcript', run_id: 'run_a' }, entries, entry_count: count }),
});
const textOf = (state: LiveState, number: number): string | undefined =>
  entryAt(state.transcripts.get('run_a'), number)?.text;

test('the end of an entry closes it with the text that it has', () => {
  const open = applyFeed(EMPTY_LIVE, [transcript([entry(0, { text: 'Hel' })])]);
  const state = applyFeed(open, [changes(delta(0, 3, 'lo'), { type: 'entry_end', run_id: 'run_a', entry: 0 })]);
  expect(entryAt(state.transcripts.get('run_a'), 0)).toMatchObject({ text: 'Hello', ended: true });
});

describe('rows', () => {
  const base = applyFeed(EMPTY_LIVE, [
    changes(
      { type: 'set', row: aSet({ delegation_id: 'deleg_1' }) },
      run('run_b', { task_index: 1 }),
      run('run_a', { task_index: 0 }),
    ),
  ]);

  test('hello takes over the boot, the subscription and the revision', () => {
    const state = applyFeed(EMPTY_LIVE, [{ type: 'hello', subscription_id: 's', boot: 'b', rev: 3 }]);
    expect(state).toMatchObject({ subscription: 's', boot: 'b', rev: 3 });
  });

  test('the runs of a set are in the order of its tasks, whatever the order of arrival', () => {
    expect(base.runsOf.get('deleg_1')).toEqual(['run_a', 'run_b']);
  });

  test('a change of one run leaves every other row and index as it was', () => {
    const next = applyFeed(base, [changes(run('run_a', { activity: 'Editing a.ts', task_index: 0 }))]);
    expect(next.runs.get('run_a')?.activity).toBe('Editing a.ts');
    expect(next.runs.get('run_b')).toBe(base.runs.get('run_b'));
    expect(next.runsOf).toBe(base.runsOf);
    expect(next.sets).toBe(base.sets);
  });

  test('one delta draws one row: only its own reader sees a new value', () => {
    const readers = Array.from({ length: 100 }, (_, at) => `run_${at}`);
    let state = applyFeed(EMPTY_LIVE, [changes(...readers.map((id, at) => run(id, { task_index: at })))]);
    const draws = new Map<string, number>();
    for (let round = 0; round < 5; round += 1) {
      const next = applyFeed(state, [changes(run('run_42', { task_index: 42, turns: round }))]);
      for (const id of readers) {
        if (next.runs.get(id) !== state.runs.get(id)) draws.set(id, (draws.get(id) ?? 0) + 1);
      }
      state = next;
    }
    expect([...draws]).toEqual([['run_42', 5]]);
  });

  test('a delta of a transcript is seen by the reader of its entry alone, and no row of the tree is drawn for it', () => {
    const rows = Array.from({ length: 100 }, (_, at) => run(`run_${at}`, { task_index: at }));
    const state = applyFeed(EMPTY_LIVE, [changes(...rows), transcript([entry(0), entry(1), entry(2)])]);
    const next = applyFeed(state, [changes(delta(2, 0, 'a')), changes(delta(2, 1, 'b'))]);
    const changed = Object.keys(next).filter((key) => next[key as keyof LiveState] !== state[key as keyof LiveState]);
    expect(changed.filter((key) => key !== 'rev')).toEqual(['transcripts']);
    const [before, after] = [state.transcripts.get('run_a'), next.transcripts.get('run_a')];
    expect([0, 1, 2].map((at) => entryAt(before, at) === entryAt(after, at))).toEqual([true, true, false]);
    expect(entryAt(after, 2)?.text).toBe('ab');
  });

  test('messages applied together give what they give one by one', () => {
    const message = fc
      .integer({ min: 0, max: 9 })
      .map((at) => changes(run(`run_${at}`, { task_index: at, turns: at })));
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const oneByOne = messages.reduce((state, one) => applyFeed(state, [one]), base);
        expect(applyFeed(base, messages)).toEqual(oneByOne);
      }),
      { numRuns: 50 },
    );
  });

  test('case 55: a snapshot replaces everything of its scope and nothing of another', () => {
    const other = applyFeed(base, [
      changes(run('run_other', { conversation_id: 'conv_2', delegation_id: 'deleg_9' }), {
        type: 'ask',
        row: anAsk({ ask_id: 'ask_1' }),
      }),
    ]);
    const next = applyFeed(other, [
      {
        type: 'snapshot',
        rev: 9,
        snapshot: emptySnapshot({
          scope: { type: 'conversation', conversation_id: 'conv_1' },
          sets: [aSet({ delegation_id: 'deleg_1' })],
          runs: [aRun({ run_id: 'run_b', task_index: 1 })],
        }),
      },
    ]);
    expect([...next.runs.keys()]).toEqual(['run_other', 'run_b']);
    expect(next.runsOf.get('deleg_1')).toEqual(['run_b']);
    expect(next.asks.has('ask_1')).toBe(true);
    expect(next.rev).toBe(9);
  });

  test('a run that came before its set stands in the order of tasks once the conversation is opened', () => {
    const early = applyFeed(EMPTY_LIVE, [changes({ type: 'run', row: aRun({ run_id: 'run_last', task_index: 2 }) })]);
    const opened = applyFeed(early, [
      {
        type: 'snapshot',
        rev: 9,
        snapshot: emptySnapshot({
          scope: { type: 'conversation', conversation_id: 'conv_1' },
          sets: [aSet({ delegation_id: 'deleg_1' })],
          runs: ['run_first', 'run_second', 'run_last'].map((run_id, task_index) => aRun({ run_id, task_index })),
        }),
      },
    ]);
    expect(opened.runsOf.get('deleg_1')).toEqual(['run_first', 'run_second', 'run_last']);
  });

  test('a snapshot of the app takes conversations away with their runs', () => {
    const state = applyFeed(base, [
      changes({ type: 'conversation', row: aConversation() }, { type: 'ask', row: anAsk() }),
      {
        type: 'snapshot',
        rev: 8,
        snapshot: emptySnapshot({ app: anApp(), projects: [aProject()], conversations: [] }),
      },
    ]);
    expect(state.app?.version).toBe('0.1.0');
    expect(state.conversations.size + state.runs.size + state.sets.size + state.asks.size).toBe(0);
    expect([...state.projects.keys()]).toEqual(['proj_1']);
  });

  test('a removed conversation takes its sets, runs and asks along', () => {
    const state = applyFeed(base, [
      changes({ type: 'conversation', row: aConversation() }, { type: 'ask', row: anAsk() }),
      changes({ type: 'removed', what: 'conversation', id: 'conv_1' }),
    ]);
    expect(state.conversations.size + state.runs.size + state.runsOf.size + state.setsOf.size + state.asks.size).toBe(
      0,
    );
  });

  test('leaving a conversation forgets its contents and keeps its line in the sidebar', () => {
    const open = applyFeed(base, [changes({ type: 'conversation', row: aConversation() })]);
    const left = leaveScope(open, { type: 'conversation', conversation_id: 'conv_1' });
    expect(left.runs.size).toBe(0);
    expect(left.conversations.has('conv_1')).toBe(true);
  });
});

describe('transcripts', () => {
  test('a delta appends at its offset', () => {
    const state = applyFeed(EMPTY_LIVE, [transcript([entry(0, { text: 'Hello' })]), changes(delta(0, 5, ', you'))]);
    expect(textOf(state, 0)).toBe('Hello, you');
  });

  test('a delta that comes twice changes nothing', () => {
    const once = applyFeed(EMPTY_LIVE, [transcript([entry(0)]), changes(delta(0, 0, 'abc'))]);
    const twice = applyFeed(once, [changes(delta(0, 0, 'abc'))]);
    expect(textOf(twice, 0)).toBe('abc');
    expect(twice.transcripts).toBe(once.transcripts);
  });

  test('a delta that overlaps what is there is put in its place', () => {
    const state = applyFeed(EMPTY_LIVE, [transcript([entry(0, { text: 'abcd' })]), changes(delta(0, 2, 'cdef'))]);
    expect(textOf(state, 0)).toBe('abcdef');
  });

  test('a delta beyond the end is left out: a snapshot mends the gap', () => {
    const state = applyFeed(EMPTY_LIVE, [transcript([entry(0, { text: 'ab' })]), changes(delta(0, 5, 'x'))]);
    expect(textOf(state, 0)).toBe('ab');
  });

  test('texts cut into deltas at any place come out whole, also with repeats', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.nat()), (text, cuts) => {
        const at = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
        const deltas = at.slice(1).map((end, index) => delta(0, at[index]!, text.slice(at[index], end)));
        const state = applyFeed(EMPTY_LIVE, [transcript([entry(0)]), changes(...deltas), changes(...deltas)]);
        expect(textOf(state, 0)).toBe(text);
      }),
    );
  });

  test('a delta copies one page of a long transcript', () => {
    const long = applyFeed(EMPTY_LIVE, [transcript(Array.from({ length: 3 * PAGE }, (_, at) => entry(at)))]);
    const next = applyFeed(long, [changes(delta(PAGE + 1, 0, 'x'))]);
    const [before, after] = [long.transcripts.get('run_a')!.pages, next.transcripts.get('run_a')!.pages];
    expect(after.map((page, at) => page === before[at])).toEqual([true, false, true]);
  });

  test('the tail arrives first, earlier pages are added and never replace what is newer', () => {
    const tail = applyFeed(EMPTY_LIVE, [transcript([entry(900, { text: 'new' })], 901)]);
    expect(entryAt(tail.transcripts.get('run_a'), 10)).toBeUndefined();
    const page = addPage(tail, 'run_a', [entry(10, { text: 'early' }), entry(900, { text: 'old' })], 901);
    expect([textOf(page, 10), textOf(page, 900)]).toEqual(['early', 'new']);
    expect(page.transcripts.get('run_a')?.count).toBe(901);
  });

  test('meta of an entry is replaced and its text stays', () => {
    const meta = { type: 'text', partial: true } as const;
    const state = applyFeed(EMPTY_LIVE, [
      transcript([entry(0, { text: 'a' })]),
      changes({ type: 'entry_meta', run_id: 'run_a', entry: 0, meta }),
    ]);
    expect(entryAt(state.transcripts.get('run_a'), 0)).toMatchObject({ text: 'a', meta });
  });

  test('a transcript nobody looks at is forgotten', () => {
    const state = applyFeed(EMPTY_LIVE, [transcript([entry(0)])]);
    expect(leaveScope(state, { type: 'transcript', run_id: 'run_a' }).transcripts.size).toBe(0);
  });
});
