import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { ANSWERS, KINDS, event } from '../stream/dialects.ts';
import type { ModelEvent } from '../stream/events.ts';
import { sendJson, sendStream } from '../stream/raw-server.ts';
import { claude, failureOf, gpt, ProviderLab } from '../../testing/provider-lab.ts';
import type { ProviderKind } from '../models/bundle.ts';

const lab = new ProviderLab();
afterEach(() => lab.dispose());

function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text_delta' ? event.text : '')).join('');
}

describe.each(KINDS)('%s: an answer that breaks off (B08)', (kind) => {
  const { begin, end } = ANSWERS[kind](['Par', 'tial']);

  test('B08: clean close without a finish reason → network, partial text kept', async () => {
    const events = await lab.run(kind, (response) => sendStream(response, [begin]));
    expect(failureOf(events)).toMatchObject({ reason: 'network', retryable: true });
    expect(textOf(events)).toBe('Partial');
  });

  test('B08: nothing at all in a good answer → network', async () => {
    expect(failureOf(await lab.run(kind, (response) => sendStream(response, [])))).toMatchObject({ reason: 'network' });
  });

  test('B08: socket reset after half an event → network, partial text kept', async () => {
    const events = await lab.run(kind, (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(begin + end.slice(0, 20), () => response.socket?.resetAndDestroy());
    });
    const failure = failureOf(events);
    expect(failure).toMatchObject({ reason: 'network', retryable: true });
    expect(textOf(events)).toBe('Partial');
  });

  test('B08: an event that is no JSON → server_error', async () => {
    const events = await lab.run(kind, (response) => sendStream(response, [begin, 'data: {"oops\n\n', end]));
    expect(failureOf(events)).toMatchObject({ reason: 'server_error', retryable: true });
  });

  const errors: Record<ProviderKind, string> = {
    anthropic: `event: error\n${event(claude('overloaded_error', 'busy'))}`,
    'openai-compatible': `${event(gpt('overloaded_error', null, 'busy'))}data: [DONE]\n\n`,
    openai: event({ type: 'response.failed', response: { error: { code: 'server_is_overloaded', message: 'busy' } } }),
    google: event({ error: { code: 503, message: 'busy', status: 'UNAVAILABLE' } }),
  };

  test('B08: an error event after partial text → overloaded, message kept', async () => {
    const events = await lab.run(kind, (response) => sendStream(response, [begin + errors[kind] + end]));
    const failure = failureOf(events);
    expect(failure).toMatchObject({ reason: 'overloaded', retryable: true });
    expect(failure.message).toContain('busy');
    expect(textOf(events)).toBe('Partial');
  });

  test('B08: an error event as the very first → overloaded, never an empty answer', async () => {
    const events = await lab.run(kind, (response) => sendStream(response, [errors[kind]]));
    expect(failureOf(events)).toMatchObject({ reason: 'overloaded', retryable: true });
  });
});

test('B08: an answer that is not of the dialect → server_error', async () => {
  const call = event({
    choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: 'c', function: { arguments: '{}' } }] } }],
  });
  const events = await lab.run('openai-compatible', (response) => sendStream(response, [call]));
  expect(failureOf(events)).toMatchObject({ reason: 'server_error', retryable: true });
});

test('case 13: an empty error beside good text is no error', async () => {
  const stream = `${event({ error: '', choices: [{ index: 0, delta: { content: 'good' }, finish_reason: 'stop' }] })}data: [DONE]\n\n`;
  expect((await lab.run('openai-compatible', (response) => sendStream(response, [stream]))).at(-1)).toMatchObject({
    type: 'finish',
  });
});

test('an error in a good answer that is JSON, no stream → the error', async () => {
  const events = await lab.run('openai-compatible', (response) =>
    sendJson(response, 200, gpt('invalid_request_error', 'model_not_found', 'no such model')),
  );
  expect(failureOf(events)).toMatchObject({ reason: 'model_not_found', retryable: false });
});

test('B08: a connection cut inside a tool call yields no tool call', async () => {
  const begin = event({
    choices: [
      {
        index: 0,
        delta: { tool_calls: [{ index: 0, id: 'c', function: { name: 'bash', arguments: '{"command":"ls"}' } }] },
      },
    ],
  });
  const events = await lab.run('openai-compatible', (response) => sendStream(response, [begin]));
  expect(failureOf(events)).toMatchObject({ reason: 'network' });
  expect(events.filter((each) => each.type === 'tool_call')).toEqual([]);
});

test('case 51: a 401 that echoes the key does not tell it', async () => {
  const key = 'CANARY key/with+signs=1';
  const long = 'x'.repeat(480);
  for (const message of [`bad key ${key}`, `${long}${key}`, `Bearer ${key}`, JSON.stringify({ key })]) {
    const failure = failureOf(
      await lab.run('anthropic', (response) => sendJson(response, 401, claude('authentication_error', message)), key),
    );
    expect(failure.message).not.toContain('CANARY');
    expect(failure.message.length).toBeLessThanOrEqual(500);
  }
});

test('a stop during the answer ends with aborted, not with a failure', async () => {
  let closed: () => void = () => undefined;
  const serverSawClose = new Promise<void>((resolve) => (closed = resolve));
  const stop = new AbortController();
  const answer = (response: ServerResponse): void => {
    response.on('close', closed);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(ANSWERS.anthropic(['Partial']).begin);
  };
  const events: ModelEvent[] = [];
  for await (const each of await lab.stream('anthropic', answer, { signal: stop.signal })) {
    events.push(each);
    if (each.type === 'text_delta') stop.abort();
  }
  expect(events.at(-1)).toEqual({ type: 'aborted' });
  await serverSawClose;
});

test('leaving the loop closes the connection', async () => {
  let closed: () => void = () => undefined;
  const serverSawClose = new Promise<void>((resolve) => (closed = resolve));
  const answer = (response: ServerResponse): void => {
    response.on('close', closed);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(ANSWERS.google(['Partial']).begin);
  };
  for await (const each of await lab.stream('google', answer)) {
    if (each.type === 'text_delta') break;
  }
  await serverSawClose;
});
