import { expect, it } from 'vitest';
import { AcpLab } from '../../testing/acp-lab.ts';
import { runAcp } from './run.ts';
import { ScriptedPort } from '../../testing/scripted-port.ts';

it('a whole turn: text, thoughts, plan, a call with a diff and usage are in the transcript and the report', async () => {
  await using lab = new AcpLab();
  const { report, session } = await lab.run((agent) => {
    agent.prompt(() => {
      agent.update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Hm.' } });
      agent.update({ sessionUpdate: 'plan', entries: [{ content: 'Edit', priority: 'high', status: 'in_progress' }] });
      agent.say('I edit ');
      agent.say('it.');
      agent.call('1', { title: 'Edit a.txt', kind: 'edit', status: 'in_progress', rawInput: { path: 'a.txt' } });
      const content = [{ type: 'diff', path: `${process.cwd()}/a.txt`, oldText: 'a\n', newText: 'b\n' }];
      agent.call('1', { status: 'completed', content });
      agent.update({ sessionUpdate: 'usage_update', used: 10, size: 100, cost: { amount: 0.5, currency: 'USD' } });
      agent.update({ sessionUpdate: 'something_of_tomorrow', x: 1 });
      agent.say('Done: edited.');
      return { stopReason: 'end_turn', usage: { totalTokens: 30, inputTokens: 20, outputTokens: 10 } };
    });
  });
  expect(report).toMatchObject({ answer: 'Done: edited.', error: null, limit: null, files_written: ['a.txt'] });
  expect(report.progress).toMatchObject({ turns: 2, tool_calls: 1, cost_usd: 0.5, cost_status: 'reported' });
  expect(report.progress.tokens).toMatchObject({ input: 20, output: 10 });
  expect(session).toMatchObject({ runner: 'acp', session_id: 'session-1', run_id: lab.assignment(() => 0).run_id });
  expect(lab.port.entries.map(({ meta, ended }) => [meta.type, ended])).toEqual([
    ['user', true],
    ['reasoning', true],
    ['plan', true],
    ['text', true],
    ['tool_call', true],
    ['text', true],
  ]);
  expect(lab.entries('tool_call')[0]?.meta).toMatchObject({
    status: 'ok',
    title: 'Edit a.txt',
    display: { type: 'diff', path: 'a.txt', added: 1, removed: 1 },
  });
  expect(lab.port.isReady).toBe(true);
});

it('T3: a banner, noise, half lines, bytes that are no UTF-8 and a line of 16 MB do no harm', async () => {
  await using lab = new AcpLab();
  const { report } = await lab.run((agent) => {
    agent.raw('Welcome to the agent!\n{"broken": \n');
    agent.prompt(async () => {
      const update = {
        sessionUpdate: 'tool_call',
        toolCallId: '1',
        title: 'big',
        status: 'completed',
        rawOutput: 'x'.repeat(16 << 20),
      };
      const line = Buffer.from(
        JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: { sessionId: 'session-1', update } }),
      );
      agent.raw(line.subarray(0, 1000));
      await agent.wait(30);
      agent.raw(line.subarray(1000));
      agent.raw('\n');
      const chunk = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'A?B' } };
      const text = JSON.stringify({
        jsonrpc: '2.0',
        method: 'session/update',
        params: { sessionId: 'session-1', update: chunk },
      });
      agent.raw(Buffer.from(Buffer.from(text).map((byte) => (byte === 0x3f ? 0xff : byte))));
      agent.raw('\n');
    });
  });
  expect(report).toMatchObject({ error: null, answer: 'A�B' });
  expect(lab.entries('tool_call')[0]?.text.length).toBe(1 << 20);
});

it.each([
  [
    'an error of the protocol',
    { code: -32603, message: 'Internal error', data: { errorKind: 'rate_limit' } },
    'rate_limit',
  ],
  ['a missing login', { code: -32000, message: 'Authentication required', data: null }, 'auth'],
  ['a server error in words', { code: -32603, message: 'unexpected status 500', data: null }, 'server_error'],
])('T3: %s ends the run with its reason', async (_name, { code, message, data }, reason) => {
  await using lab = new AcpLab();
  lab.lab.write('error.json', JSON.stringify({ code, message, data }));
  const { report } = await lab.run((agent) => {
    const told = JSON.parse(agent.read('error.json') ?? '') as { code: number; message: string; data: unknown };
    agent.prompt(() => {
      agent.say('I begin');
      throw agent.refusal(told.code, told.message, told.data);
    });
  });
  expect(report.error?.reason).toBe(reason);
  expect(report.answer).toBe('I begin');
  if (reason === 'auth') expect(report.error?.message).toContain('Sign in');
});

it('T3: `end_turn` with an error in place of an answer is a failure, as is `[API Error`', async () => {
  for (const words of ['unexpected status 500 Internal Server Error', '[API Error: 401 bad key]']) {
    await using lab = new AcpLab();
    lab.lab.write('words', words);
    const { report } = await lab.run((agent) => {
      agent.prompt(() => agent.say(agent.read('words') ?? ''));
    });
    expect(report.error, words).not.toBeNull();
  }
});

it('T3: an agent that dies in its turn, and one that closes its output, are noticed at once', async () => {
  await using lab = new AcpLab();
  const died = await lab.run((agent) => {
    agent.prompt(() => {
      agent.say('Half an');
      agent.stderr('fatal: out of memory\n');
      setTimeout(() => process.exit(3), 50);
      return new Promise(() => undefined);
    });
  });
  expect(died.report.error).toMatchObject({ reason: 'process', message: expect.stringContaining('exit 3') });
  expect(died.report.error?.message).toContain('out of memory');
  expect(lab.entries('text')[0]?.meta.partial).toBe(true);
  await using other = new AcpLab();
  const closed = await other.run((agent) => {
    agent.prompt(() => {
      agent.closeOutput();
      setInterval(() => undefined, 1000);
      return new Promise(() => undefined);
    });
  });
  expect(closed.report.error).toMatchObject({
    reason: 'process',
    message: expect.stringContaining('closed its output'),
  });
});

it('R8: an agent that dies at its start is started again; one that is not there names how to get it', async () => {
  await using lab = new AcpLab();
  const { report } = await lab.run((agent) => {
    if (agent.read('once') === null) {
      agent.note('once', 'x');
      process.exit(1);
    }
    agent.prompt(() => agent.say('Here now.'));
  });
  expect(report).toMatchObject({ error: null, answer: 'Here now.' });
  const agent = { id: 'gemini', runner: 'acp', adapter: 'gemini', description: '', source: 'builtin' } as const;
  const missing = await lab.run(() => 0, {
    agent: { ...agent, command: '/nowhere/gemini' },
    environment: { HTTP_PROXY: 'x' },
  });
  expect(missing.report.error).toMatchObject({
    reason: 'agent_not_found',
    message: expect.stringContaining('npm install -g @google/gemini-cli'),
  });
});

it('R11, R4: turns and tool calls are watched; at the limit one last message without tools is asked for', async () => {
  await using lab = new AcpLab();
  const { report } = await lab.run(
    (agent) => {
      agent.prompt(async (text) => {
        agent.note('prompts', text.slice(0, 20).replaceAll('\n', ' '));
        if (text.includes('limit of this run')) return void agent.say('This is what I have.');
        for (let i = 1; i <= 5; i += 1) {
          agent.call(String(i), { title: `call ${i}`, kind: 'read', status: 'completed' });
          if (i === 3) break;
        }
        await agent.untilCancelled();
        return 'cancelled';
      });
    },
    { limits: { ...new AcpLab().assignment(() => 0).limits, max_tool_calls: 2 } },
  );
  expect(report).toMatchObject({ limit: 'max_tool_calls', answer: 'This is what I have.', error: null });
  expect(lab.notes('prompts')).toHaveLength(2);
});

it('P8: an output in the text counts, and one repair turn has the errors', async () => {
  await using lab = new AcpLab();
  const { report } = await lab.run(
    (agent) => {
      agent.prompt((text, count) => {
        agent.note('prompts', text.replaceAll('\n', ' '));
        agent.say(count === 1 ? '```json\n{"a":"x"}\n```' : '```json\n{"a":1}\n```');
      });
    },
    { output_schema: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } } },
  );
  expect(report.output).toEqual({ a: 1 });
  expect(report.schema).toMatchObject({ valid: true, retries: 1 });
  expect(lab.notes('prompts')[1]).toContain('must be integer');
});

it('an agent inside of the agent is an entry of its own, and none of the run’s words', async () => {
  await using lab = new AcpLab();
  const { report } = await lab.run((agent) => {
    agent.prompt(() => {
      agent.say('I ask a colleague.');
      agent.call('1', { title: 'task', kind: 'other', status: 'in_progress' });
      agent.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'inside' } }, 'child-7');
      agent.call('1', { status: 'completed' });
      agent.say('It is done.');
    });
  });
  expect(report.answer).toBe('It is done.');
  const [seen] = lab.entries('subagent');
  expect(seen).toMatchObject({ text: 'inside', ended: true, meta: { key: 'child-7', status: 'unknown' } });
});

it('A2: a person is asked in the run’s mode; what was allowed for the run is not asked again', async () => {
  const port = new ScriptedPort({
    onAsk: ({ detail }) => ({ choice: detail.includes('rm') ? 'deny' : 'allow', remember: true, note: 'no deleting' }),
  });
  await using lab = new AcpLab(port);
  await lab.run(
    (agent) => {
      agent.prompt(async () => {
        for (const command of ['rm -rf x', 'ls', 'pwd']) {
          const call = { toolCallId: command, title: command, kind: 'execute', rawInput: { command } };
          agent.note('answers', `${command}: ${await agent.permit(call)}`);
        }
        agent.note('answers', `read: ${await agent.permit({ toolCallId: 'r', title: 'r', kind: 'read' })}`);
        agent.say('Done.');
      });
    },
    { permission: 'ask' },
  );
  expect(lab.notes('answers')).toEqual(['rm -rf x: no', 'ls: yes', 'pwd: yes', 'read: yes']);
  expect(port.asks.map(({ title, detail }) => [title, detail])).toEqual([
    ['Run a command', 'rm -rf x'],
    ['Run a command', 'ls'],
  ]);
  expect(lab.entries('notice')[0]?.text).toContain('no deleting');
});

it('A1: in the mode plan nothing but reading is allowed, and nobody is asked', async () => {
  await using lab = new AcpLab();
  await lab.run(
    (agent) => {
      agent.prompt(async () => {
        agent.note('answers', await agent.permit({ toolCallId: '1', title: 'edit', kind: 'edit' }));
        const content = 'x';
        const wrote = await agent.request('fs/write_text_file', { path: `${process.cwd()}/x`, content }).catch(String);
        agent.note('answers', String(wrote));
        agent.say('Looked.');
      });
    },
    { permission: 'plan' },
  );
  expect(lab.port.asks).toEqual([]);
  expect(lab.notes('answers')[0]).toBe('no');
  expect(lab.notes('answers')[1]).toContain('denied');
  expect(lab.lab.read('x')).toBeNull();
});

it('A3: files and terminals of the agent stay in the workspace', async () => {
  await using lab = new AcpLab();
  const { report } = await lab.run((agent) => {
    agent.prompt(async () => {
      const cwd = process.cwd();
      await agent.request('fs/write_text_file', { path: `${cwd}/new/a.txt`, content: 'one\ntwo\nthree\n' });
      const part = await agent.request('fs/read_text_file', { path: `${cwd}/new/a.txt`, line: 2, limit: 1 });
      agent.note('answers', JSON.stringify(part));
      for (const path of ['/etc/passwd', `${cwd}/../secret`]) {
        agent.note(
          'answers',
          await agent.request('fs/read_text_file', { path }).then(
            () => 'read',
            () => 'refused',
          ),
        );
      }
      const { terminalId } = (await agent.request('terminal/create', { command: 'echo', args: ['a b'] })) as {
        terminalId: string;
      };
      agent.call('t', {
        title: 'echo',
        kind: 'execute',
        status: 'in_progress',
        content: [{ type: 'terminal', terminalId }],
      });
      agent.note('answers', JSON.stringify(await agent.request('terminal/wait_for_exit', { terminalId })));
      agent.note('answers', JSON.stringify(await agent.request('terminal/output', { terminalId })));
      await agent.request('terminal/release', { terminalId });
      const outside = agent.request('terminal/create', { command: 'pwd', cwd: '/' });
      agent.note(
        'answers',
        await outside.then(
          () => 'ran',
          () => 'refused',
        ),
      );
      agent.say('Done.');
    });
  });
  expect(lab.notes('answers')).toEqual([
    '{"content":"two"}',
    'refused',
    'refused',
    '{"exitCode":0,"signal":null}',
    '{"output":"a b\\n","truncated":false,"exitStatus":{"exitCode":0,"signal":null}}',
    'refused',
  ]);
  expect(report.files_written).toEqual(['new/a.txt']);
  expect(report.files_read).toEqual(['new/a.txt']);
});

it('the MCP servers of its definition are given to the agent beside ours; one that it cannot use is told', async () => {
  await using lab = new AcpLab();
  const assignment = lab.assignment((agent) => agent.prompt(() => agent.say(JSON.stringify(agent.servers))), {
    mcp_servers: {
      files: { command: 'files-server', args: ['.'], env: { DEPTH: '2' } },
      web: { url: 'https://example.org/mcp' },
    },
  });
  const agent = { ...assignment.agent, mcp_servers: ['files', 'web', 'nowhere'] };
  const { report } = await runAcp({ ...assignment, agent }, lab.port);
  expect(JSON.parse(report.answer)).toMatchObject([
    { name: 'espalier' },
    { name: 'files', command: 'files-server', args: ['.'], env: [{ name: 'DEPTH', value: '2' }] },
  ]);
  const notices = lab.entries('notice').map(({ text }) => text);
  expect(notices).toEqual([expect.stringContaining('"nowhere"'), expect.stringContaining('"web"')]);
});
