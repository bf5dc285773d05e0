import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../kit/clock.ts';
import { Settings, type ProviderSettings } from '../../protocol/settings.ts';
import { listModels } from '../models/list-models.ts';
import { mergeModels } from '../models/merge-models.ts';
import { testConnection } from './test-connection.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

const KEY = 'CANARY-key-1';
const LIST = JSON.stringify({ data: [{ id: 'pear-1' }, { id: 'plum-2-2026-01-31', context_length: 9000 }] });

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(answer: Answer): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const says =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body);

/** Tells the key in its error, as some servers do: nothing of that may be passed on. */
const forKey: Answer = (request, response) => {
  const given = request.headers['x-api-key'] ?? request.headers.authorization?.replace('Bearer ', '');
  if (given === KEY) says(200, LIST)(request, response);
  else says(401, `{"error":"wrong key ${String(given)}"}`)(request, response);
};

async function look(answer: Answer | string, provider: Partial<ProviderSettings> = {}, key: string | null = KEY) {
  const baseUrl = typeof answer === 'string' ? answer : await serve(answer);
  const own = { kind: 'anthropic', baseUrl, apiKeyEnv: 'P_KEY', ...provider };
  const settings = Settings.parse({ providers: { p: own } });
  const environment = key === null ? {} : { P_KEY: key };
  const shown = await testConnection('p', { settings, environment, fetch, clock: systemClock });
  expect(JSON.stringify(shown)).not.toContain('CANARY');
  return { ...shown, states: shown.checks.map(({ about, state }) => `${about} ${state}`).join(', ') };
}

test('K4: reached, key accepted, and the models that the settings name are listed, a dated name for an undated one too', async () => {
  const shown = await look(forKey, { models: { 'pear-1': {}, 'plum-2': {} } });
  expect(shown).toMatchObject({ ok: true, states: 'address ok, key ok, model ok', advice: null });
  expect(shown.checks[2]?.words).toBe('It lists 2 models, all that are named among them.');
});

test.each<[string, Answer, Partial<ProviderSettings>, string | null, string, RegExp]>([
  ['a wrong key', forKey, {}, 'CANARY-other', 'address ok, key bad', /another key/],
  ['no key where one is asked for', forKey, {}, null, 'address ok, key bad', /Enter the key/],
  ['a model that is not listed', forKey, { models: { apple: {} } }, KEY, 'address ok, key ok, model bad', /listed/],
  ['no model at all', says(200, '{"data":[]}'), {}, KEY, 'address ok, key ok, model bad', /listed/],
  ['a limit', says(429, ''), {}, KEY, 'address bad', /Wait/],
  ['an error', says(500, ''), {}, KEY, 'address bad', /later/],
])('%s → said, with what to do', async (_name, answer, provider, key, states, advice) => {
  expect(await look(answer, provider, key)).toMatchObject({
    ok: false,
    states,
    advice: expect.stringMatching(advice) as string,
  });
});

test.each([
  ['no list', says(404, 'no')],
  ['a page for people', says(200, '<html>Welcome</html>')],
  ['a redirect, which is not followed with the key', says(302, '', { location: 'http://127.0.0.1:9/' })],
])('%s → reached, and that the key is not proved is said', async (_name, answer) => {
  expect(await look(answer)).toMatchObject({ ok: true, states: 'address ok, key unknown' });
});

test('a compatible endpoint whose list is open to everybody proves no key; one that asks for none says so', async () => {
  const kind = 'openai-compatible';
  expect(await look(says(200, LIST), { kind })).toMatchObject({
    ok: true,
    states: 'address ok, key unknown, model ok',
  });
  expect(await look(forKey, { kind })).toMatchObject({ ok: true, states: 'address ok, key ok, model ok' });
  const open = await look(says(200, LIST), { kind, apiKeyEnv: undefined });
  expect(open.checks[1]?.words).toBe('It asks for no key.');
});

test('nothing listens, or nobody answers: told in bounded time', async () => {
  expect(await look('http://127.0.0.1:9/v1')).toMatchObject({ ok: false, states: 'address bad' });
  const baseUrl = await serve(() => undefined);
  const access = { kind: 'openai' as const, baseUrl, key: KEY, headers: {} };
  const listed = await listModels(access, { fetch, clock: systemClock, within: 50 });
  expect(listed).toMatchObject({ ok: false, error: { code: 'timeout' } });
});

test('R6: models of the settings, the endpoint and the table are one list; prices come from settings or table, never from an endpoint', () => {
  const provider = { kind: 'anthropic' as const, models: { mine: { price: { input: 1, output: 2 } } } };
  const baseUrl = 'https://api.anthropic.com/v1';
  const endpoint = [
    { model: 'claude-haiku-4-5-20251001', contextWindow: 1, maxOutput: 1 },
    { model: 'claude-new', contextWindow: 500, maxOutput: null },
  ];
  const models = mergeModels({ id: 'anthropic', provider, baseUrl }, endpoint);
  expect(models.map(({ ref, listed, price_from }) => [ref, listed, price_from])).toEqual([
    ['anthropic/mine', false, 'settings'],
    ['anthropic/claude-haiku-4-5-20251001', true, 'table'],
    ['anthropic/claude-new', true, null],
  ]);
  expect(models[1]?.context_window).toBe(200_000);
  expect(models[2]).toMatchObject({ context_window: 500, max_output: null, price: null });
  expect(
    mergeModels({ id: 'anthropic', provider, baseUrl }, null).some(({ model }) => model === 'claude-opus-5-5'),
  ).toBe(true);
});
