import { beforeAll, expect, it } from 'vitest';
import { until } from '../../testing/process-trees.ts';
import {
  REAL_AGENT_INSTALL_MS,
  REAL_AGENT_LIMIT_MS as LIMIT_MS,
  RealAgentBench,
} from '../../testing/real-agent-bench.ts';
import { ScriptedPort } from '../../testing/scripted-port.ts';
import { runAcp } from './run.ts';

/** The real Codex over ACP against the scripted model. */
const bench = new RealAgentBench({
  program: 'codex-acp',
  agent: { id: 'codex-acp', runner: 'acp', adapter: 'codex-acp', description: 'Codex' },
  run: runAcp,
  shellCall: (cmd) => ({ name: 'exec_command', arguments: { cmd } }),
});

beforeAll(() => bench.install(), REAL_AGENT_INSTALL_MS);

it(
  'codex over ACP works with its tools, and its answer, tokens and calls are in the report',
  { timeout: LIMIT_MS },
  async () => {
    await using codex = await bench.open([bench.shell('printf hello > out.txt && cat out.txt'), 'All done.']);
    const port = new ScriptedPort();
    const { report, session } = await codex.run(port);
    expect(report).toMatchObject({ answer: 'All done.', error: null });
    expect(codex.lab.read('out.txt')).toBe('hello');
    expect(report.progress.tool_calls).toBe(1);
    expect(report.background).toEqual([]);
    expect(report.progress.tokens.output).toBeGreaterThan(0);
    expect(session).toMatchObject({ runner: 'acp' });
  },
);

it.each([
  [401, 'auth'],
  [429, 'rate_limit'],
  // Its words for it are "high demand".
  [500, 'overloaded'],
])('T3: HTTP %i is %s with codex over ACP, never an answer', { timeout: LIMIT_MS }, async (status, reason) => {
  await using codex = await bench.open([{ fault: { status } }], { repeat_last: true });
  const { report } = await codex.run(new ScriptedPort());
  expect(report.error?.reason, JSON.stringify(report)).toBe(reason);
});

it(
  'T3: codex over ACP waits for a refused connection without end; the preflight finds it',
  { timeout: LIMIT_MS },
  async () => {
    await using codex = await bench.open(['unused']);
    await codex.lab.model.close();
    const { report } = await codex.run(new ScriptedPort());
    expect(report.error).toMatchObject({ reason: 'network', message: expect.stringContaining('connection refused') });
  },
);

it(
  'case 28: a stop during a tool of codex leaves no process, and keeps what was said',
  { timeout: LIMIT_MS },
  async () => {
    const { report, left } = await bench.stopDuringTool();
    expect(report).toMatchObject({ cut_by: 'stop', answer: 'I do it.' });
    expect(left).toBe(false);
  },
);

it(
  'case 30: a steer while a tool of codex runs is injected into the turn, and that is proved',
  { timeout: LIMIT_MS },
  async () => {
    await using codex = await bench.open([
      bench.shell('until [ -e go ]; do perl -e "select undef, undef, undef, 0.05"; done'),
      'All done.',
    ]);
    const port = new ScriptedPort();
    const running = codex.run(port);
    await until('the tool to run', () => port.entries.some(({ meta }) => meta.type === 'tool_call'), LIMIT_MS);
    port.steer('steer_1', 'Mention the colour blue.');
    await until('the steer to be delivered', () => port.delivered.includes('steer_1'), LIMIT_MS);
    codex.lab.write('go', '');
    const { report } = await running;
    expect(report).toMatchObject({ answer: 'All done.', missed_steer: [], error: null });
    expect(codex.lab.bodies.some((body) => body.includes('Mention the colour blue.'))).toBe(true);
  },
);

it(
  'codex over ACP delegates, and hands over its structured output, through our server',
  { timeout: LIMIT_MS },
  async () => {
    const { report, calls, heard } = await bench.delegate('The child says 42.');
    expect(calls).toMatchObject([{ tool: 'delegate_task', args: { goal: 'Look into it' } }]);
    expect(heard).toContain('The child says 42.');
    expect(report).toMatchObject({ output: { n: 4 }, schema: { valid: true, retries: 0 }, error: null });
  },
);

it('C5: codex over ACP goes on with its session', { timeout: LIMIT_MS }, async () => {
  await using codex = await bench.open(['First answer.', 'Second answer.']);
  const { session } = await codex.run(new ScriptedPort());
  const again = await codex.run(new ScriptedPort(), { run_id: 'run_aaaaaaaaaaaa', session, goal: 'And the tests?' });
  expect(again.report).toMatchObject({ answer: 'Second answer.', error: null });
  expect(codex.lab.bodies.join('\n')).toContain('First answer.');
});
