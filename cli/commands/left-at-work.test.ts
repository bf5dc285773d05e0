import { expect, test } from 'vitest';
import { createRouter, localClient } from '../../core/host/api/router.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import type { RunRow } from '../../core/protocol/rows.ts';
import { createFakeCore } from '../../core/testing/fake-core.ts';
import { createFakeContext, givenArguments } from '../testing/fake-context.ts';
import { conversationRow, runRow, setResult } from '../testing/rows.ts';
import * as list from './list.ts';
import * as show from './show.ts';
import * as tail from './tail.ts';

test('B42: with no core up what is stored as at work is said to be so only as it was; a lead that waits is not', async () => {
  const said = async (row: RunRow, stored: boolean): Promise<string[]> => {
    const shown = { conversation: conversationRow(), sets: [], runs: [row], totals: setResult().totals };
    const answers = {
      'conversations.show': () => shown,
      'runs.show': () => ({ run: row, result: null, steers: [] }),
    };
    const core = createFakeCore({
      'conversations.list': () => [conversationRow()],
      'transcript.page': () => ({ entries: [], entry_count: 0 }),
      ...answers,
    });
    const client = localClient(createRouter(core.service, core.hub, silentLogger), 'cli');
    const { context, seen } = createFakeContext({ client, stored });
    await list.run(context, givenArguments([], { json: true }));
    await show.run(context, givenArguments(['run_1'], { json: true }));
    await tail.run(context, givenArguments(['run_1'], { json: true }));
    return seen.notes;
  };
  const words = 'No core runs. What stands here as at work was so when the last one ended; the next takes it up.';
  expect(await said(runRow(), true)).toEqual([words, words, words]);
  expect(await said(runRow(), false)).toEqual([]);
  expect(await said(runRow({ state: 'waiting', reason: 'user' }), true)).toEqual([]);
});
