import { expect, test } from 'vitest';
import { createRouter, localClient } from '../../core/host/api/router.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import { createFakeCore } from '../../core/testing/fake-core.ts';
import { createFakeContext, givenArguments } from '../testing/fake-context.ts';
import { askRow, conversationRow, runRow, setRow, TOTALS } from '../testing/rows.ts';
import * as list from './list.ts';
import * as show from './show.ts';
import * as tail from './tail.ts';

const chain = [
  { run_id: 'run_1', words: '[set 1]' },
  { run_id: 'run_9', words: 'child' },
];
/** Open below run_1, which is in deleg_1 of conv_1, and elsewhere. */
const ASKS = [
  askRow({ ask_id: 'ask_1', run_id: 'run_9', chain, detail: 'rm -rf\n\u001b[2Jbuild' }),
  askRow({ ask_id: 'ask_2', kind: 'question', title: 'Which of both?', detail: '', chain }),
  askRow({ ask_id: 'ask_3', run_id: 'run_3', conversation_id: 'conv_3' }),
];

function world() {
  const core = createFakeCore({
    'asks.list': () => ASKS,
    'conversations.list': () => [conversationRow()],
    'conversations.show': () => ({
      ...{ conversation: conversationRow(), sets: [setRow()] },
      ...{ runs: [runRow()], totals: TOTALS },
    }),
    'sets.show': () => ({ set: setRow(), runs: [runRow()], result: null }),
    'runs.show': () => ({ run: runRow(), result: null, steers: [] }),
    'transcript.page': () => ({ entries: [], entry_count: 0 }),
  });
  return createFakeContext({ client: localClient(createRouter(core.service, core.hub, silentLogger), 'cli') });
}

const LINES = [
  '? ask_1  Run a command: rm -rf build',
  '  espalier answer ask_1 once  (or run, set, project, deny)',
  '? ask_2  Which of both?',
  "  espalier answer ask_2 'your answer'",
];

test.each(['conv_1', 'deleg_1', 'run_1'])(
  'A2: show %s names its open asks, also those below it, and how they are answered',
  async (id) => {
    const { context, seen } = world();
    await show.run(context, givenArguments([id]));
    expect(seen.out.endsWith(`\n${LINES.join('\n')}\n`)).toBe(true);
    expect(seen.out).not.toContain('ask_3');
    const json = world();
    await show.run(json.context, givenArguments([id], { json: true }));
    expect((JSON.parse(json.seen.out) as { asks: unknown }).asks).toEqual(ASKS.slice(0, 2));
  },
);

test('A2: list and tail name what waits for an answer, tail beside the transcript', async () => {
  const listed = world();
  await list.run(listed.context, givenArguments([]));
  expect(listed.seen.out).toContain(LINES.map((line) => `  ${line}\n`).join(''));
  const json = world();
  await list.run(json.context, givenArguments([], { json: true }));
  expect(JSON.parse(json.seen.out)).toMatchObject([{ asks: [{ ask_id: 'ask_1' }, { ask_id: 'ask_2' }] }]);
  const read = world();
  await tail.run(read.context, givenArguments(['run_1']));
  expect([read.seen.out, read.seen.notes]).toEqual(['', LINES]);
});
