import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../protocol/feed.ts';
import { AskRow, ConversationRow, RunRow, SetRow } from '../../protocol/rows.ts';
import type { RoutedChange } from '../engine/flush.ts';
import { decideNotices, NO_NOTICES, tellFailures, type NoticeContext, type NoticeState } from './notices.ts';
import { quitQuestion } from './quit.ts';
import { trayModel } from './tray.ts';

const sample = (name: string): Record<string, unknown> =>
  JSON.parse(
    readFileSync(new URL(`../../protocol/samples/domain-event.${name}.v1.json`, import.meta.url), 'utf8'),
  ) as Record<string, unknown>;
const SET = SetRow.parse(sample('set_dispatched')['set']);
const RUN = RunRow.parse(sample('run_queued')['run']);
const ASK = AskRow.parse(sample('ask_opened')['row']);
const CONVERSATION = ConversationRow.parse(sample('conversation_created')['row']);

const route = (change: Change): RoutedChange => ({ conversation_id: 'c', run_id: null, change });
const aSet = (part: Partial<SetRow>): RoutedChange =>
  route({ type: 'set', row: { ...SET, conversation_id: 'c', ended_at: null, status: 'running', ...part } });
const anAsk = (part: Partial<AskRow>): RoutedChange =>
  route({ type: 'ask', row: { ...ASK, conversation_id: 'c', state: 'open', ...part } });
const failure = (n: number, part: Partial<RunRow> = {}): RoutedChange =>
  route({
    type: 'run',
    row: {
      ...RUN,
      ...{ run_id: `run_${n}`, conversation_id: 'c', delegation_id: 's', label: `Task ${n}`, seen: false },
      ...{ state: 'ended', outcome: 'failed', failure_line: `Task ${n} — it broke`, retried_by: null },
      ...part,
    },
  });

const CONTEXT: NoticeContext = {
  now: 1_000,
  doNotDisturb: false,
  hideContent: false,
  isMuted: () => false,
  looksAt: null,
  redact: (text) => text.replaceAll('sk-secret', '[redacted]'),
};

function tell(state: NoticeState, changes: readonly RoutedChange[], part: Partial<NoticeContext> = {}) {
  return decideNotices(state, changes, { ...CONTEXT, ...part });
}

const RUNNING = tell(NO_NOTICES, [aSet({ delegation_id: 's' })]).state;
const ENDED = { ...SET.totals, completed: 25, failed: 5, truncated: 1 };

describe('B33: notifications', () => {
  test('30 children of which 5 fail, two more sets and one that waits: one notice for each end of a set, one for the wait', () => {
    let state = tell(NO_NOTICES, [
      aSet({ delegation_id: 's' }),
      aSet({ delegation_id: 't' }),
      aSet({ delegation_id: 'u' }),
    ]).state;
    const shown: string[] = [];
    const feed = (changes: RoutedChange[], now: number): void => {
      const merged = tellFailures(state, { ...CONTEXT, now });
      const told = decideNotices(merged.state, changes, { ...CONTEXT, now });
      state = told.state;
      shown.push(...[...merged.notices, ...told.notices].map(({ title, body }) => `${title}: ${body}`));
    };
    const working = (n: number): RoutedChange => failure(n, { state: 'running', outcome: null, failure_line: null });
    for (let turn = 0; turn < 10; turn += 1)
      feed(
        Array.from({ length: 30 }, (_, n) => working(n)),
        1_000 + turn,
      );
    feed(
      [1, 2, 3, 4, 5].map((n) => failure(n)),
      2_000,
    );
    feed([anAsk({ ask_id: 'a', title: 'Run a command', detail: 'rm -r build' })], 2_100);
    feed([anAsk({ ask_id: 'a' })], 2_200);
    feed([], 3_999);
    feed([], 4_000);
    feed(
      [1, 2, 3].map((n) => failure(n)),
      9_000,
    );
    feed(
      [aSet({ delegation_id: 's', set: 1, title: null, status: 'partial', ended_at: 10_000, totals: ENDED })],
      10_000,
    );
    feed(
      [
        aSet({ delegation_id: 't', set: 2, title: null, ended_at: 1 }),
        aSet({ delegation_id: 'u', set: 3, title: null, ended_at: 1 }),
      ],
      10_001,
    );
    feed([aSet({ delegation_id: 's', set: 1, ended_at: 10_000 })], 20_000);
    expect(shown.map((line) => line.split(':')[0])).toEqual([
      'A run asks for permission',
      '5 runs have failed',
      'set 1 has ended',
      'set 2 has ended',
      'set 3 has ended',
    ]);
    expect(shown[1]).toBe('5 runs have failed: Task 1, Task 2, Task 3 and 2 more');
    expect(shown[2]).toBe('set 1 has ended: 25 completed, 1 caveat, 5 failed');
  });

  test('failures whose set ends within the time are told with it alone', () => {
    const failed = tell(RUNNING, [failure(1), failure(2)]).state;
    const ended = tell(failed, [aSet({ delegation_id: 's', ended_at: 5, totals: ENDED })]);
    expect(ended.notices.map(({ type }) => type)).toEqual(['set_ended']);
    expect(tellFailures(ended.state, { ...CONTEXT, now: 99_999 }).notices).toEqual([]);
  });

  test('one failure is its failure line, and a click leads to that run; one that is tried again is none', () => {
    const { state } = tell(RUNNING, [failure(1), failure(2, { retried_by: 'run_9' }), failure(3, { seen: true })]);
    expect(tellFailures(state, { ...CONTEXT, now: 3_000 }).notices).toEqual([
      {
        type: 'failed',
        title: 'A run has failed',
        body: 'Task 1 — it broke',
        target: { conversation_id: 'c', delegation_id: 's', run_id: 'run_1' },
      },
    ]);
  });

  test.each<[string, Partial<NoticeContext>]>([
    ['do not disturb', { doNotDisturb: true }],
    ['the conversation is on screen and focused', { looksAt: 'c' }],
    ['the project is muted', { isMuted: () => true }],
  ])('nothing is told: %s', (_, part) => {
    const { state, notices } = tell(RUNNING, [failure(1), anAsk({}), aSet({ delegation_id: 's', ended_at: 1 })], part);
    expect(notices).toEqual([]);
    const again = tell(state, [anAsk({}), aSet({ delegation_id: 's', ended_at: 1 })]);
    expect(again.notices).toEqual([]);
    const failed = tell(RUNNING, [failure(1)]).state;
    expect(tellFailures(failed, { ...CONTEXT, ...part, now: 9_000 }).notices).toEqual([]);
  });

  test('text is one plain line without markup, escapes and secrets; hidden content says nothing of the work', () => {
    const nasty = '\u001b[31m<b>sk-secret</b>\n<img src=x> & more';
    const ask = anAsk({ title: 'Run', detail: nasty });
    const set = aSet({ delegation_id: 's', title: nasty, ended_at: 1 });
    const shown = JSON.stringify(tell(RUNNING, [ask, set]).notices);
    expect(shown).not.toMatch(/[<>&]|sk-secret|\\n|\\u001b/);
    const hidden = JSON.stringify(tell(RUNNING, [ask, set], { hideContent: true }).notices);
    expect(hidden).not.toContain('img');
    const failed = tell(RUNNING, [failure(1, { failure_line: nasty, label: nasty })], { hideContent: true }).state;
    const [notice] = tellFailures(failed, { ...CONTEXT, hideContent: true, now: 9_000 }).notices;
    expect(notice?.body).toBe('Open it to see which.');
  });
});

describe('the tray', () => {
  const facts = {
    app: { paused: false, at_work: 0 },
    conversations: [],
    asks: [],
    hideContent: false,
    redact: CONTEXT.redact,
  };
  const conversation = (part: Partial<ConversationRow>): ConversationRow => ({
    ...CONVERSATION,
    ...{ runs: 3, ended: 1, needs_you: 0, unseen_failures: 0, archived: false },
    ...part,
  });

  test.each([
    ['idle', 0, 'Espalier: idle', {}],
    ['working', 4, 'Espalier: 4 working', { app: { paused: false, at_work: 4 } }],
    ['working', 4, 'Espalier: 4 working, paused', { app: { paused: true, at_work: 4 } }],
    [
      'failed',
      2,
      'Espalier: 2 failed',
      { app: { paused: false, at_work: 4 }, conversations: [conversation({ unseen_failures: 2 })] },
    ],
    [
      'needs_you',
      1,
      'Espalier: 1 waits for you',
      { asks: [{ state: 'open' as const }], conversations: [conversation({ unseen_failures: 2, needs_you: 1 })] },
    ],
  ] as const)('%s %i → %s', (icon, count, tooltip, part) => {
    const { icon: shown, count: number, tooltip: words } = trayModel({ ...facts, ...part });
    expect({ shown, number, words }).toEqual({ shown: icon, number: count, words: tooltip });
  });

  test('its menu has the conversations at work, the latest first and bounded, pause and quit', () => {
    const many = Array.from({ length: 10 }, (_, n) =>
      conversation({ conversation_id: `c${n}`, title: `Work <${n}>`, updated_at: n }),
    );
    const { items } = trayModel({
      ...facts,
      conversations: [...many, conversation({ ended: 3 }), conversation({ archived: true })],
    });
    expect(items[0]).toEqual({ type: 'conversation', label: 'Work ‹9›: 1 of 3 ended', conversation_id: 'c9' });
    expect(items.map(({ type }) => type)).toEqual([
      ...Array.from({ length: 8 }, () => 'conversation'),
      ...['words', 'separator', 'pause', 'open', 'separator', 'quit'],
    ]);
    expect(trayModel({ ...facts, app: { paused: true, at_work: 0 } }).items.map(({ type }) => type)).toContain(
      'resume',
    );
  });
});

describe('the question at quitting', () => {
  test('without work nothing is asked', () => {
    expect(quitQuestion({ atWork: 0, queued: 0, asks: 0, hasTray: true })).toBeNull();
  });

  test('with work it says what goes on, what waits, and offers to stay, let work, stop all, or not to quit', () => {
    const question = quitQuestion({ atWork: 2, queued: 1, asks: 1, hasTray: true });
    expect(question?.message).toBe('3 runs are not done yet.');
    expect(question?.detail).toBe(
      'If you quit, 2 runs at work go on and are picked up at the next start.\n1 run in the queue waits until then.\n1 open question waits until then.',
    );
    expect(question?.buttons.map(({ choice }) => choice)).toEqual(['stay', 'quit', 'stop_all', 'cancel']);
  });

  test('without a tray nobody can stay in it', () => {
    const question = quitQuestion({ atWork: 1, queued: 0, asks: 0, hasTray: false });
    expect(question?.buttons.map(({ choice }) => choice)).toEqual(['quit', 'stop_all', 'cancel']);
  });
});
