import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRouter, localClient } from '../../core/host/api/router.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import { CoreLab, value } from '../../core/testing/core-lab.ts';
import { toFailure } from '../core/api-failure.ts';
import { createFakeContext, givenArguments } from '../testing/fake-context.ts';
import * as prompt from './prompt.ts';
import { run } from './run.ts';

const GONE = { runner: 'cli', adapter: 'claude-cli', command: 'no-such-agent-program' };

test('S1: a batch or prompt is judged in the folder that it is for: the Demo has its model, and one that is refused, or has no agent here (status 3), attaches no project', async () => {
  await using lab = await CoreLab.open();
  const client = localClient(createRouter(lab.service, lab.core.hub, silentLogger), 'cli');
  type Options = Record<string, string | true>;
  const ended = (running: Promise<unknown>): Promise<unknown> =>
    running.catch((thrown: unknown) => {
      const { status, lines } = toFailure(thrown);
      return [status, ...lines];
    });
  const start = async (cwd: string, batch: object, options: Options = {}) => {
    const { context, seen } = createFakeContext({ client, cwd, stdin: JSON.stringify(batch) });
    const status = await ended(run(context, givenArguments(['-'], { detach: true, ...options })));
    return { status, out: seen.out };
  };
  const ask = (cwd: string, options: Options = {}): Promise<unknown> => {
    const { context } = createFakeContext({ client, cwd });
    return ended(prompt.run(context, givenArguments(['Look around'], { detach: true, ...options })));
  };

  const plain = join(lab.git.root, 'plain');
  mkdirSync(plain);
  const refused = await start(plain, { tasks: ['true'], defaults: { agent: 'command' } }, { isolation: 'worktree' });
  expect(refused.status).toEqual(expect.arrayContaining([2, 'Nothing was started:']));
  expect((await start(plain, { tasks: ['Look around'] })).status).toEqual(expect.arrayContaining([2]));
  value(await lab.service.settings.set({ key: 'agents.gone', value: GONE }, { client: 'test' }));
  const missing = await start(plain, { tasks: ['Look around'] }, { agent: 'gone' });
  expect(missing.status).toEqual([
    3,
    'Nothing was started:',
    expect.stringContaining('"no-such-agent-program" was not found'),
  ]);
  expect(await ask(plain)).toEqual([2, 'Nothing was started:', expect.stringContaining('needs a model')]);
  expect(await ask(plain, { agent: 'gone' })).toEqual(missing.status);
  expect(await ask(plain, { project: '../plian' })).toEqual([2, expect.stringContaining(`Did you mean ${plain}?`)]);
  expect(await client.projects.list()).toEqual([]);

  const demo = await client.onboarding.demo();
  await client.runs.stop({ id: demo.conversation_id });
  const [project] = await client.projects.list();
  const { status, out } = await start(project?.path ?? '', { tasks: ['Say hello to everyone'] });
  expect(status).toBe(0);
  const { conversation_id } = JSON.parse(out) as { conversation_id: string };
  expect((await client.conversations.show({ id: conversation_id })).conversation).toMatchObject({
    ...{ project_id: demo.project_id, scripted: true },
  });
  await client.runs.stop({ id: conversation_id });
  expect(await ask(project?.path ?? '')).toBe(0);
  expect(await client.projects.list()).toHaveLength(1);
});
