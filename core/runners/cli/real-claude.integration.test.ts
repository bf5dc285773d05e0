import { beforeAll, expect, it } from 'vitest';
import type { Assignment } from '../../protocol/frames.ts';
import { until } from '../../testing/process-trees.ts';
import {
  REAL_AGENT_INSTALL_MS,
  REAL_AGENT_LIMIT_MS as LIMIT_MS,
  RealAgentBench,
} from '../../testing/real-agent-bench.ts';
import { ScriptedPort, type ScriptedPortOptions } from '../../testing/scripted-port.ts';
import { runCli } from './run.ts';

/** The real Claude Code against the scripted model. */
const bench = new RealAgentBench({
  program: 'claude',
  agent: { id: 'claude', runner: 'cli', adapter: 'claude-cli', description: 'Claude Code' },
  run: runCli,
  shellCall: (command) => ({ name: 'Bash', arguments: { command, description: 'Does it' } }),
});

beforeAll(() => bench.install(), REAL_AGENT_INSTALL_MS);

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
    await using claude = await bench.open([
      bench.shell('printf hello > out.txt && cat out.txt'),
      'All done.',
      'And more.',
    ]);
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
    await using claude = await bench.open([
      bench.shell('until [ -e go ]; do perl -e "select undef, undef, undef, 0.05"; done'),
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
  const { report, left } = await bench.stopDuringTool();
  expect(report).toMatchObject({ cut_by: 'stop', answer: 'I do it.' });
  expect(left).toBe(false);
});

it.each([
  [401, 'auth'],
  [429, 'rate_limit'],
  [500, 'server_error'],
])('T3: HTTP %i is %s, by its own word and its own retry setting', { timeout: LIMIT_MS }, async (status, reason) => {
  await using claude = await bench.open([{ fault: { status } }], { repeat_last: true });
  const { report } = await claude.run(new ScriptedPort(), { limits: { retries: 1 } as Assignment['limits'] });
  expect(report.error).toMatchObject({ reason });
  expect(report.answer).toBe('');
});

it('T3: a refused connection is found before anything is started', async () => {
  await using claude = await bench.open(['unused']);
  await claude.lab.model.close();
  const { report } = await claude.run(new ScriptedPort());
  expect(report.error).toMatchObject({ reason: 'network' });
});

it('delegates, and hands over its structured output, through our server', { timeout: LIMIT_MS }, async () => {
  const { report, calls, heard } = await bench.delegate('The child says 42.');
  expect(calls).toMatchObject([{ tool: 'delegate_task', args: { goal: 'Look into it' } }]);
  expect(heard).toContain('The child says 42.');
  expect(report).toMatchObject({ output: { n: 4 }, schema: { valid: true, retries: 0 }, error: null });
});

it('K3: a ceiling takes its tools away', { timeout: LIMIT_MS }, async () => {
  await using claude = await bench.open(['Nothing to do.']);
  await claude.run(new ScriptedPort(), { tools: ['read'] });
  const offered = JSON.stringify(claude.lab.model.requests[0]?.body['tools']);
  expect(offered).toContain('"Read"');
  expect(offered).not.toMatch(/"name":"(Bash|Edit|Write|Task|WebFetch)"/);
});
