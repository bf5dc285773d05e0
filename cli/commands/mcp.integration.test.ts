import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectLocal } from '../../core/host/serve/connect-local.ts';
import type { LocalConnection } from '../../core/host/serve/local-connection.ts';
import { until } from '../../core/testing/process-trees.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'espalier.mjs');

let folder: string;
let home: string;
let project: string;
const clients: Client[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'outside-')));
  home = join(folder, 'home');
  project = join(folder, 'project');
  for (const each of [home, project]) mkdirSync(each, { mode: 0o700 });
  settings({ permission: 'auto' });
});

afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  const core = await connectLocal(home, 'test');
  if (core.ok) {
    process.kill(core.value.pid, 'SIGTERM');
    await core.value.closed;
    await until('the core has ended', () => !isAlive(core.value.pid));
  }
  rmSync(folder, { recursive: true });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function settings(value: object): void {
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, ...value }));
}

/** A client as it starts `espalier mcp` in a project. */
async function client(): Promise<Client> {
  const made = new Client({ name: 'some-client', version: '1' });
  clients.push(made);
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, ESPALIER_HOME: home };
  const program = { command: process.execPath, args: [PROGRAM, 'mcp'], cwd: project, env };
  await made.connect(new StdioClientTransport(program));
  return made;
}

async function call(from: Client, args: Record<string, unknown>): Promise<{ text: string; isError: boolean }> {
  const result = await from.callTool({ name: 'delegate_task', arguments: args });
  const [first] = result.content as { text: string }[];
  return { text: first?.text ?? '', isError: result.isError === true };
}

async function core(): Promise<LocalConnection> {
  const connected = await connectLocal(home, 'test');
  if (!connected.ok) throw new Error(connected.error.message);
  return connected.value;
}

async function onlyConversation(): Promise<{
  title: string;
  runs: {
    run_id: string;
    words: string;
    lead: boolean;
    runner: string;
    depth: number;
    state: string;
    outcome: string | null;
    activity: string | null;
    parent_run_id: string | null;
    turns: number;
  }[];
}> {
  const { client: api, close } = await core();
  const [row, ...others] = await api.conversations.list({ all: true });
  if (row === undefined || others.length > 0) throw new Error('not exactly one conversation');
  const shown = await api.conversations.show({ id: row.conversation_id });
  close();
  return { title: row.title, runs: shown.runs };
}

test('a client outside delegates: its conversation begins with the first call, and its lead row is the client', async () => {
  const from = await client();
  const { tools } = await from.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['delegate_task', 'ask_user']);
  expect(tools[0]?.description).toContain('Limits: 10 of a set at once');
  const before = await core();
  expect(await before.client.conversations.list({ all: true })).toEqual([]);
  before.close();
  const tasks = ['echo one', 'exit 3'].map((goal) => ({ goal, agent: 'command' }));
  const { text, isError } = await call(from, { tasks });
  expect(isError).toBe(false);
  expect(text).toContain('one');
  expect(text).toContain('exit 3');
  expect(text).toMatch(/\[set 1 · 2\/2\]/);
  const { title, runs } = await onlyConversation();
  expect(title).toBe(`some-client in ${basename(project)}`);
  const lead = runs.find((run) => run.lead);
  expect(lead).toMatchObject({ runner: 'outside', agent: 'some-client', depth: 0, state: 'waiting', turns: 1 });
  expect(runs.filter((run) => run.parent_run_id === lead?.run_id)).toHaveLength(2);
});

test('P6: a client outside gets the result of a delegation in the background by waiting for it, once it has ended', async () => {
  const from = await client();
  const told = await call(from, { goal: 'echo later', agent: 'command', wait: false });
  const { delegation_id, note } = JSON.parse(told.text) as { delegation_id: string; note: string };
  expect(note).toContain(`"delegation_id": "${delegation_id}"`);
  expect((await call(from, { action: 'wait', delegation_id })).text).toContain('later');
  expect((await call(from, { action: 'wait' })).text).toContain('nothing to wait for');
  expect((await call(from, { action: 'wait', delegation_id: 'deleg_00000000' })).isError).toBe(true);
});

test('P2, P5, P7: a call that the client gave up is found again, by the same call or by one that waits; a huge result is cut', async () => {
  const from = await client();
  const started = async (count: number): Promise<void> =>
    until('the tasks run', async () => {
      const shown = await onlyConversation().catch(() => null);
      return (shown?.runs.filter(({ lead, state }) => !lead && state === 'running').length ?? 0) === count;
    });
  const goal = (name: string): string =>
    `until [ -e ${join(project, name)} ]; do sleep 0.05; done; yes ${name} | head -c 2000000`;
  const giveUp = async (name: string, count: number): Promise<void> => {
    const givenUp = new AbortController();
    const params = { name: 'delegate_task', arguments: { goal: goal(name), agent: 'command' } };
    const call = from.callTool(params, undefined, { signal: givenUp.signal });
    await started(count);
    givenUp.abort();
    await expect(call).rejects.toThrow();
  };
  await giveUp('again', 1);
  await giveUp('waited', 2);
  for (const name of ['again', 'waited']) writeFileSync(join(project, name), '');
  await started(0);
  const again = await call(from, { goal: goal('again'), agent: 'command' });
  const waited = await call(from, { action: 'wait' });
  for (const [{ text, isError }, name] of [
    [again, 'again'],
    [waited, 'waited'],
  ] as const) {
    expect([isError, text.includes(`${name}\n${name}`)]).toEqual([false, true]);
    expect(text.length).toBeLessThan(30_000);
    expect(text).toContain('the whole text is in');
  }
  expect((await call(from, { action: 'wait' })).text).toContain('nothing to wait for');
  expect((await onlyConversation()).runs).toHaveLength(3);
});

test('C1: a client outside lists and stops what it began, and a stop of its conversation is final for the connection (C3)', async () => {
  const from = await client();
  await call(from, { goal: 'sleep 300', agent: 'command', wait: false });
  const {
    runs: [run],
  } = JSON.parse((await call(from, { action: 'list' })).text) as { runs: { run_id: string }[] };
  const stopped = await call(from, { action: 'stop', run_id: run?.run_id });
  expect(stopped.isError).toBe(false);
  expect((await call(from, { action: 'wait' })).text).toContain('stopped');
  const waiting = call(from, { goal: 'sleep 300', agent: 'command' });
  const { client: api, close } = await core();
  await until('the task runs', async () =>
    (await onlyConversation()).runs.some(({ state, lead }) => !lead && state === 'running'),
  );
  const lead = (await onlyConversation()).runs.find(({ lead: isLead }) => isLead);
  expect(lead).toMatchObject({ words: 'Waiting: children' });
  const receipt = await api.runs.stop({ id: lead?.run_id ?? '' });
  close();
  expect(receipt.survivors).toEqual([]);
  expect(await waiting).toMatchObject({ isError: true, text: expect.stringContaining('has ended in Espalier') });
  expect(await call(from, { goal: 'echo again', agent: 'command' })).toMatchObject({ isError: true });
});

test('what a client outside began goes on when it leaves, and its row ends when that has ended', async () => {
  const from = await client();
  const gate = join(project, 'go');
  await call(from, { goal: `until [ -e ${gate} ]; do sleep 0.1; done`, agent: 'command', wait: false });
  await from.close();
  await until('the lead is told to have gone', async () =>
    (await onlyConversation()).runs.some(({ lead, activity }) => lead && activity === 'Disconnected'),
  );
  expect((await onlyConversation()).runs.find(({ lead }) => lead)).toMatchObject({ words: 'Waiting: children' });
  writeFileSync(gate, '');
  await until('all have ended', async () => (await onlyConversation()).runs.every(({ state }) => state === 'ended'));
  for (const run of (await onlyConversation()).runs) expect(run.outcome).toBe('completed');
});

test('a core that goes while a client outside waits is replaced, and the answer comes all the same (P7)', async () => {
  const from = await client();
  const gate = join(project, 'go');
  const waiting = call(from, { goal: `until [ -e ${gate} ]; do sleep 0.1; done; echo through`, agent: 'command' });
  await until(
    'the task runs',
    async () =>
      (await core().catch(() => null)) !== null &&
      (await onlyConversation().catch(() => null))?.runs.some(({ lead, state }) => !lead && state === 'running') ===
        true,
  );
  const { pid, close, closed } = await core();
  process.kill(pid, 'SIGKILL');
  await closed;
  close();
  writeFileSync(gate, '');
  expect((await waiting).text).toContain('through');
  expect((await onlyConversation()).runs).toHaveLength(2);
});

test('A1: in the mode plan a client outside delegates no program', async () => {
  settings({ permission: 'plan' });
  const from = await client();
  expect(await call(from, { goal: 'echo no', agent: 'command' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('in the permission mode "plan" nothing is executed'),
  });
});
