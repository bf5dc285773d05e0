import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MODEL_KINDS, RunLab } from '../../../testing/run-lab.ts';
import { ScriptedPort } from '../../../testing/scripted-port.ts';
import { readDefinitions } from '../../../workspace/trust/project-definitions.ts';
import { runBuiltin } from '../run.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', '..', 'testing', 'mcp-server.ts');
const agent = (mcp_servers: string[], more: object = {}) => ({
  id: 'general',
  runner: 'builtin' as const,
  description: '',
  source: 'settings' as const,
  mcp_servers,
  ...more,
});
const server = { command: process.execPath, args: [PROGRAM] };

it.each(MODEL_KINDS)('a tool of an MCP server is called, and its answer is data (K2, %s)', async (kind) => {
  await using lab = await RunLab.open([
    [{ tool_call: { name: 'mcp__files__echo', arguments: { text: 'hi' } } }],
    'Done.',
  ]);
  const port = new ScriptedPort();
  const mcp_servers = { files: { ...server, readOnlyTools: ['echo'] } };
  const { report } = await lab.run(runBuiltin, port, {
    agent: agent(['files']),
    mcp_servers,
    permission: 'ask',
    models: [lab.bundle(kind)],
  });
  expect(report.answer).toBe('Done.');
  expect(port.asks).toEqual([]);
  const [result] = lab.model.requests[1]?.request.texts.filter(({ role }) => role === 'tool') ?? [];
  expect(result?.text).toMatch(/kind="tool_result" tool="mcp__files__echo"[^]*echo: hi/);
});

it('A1: a tool that is not marked read-only asks; a broken server is told and left out, and the run goes on', async () => {
  await using lab = await RunLab.open([[{ tool_call: { name: 'mcp__files__fail', arguments: {} } }], 'Done.']);
  const port = new ScriptedPort();
  const mcp_servers = { files: server, broken: { command: process.execPath, args: [PROGRAM, 'broken'] } };
  const { report } = await lab.run(runBuiltin, port, {
    agent: agent(['files', 'broken', 'nowhere']),
    mcp_servers,
    permission: 'edit',
  });
  expect(report.answer).toBe('Done.');
  expect(port.asks.map(({ tool }) => tool)).toEqual(['mcp__files__fail']);
  const notices = port.entries.flatMap(({ meta, text }) => (meta.type === 'notice' ? [text] : []));
  expect(notices[0]).toContain('no MCP server "nowhere"');
  expect(notices[1]).toContain('"broken" is left out');
});

it('K3: an allow list of tools holds for those of MCP servers too', async () => {
  await using lab = await RunLab.open(['Done.']);
  const tools = ['read', 'mcp__files__echo'];
  await lab.run(runBuiltin, new ScriptedPort(), { agent: agent(['files'], { tools }), mcp_servers: { files: server } });
  const body = lab.model.requests[0]?.body as { tools: { name: string }[] };
  const offered = body.tools.map(({ name }) => name);
  expect(offered).toEqual(tools);
});

it.each([
  ['trusted as it is', true, 1],
  ['changed since it was trusted', false, 0],
])('A4: a server of a project whose definitions are %s', async (_name, trusted, offered) => {
  await using lab = await RunLab.open(['Done.']);
  writeFileSync(join(lab.workspace, '.mcp.json'), JSON.stringify({ mcpServers: { own: server } }));
  const { digest } = await readDefinitions(lab.workspace);
  await lab.run(runBuiltin, new ScriptedPort(), {
    agent: agent(['own'], { tools: ['mcp__own__echo'] }),
    skills: { project: trusted ? digest : '0'.repeat(64), folders: [] },
  });
  const { tools = [] } = lab.model.requests[0]?.body as { tools?: unknown[] };
  expect(tools).toHaveLength(offered);
});
