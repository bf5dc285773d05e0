import { expect, test } from 'vitest';
import { createRouter, localClient } from '../../core/host/api/router.ts';
import { ProgressLines } from '../../core/host/progress/progress-lines.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import { createFakeCore, type FakeAnswers } from '../../core/testing/fake-core.ts';
import { createFakeContext, givenArguments } from '../testing/fake-context.ts';
import { askRow, conversationRow, resultEntry, runRow, setResult, setRow, TOTALS } from '../testing/rows.ts';
import { AskPrompter } from '../core/ask-prompter.ts';
import * as list from './list.ts';
import * as prompt from './prompt.ts';
import * as show from './show.ts';

/** It would empty the screen, hide its beginning behind its end, take letters back and turn the rest around. */
const EVIL = 'one\u001b[2J\u009b31m\rtwo\b\b\b\u202Eeerht';
/** What nothing may reach a terminal in. */
const ACTS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

function world(answers: FakeAnswers) {
  const core = createFakeCore({ 'conversations.list': () => [conversationRow()], ...answers });
  const client = localClient(createRouter(core.service, core.hub, silentLogger), 'cli');
  return { ...createFakeContext({ client }), hub: core.hub };
}

const conversation = (changed: Parameters<typeof runRow>[0]): FakeAnswers => ({
  'conversations.show': () => ({
    conversation: conversationRow({ title: EVIL }),
    sets: [setRow({ title: EVIL })],
    runs: [runRow(changed)],
    totals: TOTALS,
  }),
});

test('L5: list and show have the label of a run as the lines of progress have it, and nothing of it acts', async () => {
  const row = runRow({ label: EVIL, state: 'running', started_at: 1 });
  const [, start = ''] = new ProgressLines().take({
    type: 'changes',
    rev: 1,
    changes: [
      { type: 'set', row: setRow({ count: 2 }) },
      { type: 'run', row },
    ],
  });
  const name = /\] (.*)$/.exec(start)?.[1] ?? '';
  expect(name).toMatch(/^one.*two.*eerht$/);
  const { context, seen } = world(conversation({ label: EVIL, activity: EVIL, failure_text: null }));
  await list.run(context, givenArguments([]));
  await show.run(context, givenArguments(['conv_1']));
  expect(seen.out.split(name).length - 1).toBeGreaterThan(2);
  expect(seen.out).not.toMatch(ACTS);
});

test('T4: words of a result, of an answer and of a question are shown whole: nothing in them hides what stands before it', async () => {
  const result = resultEntry({ goal: EVIL, summary: EVIL, error: EVIL, missed_steer: [EVIL] });
  const { context, seen, hub } = world({
    'sets.show': () => ({ set: setRow(), runs: [], result: setResult({ results: [result] }) }),
    'projects.add': () => ({
      ...{ project_id: 'proj_1', path: '/project', name: 'project', added_at: 0, used_at: 0 },
      ...{ trusted: false, definitions: null, present: true, git: true },
    }),
    'leads.validate': () => ({ problem: null }),
    'leads.send': () => ({ conversation_id: 'conv_1', run_id: 'run_1' }),
    'runs.show': () => ({ run: runRow({ state: 'ended' }), result, steers: [] }),
  });
  await show.run(context, givenArguments(['deleg_1']));
  const shown = seen.out;
  expect(shown.match(/one[^]*?two[^]*?eerht/g)).toHaveLength(4);
  seen.out = '';
  const prompted = prompt.run(context, givenArguments(['Say hello']));
  await expect.poll(() => hub.subscriptions).toBe(1);
  const ended = { type: 'run', row: runRow({ state: 'ended', outcome: 'completed' }) } as const;
  hub.publish([{ conversation_id: 'conv_1', run_id: 'run_1', change: ended }]);
  await prompted;
  expect(seen.out).toMatch(/^one\s+two\s*eerht\n$/);
  const prompter = new AskPrompter(context.terminal, () => Promise.reject(new Error('not called')) as never, 'test');
  prompter.take({
    type: 'changes',
    rev: 1,
    changes: [{ type: 'ask', row: askRow({ title: EVIL, detail: `rm -rf ~ #\r${EVIL}` }) }],
  });
  prompter.close();
  const notes = seen.notes.join('\n');
  expect(notes).toContain('rm -rf ~ #');
  for (const text of [shown, seen.out, notes]) expect(text).not.toMatch(ACTS);
});

test('list --all: a run that has ended shows how, not what it was at last', async () => {
  const ended = { state: 'ended', outcome: 'completed', words: 'Completed', activity: 'running bash' } as const;
  const { context, seen } = world(conversation(ended));
  await list.run(context, givenArguments([], { all: true }));
  expect(seen.out).toContain('Say hello: Completed, 12s\n');
  expect(seen.out).not.toContain('bash');
});
