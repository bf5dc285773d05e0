import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { endpointOf, unreachable } from './preflight.ts';

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true, force: true })));

it('the preflight finds a refused connection at once, and an open one good', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  expect(await unreachable(url)).toBeNull();
  await new Promise((resolve) => server.close(resolve));
  expect(await unreachable(url)).toContain('connection refused');
});

it('the endpoint comes from the agent’s variable, else its fixed address; a proxy hides it', async () => {
  const hint = { type: 'variable', names: ['A_URL', 'B_URL'], otherwise: 'https://api.example' } as const;
  expect((await endpointOf(hint, { B_URL: 'http://127.0.0.1:9/x' }))?.host).toBe('127.0.0.1:9');
  expect((await endpointOf(hint, {}))?.host).toBe('api.example');
  expect(await endpointOf(hint, { HTTPS_PROXY: 'http://proxy' })).toBeNull();
  expect(await endpointOf(null, {})).toBeNull();
});

it('the endpoint of codex is that of the provider that its configuration chooses', async () => {
  const home = mkdtempSync(join(tmpdir(), 'espalier-codex-'));
  folders.push(home);
  mkdirSync(join(home, '.codex'));
  const toml = [
    'model_provider = "local"',
    '[model_providers.other]',
    'base_url = "http://wrong:1"',
    '[model_providers.local]',
    'name = "local"',
    'base_url = "http://127.0.0.1:4555/v1"',
  ];
  writeFileSync(join(home, '.codex', 'config.toml'), toml.join('\n'));
  const hint = { type: 'codex_config', home: 'CODEX_HOME', otherwise: 'https://api.openai.com' } as const;
  expect((await endpointOf(hint, { HOME: home }))?.host).toBe('127.0.0.1:4555');
  expect((await endpointOf(hint, { HOME: '/nowhere' }))?.host).toBe('api.openai.com');
});

it('the endpoint of opencode is that of the provider of its model; a configuration without one says nothing', async () => {
  const hint = { type: 'opencode_config', variable: 'CONFIG' } as const;
  const provider = {
    other: { options: { baseURL: 'http://wrong:1' } },
    own: { options: { baseURL: 'http://127.0.0.1:9/v1' } },
  };
  const HOME = mkdtempSync(join(tmpdir(), 'espalier-opencode-'));
  folders.push(HOME);
  expect(await endpointOf(hint, { HOME })).toBeNull();
  expect((await endpointOf(hint, { HOME, CONFIG: JSON.stringify({ model: 'own/m', provider }) }))?.host).toBe(
    '127.0.0.1:9',
  );
  expect(await endpointOf(hint, { HOME, CONFIG: JSON.stringify({ model: 'unknown/m', provider }) })).toBeNull();
  expect(await endpointOf(hint, { HOME, CONFIG: '// no JSON' })).toBeNull();
  mkdirSync(join(HOME, '.config', 'opencode'), { recursive: true });
  writeFileSync(join(HOME, '.config', 'opencode', 'opencode.json'), JSON.stringify({ model: 'own/m', provider }));
  expect((await endpointOf(hint, { HOME }))?.host).toBe('127.0.0.1:9');
});
