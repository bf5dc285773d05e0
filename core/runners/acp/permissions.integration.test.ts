import { expect, it } from 'vitest';
import { AcpLab } from '../../testing/acp-lab.ts';
import { ScriptedPort } from '../../testing/scripted-port.ts';

it('A1: calls of our own server are free; nothing is that only has their names in its words', async () => {
  const port = new ScriptedPort({ onAsk: () => ({ choice: 'deny', remember: false, note: null }) });
  await using lab = new AcpLab(port);
  const calls = [
    [true, { title: 'mcp__espalier__delegate_task', kind: 'other' }],
    [true, { title: 'espalier_report_result' }],
    [true, { title: 'ask_user (espalier MCP Server)', kind: 'other' }],
    [true, { title: 'Tool: espalier/delegate_task', rawInput: { server: 'espalier', tool: 'delegate_task' } }],
    [true, { title: 'Call', kind: 'execute', rawInput: { server: 'espalier', tool: 'ask_user', arguments: {} } }],
    [
      false,
      { title: 'Edit espalier/delegate_task.md', kind: 'edit', locations: [{ path: 'espalier/delegate_task.md' }] },
    ],
    [false, { title: 'espalier delegate_task', locations: [{ path: 'a.txt' }] }],
    [false, { title: 'Call', kind: 'execute', rawInput: { command: 'rm x', server: 'espalier', tool: 'ask_user' } }],
    [false, { title: 'Call', kind: 'fetch', rawInput: { url: 'http://x', server: 'espalier', tool: 'ask_user' } }],
    [false, { title: 'send (mail MCP Server): {"to":"espalier delegate_task"}', kind: 'other' }],
    [false, { title: 'Call', kind: 'other', rawInput: { server: 'mail', tool: 'espalier delegate_task' } }],
  ] as const;
  await lab.run(
    (agent) => {
      agent.prompt(async () => {
        const asked = JSON.parse(process.env['CALLS'] ?? '') as object[];
        for (const [index, call] of asked.entries())
          agent.note('answers', await agent.permit({ toolCallId: String(index), ...call }));
        agent.say('Done.');
      });
    },
    { permission: 'ask', agent: { env: { CALLS: JSON.stringify(calls.map(([, call]) => call)) } } as never },
  );
  expect(lab.notes('answers')).toEqual(calls.map(([isFree]) => (isFree ? 'yes' : 'no')));
});

it('A1, A2: what was allowed once is one call; to be allowed to read a file is not to be allowed to write it', async () => {
  const port = new ScriptedPort({ onAsk: () => ({ choice: 'allow', remember: false, note: null }) });
  await using lab = new AcpLab(port);
  await lab.run(
    (agent) => {
      agent.prompt(async () => {
        const cwd = process.cwd();
        const write = (name: string) =>
          agent.request('fs/write_text_file', { path: `${cwd}/${name}`, content: 'x' }).then(() => undefined);
        const run = () => agent.request('terminal/create', { command: 'true' });
        await agent.permit({ toolCallId: 'r', title: 'Read', kind: 'read', locations: [{ path: `${cwd}/read.txt` }] });
        await write('read.txt');
        for (const id of ['e', 'f']) {
          const call = { title: 'Edit', kind: 'edit', locations: [{ path: `${cwd}/a.txt` }] };
          if (id === 'e') await agent.permit({ toolCallId: id, ...call });
          agent.call(id, { ...call, status: 'in_progress' });
          await write('a.txt');
          agent.call(id, { status: 'completed' });
        }
        const command = { title: 'true', kind: 'execute', rawInput: { command: 'true' } };
        await agent.permit({ toolCallId: 'c', ...command });
        agent.call('c', { ...command, status: 'in_progress' });
        await run();
        agent.call('c', { status: 'completed' });
        await run();
        agent.say('Done.');
      });
    },
    { permission: 'ask' },
  );
  // The write after the read; the edit, and the second one of the same file; the command, and the second time that it is run.
  expect(port.asks.map(({ title }) => title)).toEqual([
    'Write read.txt',
    'Edit a.txt',
    'Write a.txt',
    'Run a command',
    'Run a command',
  ]);
});

it('A3: in the mode edit an edit through a link that leads out of the workspace is asked for', async () => {
  const port = new ScriptedPort({ onAsk: () => ({ choice: 'deny', remember: false, note: null }) });
  await using lab = new AcpLab(port);
  await lab.run(
    (agent) => {
      agent.prompt(async () => {
        const { mkdirSync, symlinkSync } = process.getBuiltinModule('node:fs');
        mkdirSync('inside');
        symlinkSync('/tmp', 'outside');
        for (const folder of ['inside', 'outside', '..']) {
          const locations = [{ path: `${process.cwd()}/${folder}/a.txt` }];
          agent.note('answers', await agent.permit({ toolCallId: folder, title: 'Edit', kind: 'edit', locations }));
        }
        agent.say('Done.');
      });
    },
    { permission: 'edit' },
  );
  expect(lab.notes('answers')).toEqual(['yes', 'no', 'no']);
  expect(port.asks).toHaveLength(2);
});
