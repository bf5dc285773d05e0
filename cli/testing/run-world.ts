import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createRouter, localClient } from '../../core/host/api/router.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import type { Change } from '../../core/protocol/feed.ts';
import { createFakeCore, type FakeAnswers } from '../../core/testing/fake-core.ts';
import { toFailure } from '../core/api-failure.ts';
import type { Failure } from '../core/failure.ts';
import { createFakeContext, type FakeWorld } from './fake-context.ts';
import { setResult, setRow } from './rows.ts';

export const BATCH = { tasks: ['Say hello to everyone'] };
export const ANSWER = {
  conversation_id: 'conv_1',
  delegation_id: 'deleg_1',
  set: 1,
  count: 1,
  run_ids: ['run_1'],
  note: 'Stored.',
};

/** A folder with `b.json`, for the time of one test. */
function batchFolder(): string {
  const cwd = mkdtempSync(join(tmpdir(), 'run-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, 'b.json'), JSON.stringify(BATCH));
  return cwd;
}

/** A context over a core that takes every batch and gives it one set, of one task. */
export function world(answers: FakeAnswers = {}, more: Partial<FakeWorld> = {}) {
  const cwd = batchFolder();
  const core = createFakeCore({
    'batches.parse': () => ({ form: 'json', title: null, skipped: 0, batch: BATCH, problems: [] }),
    'batches.validate': () => ({ problems: [] }),
    'projects.add': () => ({
      ...{ project_id: 'proj_1', path: cwd, name: 'p', added_at: 0, used_at: 0 },
      ...{ trusted: false, definitions: null, present: true, git: false },
    }),
    'batches.dispatch': () => ANSWER,
    'sets.show': () => ({ set: setRow({ status: 'completed' }), runs: [], result: setResult() }),
    ...answers,
  });
  const router = createRouter(core.service, core.hub, silentLogger);
  const client = localClient(router, 'cli');
  const publish = (...changes: Change[]): void =>
    core.hub.publish(
      changes.map((change) => ({
        conversation_id: 'conv_1',
        run_id: change.type === 'run' ? change.row.run_id : null,
        change,
      })),
    );
  const calls = (procedure: string) => core.calls.filter((call) => call.procedure === procedure);
  return { ...createFakeContext({ client, cwd, ...more }), core, publish, calls };
}

/** Resolves when the command follows its set. */
export const following = (core: ReturnType<typeof createFakeCore>): Promise<unknown> =>
  expect.poll(() => core.hub.subscriptions).toBe(1);
export const over = (status: string): Change => ({ type: 'set', row: setRow({ status, ended: 1 }) });

/** The failure that a command ends with. */
export async function failure(running: Promise<unknown>): Promise<Failure> {
  const error: unknown = await running.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return toFailure(error);
}
