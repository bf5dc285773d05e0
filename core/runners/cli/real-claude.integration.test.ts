import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { Assignment } from '../../protocol/frames.ts';
import { isAlive } from '../../testing/core-lab.ts';
import { until } from '../../testing/process-trees.ts';
import { installRealAgents, realProgram } from '../../testing/real-agents.ts';
import { RunLab } from '../../testing/run-lab.ts';
import { ScriptedPort, type ScriptedPortOptions } from '../../testing/scripted-port.ts';
import { runCli } from './run.ts';

/** A turn of the scripted model. */
type TurnInput = Parameters<typeof RunLab.open>[0][number];

let folder = '';

// The first time the program itself has to come.
beforeAll(async () => {
  folder = await installRealAgents('tests');
}, 600_000);

const LIMIT_MS = 90_000;

/** The real Claude Code against the scripted model. */
async function open(turns: TurnInput[], repeat_last = false) {
  const lab = await RunLab.open(turns, { repeat_last });
  const { command, args, env } = realProgram('claude', folder, join(lab.outer, 'home'), lab.model.url);
  const agent: Assignment['agent'] = {
    id: 'claude',
    runner: 'cli',
    adapter: 'claude-cli',
    description: 'Claude Code',
    source: 'settings',
    command,
    args: [...args],
    env: { ...env },
  };
  const run = (port: ScriptedPort, more: Partial<Assignment> = {}) =>
    runCli(lab.assignment({ agent, models: [], ...more }), port);
  return { lab, run, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() };
}

const bash = (command: string): TurnInput => [
  { text: 'I do it.' },
  { tool_call: { name: 'Bash', arguments: { command, description: 'Does it' } } },
];

/** Does something once, when a tool of the agent begins to run. */
function onTool(act: (port: ScriptedPort) => void): ScriptedPortOptions {
  let done = false;
  return {
    onEntry: ({ meta, ended }, port) => {
      if (done || ended || meta.type !== 'tool_call' || meta.status !== 'running') return;
      done = true;
      act(port);
    },
  };
}

it(
  'works with its tools, asks for its permissions, and goes on with its session for a follow-up',
  { timeout: LIMIT_MS },
  async () => {
    await using claude = await open([bash('printf hello > out.txt && cat out.txt'), 'All done.', 'And more.']);
    const port = new ScriptedPort();
    port.steer('steer_1', 'One thing more.', 'follow_up');
    const { report, session } = await claude.run(port, { permission: 'ask' });
    expect(report).toMatchObject({ answer: 'And more.', error: null, progress: { turns: 3, tool_calls: 1 } });
    expect(report.progress.tokens.output).toBeGreaterThan(0);
    expect(port.asks).toMatchObject([{ tool: 'Bash', detail: 'printf hello > out.txt && cat out.txt' }]);
    expect(claude.lab.read('out.txt')).toBe('hello');
    expect(port.delivered).toEqual(['steer_1']);
    expect(session).toMatchObject({ adapter: 'claude-cli' });
  },
);

it(
  'case 30: a steer while a tool runs is part of the next request, and is told as delivered',
  { timeout: LIMIT_MS },
  async () => {
    await using claude = await open([
      bash('until [ -e go ]; do perl -e "select undef, undef, undef, 0.05"; done'),
      'All done.',
    ]);
    const port = new ScriptedPort(onTool((it) => it.steer('steer_1', 'Mention the colour blue.')));
    const running = claude.run(port);
    const isWritten = (): boolean => port.entries.some(({ meta }) => meta.type === 'user' && meta.origin === 'steer');
    await until('the steer to be handed over', isWritten, LIMIT_MS);
    claude.lab.write('go', '');
    const { report } = await running;
    expect(report).toMatchObject({ answer: 'All done.', missed_steer: [] });
    expect(port.delivered).toEqual(['steer_1']);
    expect(claude.lab.bodies.at(-1)).toContain('Mention the colour blue.');
  },
);

it('case 28: a stop during a tool leaves no process, and keeps what was said', { timeout: LIMIT_MS }, async () => {
  await using claude = await open([bash('echo $$ > pid; exec perl -e "sleep 97"')]);
  const port = new ScriptedPort();
  const running = claude.run(port, { limits: { stop_grace_seconds: 5 } as Assignment['limits'] });
  await until('the tool to run', () => Number(claude.lab.read('pid') ?? 0) > 0, LIMIT_MS);
  port.stopWith('stop');
  const { report } = await running;
  expect(report).toMatchObject({ cut_by: 'stop', answer: 'I do it.' });
  expect(await isAlive(Number(claude.lab.read('pid')))).toBe(false);
});

it.each([
  [401, 'auth'],
  [429, 'rate_limit'],
  [500, 'server_error'],
])('T3: HTTP %i is %s, by its own word and its own retry setting', { timeout: LIMIT_MS }, async (status, reason) => {
  await using claude = await open([{ fault: { status } }], true);
  const { report } = await claude.run(new ScriptedPort(), { limits: { retries: 1 } as Assignment['limits'] });
  expect(report.error).toMatchObject({ reason });
  expect(report.answer).toBe('');
});

it('T3: a refused connection is found before anything is started', async () => {
  await using claude = await open(['unused']);
  await claude.lab.model.close();
  const { report } = await claude.run(new ScriptedPort());
  expect(report.error).toMatchObject({ reason: 'network' });
});

it('delegates, and hands over its structured output, through our server', { timeout: LIMIT_MS }, async () => {
  await using claude = await open([
    { tool_call: { name: 'delegate_task', arguments: { goal: 'Look into it' } } },
    { tool_call: { name: 'report_result', arguments: { n: 4 } } },
    'All done.',
  ]);
  const answer = { isError: false, text: 'The child says 42.', background: null, display: null };
  const port = new ScriptedPort({ onCall: () => answer });
  const output_schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const delegate = { description: 'Gives work to other agents.', wait_default: true };
  const { report } = await claude.run(port, { delegate, output_schema });
  expect(port.calls).toMatchObject([{ tool: 'delegate_task', args: { goal: 'Look into it' } }]);
  expect(claude.lab.bodies.at(-1)).toContain('The child says 42.');
  expect(report).toMatchObject({ output: { n: 4 }, schema: { valid: true, retries: 0 }, error: null });
});

it('K3: a ceiling takes its tools away', { timeout: LIMIT_MS }, async () => {
  await using claude = await open(['Nothing to do.']);
  await claude.run(new ScriptedPort(), { tools: ['read'] });
  const offered = JSON.stringify(claude.lab.model.requests[0]?.body['tools']);
  expect(offered).toContain('"Read"');
  expect(offered).not.toMatch(/"name":"(Bash|Edit|Write|Task|WebFetch)"/);
});
