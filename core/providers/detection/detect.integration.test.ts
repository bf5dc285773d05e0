import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { detectProviders } from './detect.ts';
import type { DetectionFetch } from './detect.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Answers each path with its text; a path with null is never answered. */
async function serve(answers: Record<string, string | null>): Promise<number> {
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    if (answer !== null) response.writeHead(answer === undefined ? 404 : 200).end(answer);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** The real fetch, with the well-known ports led to those of the test. */
function fetchTo(ports: Record<string, number>): DetectionFetch {
  return (url, init) => {
    const target = new URL(url);
    target.port = String(ports[target.port] ?? 9);
    return fetch(target, init);
  };
}

async function detect(env: Record<string, string>, ports: Record<string, number> = {}) {
  const found = await detectProviders({ env, fetch: fetchTo(ports), clock: systemClock });
  return Object.fromEntries(found.map((each) => [each.id, each]));
}

test('keys are found by name and never told; what is missing is said', async () => {
  const found = await detect({ ANTHROPIC_API_KEY: 'sk-CANARY', GEMINI_API_KEY: 'CANARY', OPENAI_API_KEY: ' ' });
  expect(found['anthropic']).toMatchObject({ available: true, note: 'ANTHROPIC_API_KEY is set.' });
  expect(found['google']).toMatchObject({ available: true, note: 'GEMINI_API_KEY is set.' });
  expect(found['openai']).toMatchObject({ available: false, note: 'No key: set OPENAI_API_KEY.' });
  expect(JSON.stringify(found)).not.toContain('CANARY');
});

test('local servers are found with their models', async () => {
  const ollama = await serve({ '/api/tags': JSON.stringify({ models: [{ name: 'qwen3:8b' }, { name: 'gemma3' }] }) });
  const lmstudio = await serve({ '/v1/models': JSON.stringify({ object: 'list', data: [{ id: 'm1' }] }) });
  const llamacpp = await serve({ '/v1/models': JSON.stringify({ data: [] }) });
  const found = await detect({}, { 11434: ollama, 1234: lmstudio, 8080: llamacpp });
  expect(found['ollama']).toMatchObject({
    available: true,
    models: ['qwen3:8b', 'gemma3'],
    note: 'Answers at 127.0.0.1:11434 with 2 models.',
  });
  expect(found['lmstudio']).toMatchObject({
    available: true,
    models: ['m1'],
    note: 'Answers at 127.0.0.1:1234 with 1 model.',
  });
  expect(found['llamacpp']).toMatchObject({
    available: false,
    note: 'Answers at 127.0.0.1:8080, but has no model yet.',
  });
});

test('nothing there, another program, a broken answer and one that never comes → said within the bound', async () => {
  const page = await serve({ '/v1/models': '<html>hello</html>' });
  const other = await serve({ '/v1/models': '{"hello":1}' });
  const silent = await serve({ '/api/tags': null });
  const found = await detect({}, { 11434: silent, 1234: page, 8080: other });
  for (const id of ['ollama', 'lmstudio', 'llamacpp'])
    expect(found[id]).toMatchObject({ available: false, models: [] });
  expect(found['ollama']?.note).toBe('Nothing answers at 127.0.0.1:11434.');
});
