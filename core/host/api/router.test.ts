import { isDefinedError } from '@orpc/server';
import { describe, expect, test } from 'vitest';
import type { Logger } from '../../kit/logger.ts';
import { ApiError } from '../../protocol/errors.ts';
import { createFakeCore, refusal, type FakeAnswers } from '../../testing/fake-core.ts';
import { createRouter, localClient } from './router.ts';

const SECRET = 'sk-test-CANARY-1';

function serve(answers: FakeAnswers = {}) {
  const core = createFakeCore(answers);
  const logged: string[] = [];
  const log = (fields: Record<string, unknown>, message: string): void => {
    logged.push(JSON.stringify({ ...fields, message }));
  };
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  const router = createRouter(core.service, core.hub, logger);
  const client = localClient(router, 'test');
  return { ...core, client, logged };
}

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(isDefinedError(error as Error)).toBe(true);
  return ApiError.parse((error as { data: unknown }).data);
}

describe('the router', () => {
  test('passes input and caller on, and answers with the value', async () => {
    const { client, calls } = serve({ 'projects.remove': () => ({ done: true }) });
    expect(await client.projects.remove({ project_id: 'proj_1' })).toEqual({ done: true });
    expect(calls).toEqual([
      { procedure: 'projects.remove', input: { project_id: 'proj_1' }, caller: { client: 'test' } },
    ]);
  });

  test('an expected failure keeps its code, words and problems', async () => {
    const problem = { task_index: 0, field: 'goal', message: 'm', fix: 'f', suggestion: null, pointer: null };
    const expected: ApiError = { code: 'invalid_batch', message: 'Task 1: no.', problems: [problem] };
    const { client, logged } = serve({ 'batches.dispatch': () => refusal(expected) });
    const call = client.batches.dispatch({ project_id: 'p', conversation_id: null, batch: 1, client_token: 't' });
    expect(await failureOf(call)).toEqual(expected);
    expect(logged).toEqual([]);
  });

  test('an input that the contract refuses names the place and never reaches the core', async () => {
    const { client, calls } = serve();
    const failure = await failureOf(client.runs.steer({ run_id: 'r', text: '', mode: 'steer', client_token: 't' }));
    expect(failure.code).toBe('invalid_input');
    expect(failure.message).toContain('text: ');
    expect(calls).toEqual([]);
  });

  test('B39: an unexpected throw is logged with its place but not its message, and tells clients nothing of it', async () => {
    const { client, logged } = serve({
      'runs.stop': () => {
        throw new TypeError(`401 for ${SECRET}`);
      },
    });
    const failure = await failureOf(client.runs.stop({ id: 'run_1' }));
    expect(failure.code).toBe('internal');
    expect(JSON.stringify(failure) + logged.join()).not.toContain('CANARY');
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain('runs.stop');
    expect(logged[0]).toContain('TypeError');
    expect(logged[0]).toContain('router.test.ts');
  });

  test('an output that breaks the contract is our fault, not a half-right answer', async () => {
    const { client } = serve({ 'projects.list': () => [{ project_id: 1 }] });
    expect((await failureOf(client.projects.list())).code).toBe('internal');
  });

  test('the feed is served with acknowledgements and scopes; leaving it ends the subscription', async () => {
    const { client, hub } = serve();
    const feed = await client.live.subscribe({ client: 'test', can_answer: true, scopes: [{ type: 'app' }] });
    const types: string[] = [];
    for await (const message of feed) {
      types.push(message.type);
      if (message.type !== 'hello') break;
      const { subscription_id } = message;
      expect(await client.live.ack({ subscription_id, rev: 0 })).toEqual({ done: true });
      expect(await client.live.scopes({ subscription_id, scopes: [{ type: 'app' }] })).toEqual({ done: true });
    }
    expect(types).toEqual(['hello', 'snapshot']);
    expect(hub.subscriptions).toBe(0);
    expect((await failureOf(client.live.ack({ subscription_id: 'sub_x', rev: 0 }))).code).toBe('not_found');
  });

  test('more scopes than any client can look at are refused', async () => {
    const { client, hub } = serve();
    const scopes = Array.from({ length: 257 }, () => ({ type: 'app' as const }));
    const call = client.live.subscribe({ client: 'test', can_answer: true, scopes });
    expect((await failureOf(call)).code).toBe('invalid_input');
    expect(hub.subscriptions).toBe(0);
  });

  test('a feed whose snapshot fails ends with an error of the contract', async () => {
    const { client, hub } = serve();
    Reflect.set(hub, 'subscribe', () => ({
      next: () => Promise.reject(new Error(SECRET)),
      return: () => Promise.resolve({ done: true, value: undefined }),
      [Symbol.asyncIterator]() {
        return this;
      },
    }));
    const feed = await client.live.subscribe({ client: 'test', can_answer: true, scopes: [] });
    expect((await failureOf(feed.next())).code).toBe('internal');
  });
});
