import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { processIdentity } from '../../../kit/process-tree/host-processes.ts';
import { until } from '../../../testing/process-trees.ts';
import { MODEL_KINDS, RunLab } from '../../../testing/run-lab.ts';
import { ScriptedPort } from '../../../testing/scripted-port.ts';
import { readDefinitions } from '../../../workspace/trust/project-definitions.ts';
import { runBuiltin } from '../run.ts';
import { mcpTools } from './mcp-tools.ts';
import type { ToolContext } from './tool.ts';

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

it('a server whose tools are known is started at the first call of one of them, again after it has gone, and ended with the run', async () => {
  const call = (name: string): Parameters<typeof RunLab.open>[0][number] => [
    { tool_call: { name: `mcp__files__${name}`, arguments: { text: 'hi' } } },
  ];
  await using lab = await RunLab.open(['First.', 'Second.', call('gone'), call('echo'), 'Third.'], { by: 'requests' });
  const log = join(lab.outer, 'starts');
  const starts = (): string[] => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  const files = { ...server, env: { STARTS: log } };
  const run = () =>
    lab.run(runBuiltin, new ScriptedPort(), {
      agent: agent(['files']),
      mcp_servers: { files },
      tool_lists: join(lab.outer, 'lists'),
    });
  expect((await run()).report.answer).toBe('First.');
  expect(starts()).toHaveLength(1);
  expect((await run()).report.answer).toBe('Second.');
  expect(starts()).toHaveLength(1);
  const [before, after] = lab.model.requests.map(({ body }) => JSON.stringify((body as { tools: unknown }).tools));
  expect(after).toBe(before);
  expect((await run()).report.answer).toBe('Third.');
  expect(starts()).toHaveLength(3);
  expect(lab.bodies.at(-1)).toContain('echo: hi');
  for (const pid of starts())
    await until(`${pid} to be gone`, async () => (await processIdentity(Number(pid))) === null);
  const [list = ''] = readdirSync(join(lab.outer, 'lists'));
  expect(readFileSync(join(lab.outer, 'lists', list), 'utf8')).not.toContain(log);
});

it('a server that cannot be started when it is called is an answer to that call, and the run goes on', async () => {
  const call = [{ tool_call: { name: 'mcp__files__echo', arguments: { text: 'hi' } } }];
  await using lab = await RunLab.open(['First.', call, 'Second.'], { by: 'requests' });
  const flag = join(lab.outer, 'broken');
  const run = () =>
    lab.run(runBuiltin, new ScriptedPort(), {
      agent: agent(['files']),
      mcp_servers: { files: { ...server, env: { BROKEN: flag } } },
      tool_lists: join(lab.outer, 'lists'),
    });
  await run();
  writeFileSync(flag, '');
  const { report } = await run();
  expect(report).toMatchObject({ answer: 'Second.', error: null, ended_on_tool_error: false });
  expect(lab.bodies.at(-1)).toMatch(/could not be started[^]*no licence/);
});

it('B30: what an MCP server answers reaches the model as plain text within bounds, the whole of it in a file, and no picture that providers refuse', async () => {
  const rude = { command: process.execPath, args: [join(PROGRAM, '..', 'rude-mcp-server.ts')] };
  await using lab = await RunLab.open(['Done.']);
  const assignment = lab.assignment({ agent: agent(['rude']), mcp_servers: { rude } });
  const { tools, close } = await mcpTools(assignment, new ScriptedPort());
  const context = { signal: new AbortController().signal, spillFolder: join(lab.outer, 'spill') } as ToolContext;
  const call = (name: string) => tools.find((tool) => tool.name === `mcp__rude__${name}`)?.run({}, context);
  try {
    expect((await call('no-type'))?.text).toBe('red half \ufffd\n[hologram ]\nend');
    const long = (await call('no-schema'))?.text ?? '';
    expect(long.length).toBeLessThanOrEqual(50_000);
    const [, path = ''] = /characters cut; full text: (\S+) …/.exec(long) ?? [];
    expect(readFileSync(path, 'utf8')).toMatch(/^begin\n[^]{120000,}end$/);
    expect(await call('pictures')).toEqual({
      isError: false,
      text: '[image image/svg+xml, 6 bytes: it cannot be shown]',
      images: [{ mediaType: 'image/png', base64: expect.any(String) as string }],
    });
  } finally {
    await close();
  }
});
