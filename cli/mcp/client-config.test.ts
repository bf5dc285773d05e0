import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { clientConfig } from './client-config.ts';

const program = { command: '/n/node', args: ['/e/espalier.mjs', 'mcp'], env: { ESPALIER_HOME: "/it's/home" } };

test('each client is given what it reads: a command line, TOML, or JSON, with the data folder only where it is needed', () => {
  const claude = clientConfig('claude', program).text;
  expect(claude).toMatch(/^claude mcp add-json espalier '/);
  expect(claude).toContain(String.raw`it'\''s`);
  expect(clientConfig('codex', program).text).toBe(
    [
      '[mcp_servers.espalier]',
      'command = "/n/node"',
      'args = ["/e/espalier.mjs","mcp"]',
      'tool_timeout_sec = 86400',
      `env = { "ESPALIER_HOME" = "/it's/home" }`,
    ].join('\n'),
  );
  const gemini = parse(clientConfig('gemini', program).text) as { mcpServers: object };
  expect(gemini.mcpServers).toEqual({ espalier: { ...program, timeout: 86_400_000 } });
  const opencode = parse(clientConfig('opencode', { ...program, env: {} }).text) as { mcp: object };
  expect(opencode.mcp).toEqual({ espalier: { type: 'local', command: ['/n/node', ...program.args], enabled: true } });
});
