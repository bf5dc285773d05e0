import { tmpdir } from 'node:os';
import { createRouter, localClient } from '../../core/host/api/router.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import type { Entry, EntryMeta } from '../../core/protocol/entry.ts';
import type { Change } from '../../core/protocol/feed.ts';
import { Settings } from '../../core/protocol/settings.ts';
import { createFakeCore, type FakeAnswers } from '../../core/testing/fake-core.ts';
import { toFailure } from '../core/api-failure.ts';
import { createFakeContext, type FakeWorld } from './fake-context.ts';
import { conversationRow, resultEntry, runRow, setResult, setRow, TOTALS } from './rows.ts';

export const PROJECT = {
  ...{ project_id: 'proj_1', path: tmpdir(), name: 'project', added_at: 0, used_at: 0 },
  ...{ trusted: false, definitions: null, present: true, git: true },
};

/** An entry of the transcript of `run_1`. */
export function entry(number: number, text: string, changed: Partial<Entry> = {}): Entry {
  const meta: EntryMeta = { type: 'text', partial: false };
  return { run_id: 'run_1', entry: number, at: 0, meta, text, ended: true, ...changed };
}

/** A context over a core that answers commands with one conversation, set and run. */
export function world(answers: FakeAnswers = {}, more: Partial<FakeWorld> = {}) {
  const core = createFakeCore({
    'projects.add': () => PROJECT,
    'projects.list': () => [PROJECT],
    'conversations.list': () => [conversationRow()],
    'conversations.show': () => ({
      conversation: conversationRow(),
      sets: [setRow()],
      runs: [runRow()],
      totals: TOTALS,
    }),
    'runs.show': () => ({ run: runRow(), result: resultEntry(), steers: [] }),
    'sets.show': () => ({ set: setRow(), runs: [runRow()], result: setResult() }),
    'leads.validate': () => ({ problem: null }),
    'transcript.page': ({ from }: { from: number }) => ({
      entries: [entry(0, 'one'), entry(1, 'two')].filter((one) => one.entry >= from),
      entry_count: 2,
    }),
    'settings.get': () => Settings.parse({}),
    ...answers,
  });
  const client = localClient(createRouter(core.service, core.hub, silentLogger), 'cli');
  const publish = (...changes: Change[]): void =>
    core.hub.publish(changes.map((change) => ({ conversation_id: 'conv_1', run_id: 'run_1', change })));
  const inputs = (procedure: string) =>
    core.calls.filter((call) => call.procedure === procedure).map(({ input }) => input);
  return { ...createFakeContext({ client, ...more }), core, publish, inputs };
}

/** The status that a command ends with; with its message when it fails. */
export async function statusOf(running: Promise<unknown>): Promise<unknown> {
  return running.catch((error: unknown) => {
    const { status, message } = toFailure(error);
    return [status, message];
  });
}
