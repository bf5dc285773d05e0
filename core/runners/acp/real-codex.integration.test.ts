import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { Assignment } from '../../protocol/frames.ts';
import { installRealAgents, realProgram } from '../../testing/real-agents.ts';
import { isAlive } from '../../testing/core-lab.ts';
import { until } from '../../testing/process-trees.ts';
import { RunLab } from '../../testing/run-lab.ts';
import { ScriptedPort } from '../../testing/scripted-port.ts';
import { runAcp } from './run.ts';

/** A turn of the scripted model. */
type TurnInput = Parameters<typeof RunLab.open>[0][number];

let folder = '';

// The first time the program itself has to come.
beforeAll(async () => {
  folder = await installRealAgents('tests');
}, 600_000);

const LIMIT_MS = 90_000;

/** The real Codex over ACP against the scripted model. */
async function open(turns: TurnInput[], more: { repeat_last?: boolean } = {}) {
  const lab = await RunLab.open(turns, more);
  const { command, args, env } = realProgram('codex-acp', folder, join(lab.outer, 'home'), lab.model.url);
  const agent: Assignment['agent'] = {
    id: 'codex-acp',
    runner: 'acp',
    adapter: 'codex-acp',
    description: 'Codex',
    source: 'settings',
    command,
    args: [...args],
    env: { ...env },
  };
  const assignment = (change: Partial<Assignment>): Assignment => lab.assignment({ agent, models: [], ...change });
  const run = (port: ScriptedPort, change: Partial<Assignment> = {}) => runAcp(assignment(change), port);
  return { lab, run, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() };
}

it(
  'codex over ACP works with its tools, and its answer, tokens and calls are in the report',
  { timeout: LIMIT_MS },
  async () => {
    const shell = { tool_call: { name: 'exec_command', arguments: { cmd: 'printf hello > out.txt && cat out.txt' } } };
    await using codex = await open([[{ text: 'I do it.' }, shell], 'All done.']);
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

const shell = (cmd: string): TurnInput => [
  { text: 'I do it.' },
  { tool_call: { name: 'exec_command', arguments: { cmd } } },
];

it.each([
  [401, 'auth'],
  [429, 'rate_limit'],
  // Its words for it are "high demand".
  [500, 'overloaded'],
])('T3: HTTP %i is %s with codex over ACP, never an answer', { timeout: LIMIT_MS }, async (status, reason) => {
  await using codex = await open([{ fault: { status } }], { repeat_last: true });
  const { report } = await codex.run(new ScriptedPort());
  expect(report.error?.reason, JSON.stringify(report)).toBe(reason);
});

it(
  'T3: codex over ACP waits for a refused connection without end; the preflight finds it',
  { timeout: LIMIT_MS },
  async () => {
    await using codex = await open(['unused']);
    await codex.lab.model.close();
    const { report } = await codex.run(new ScriptedPort());
    expect(report.error).toMatchObject({ reason: 'network', message: expect.stringContaining('connection refused') });
  },
);

it(
  'case 28: a stop during a tool of codex leaves no process, and keeps what was said',
  { timeout: LIMIT_MS },
  async () => {
    await using codex = await open([shell('echo $$ > pid; exec perl -e "sleep 97"')]);
    const port = new ScriptedPort();
    const running = codex.run(port, { limits: { stop_grace_seconds: 5 } as Assignment['limits'] });
    await until('the tool to run', () => Number(codex.lab.read('pid') ?? 0) > 0, LIMIT_MS);
    port.stopWith('stop');
    const { report } = await running;
    expect(report).toMatchObject({ cut_by: 'stop', answer: 'I do it.' });
    expect(await isAlive(Number(codex.lab.read('pid')))).toBe(false);
  },
);

it(
  'case 30: a steer while a tool of codex runs is injected into the turn, and that is proved',
  { timeout: LIMIT_MS },
  async () => {
    await using codex = await open([
      shell('until [ -e go ]; do perl -e "select undef, undef, undef, 0.05"; done'),
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
    await using codex = await open([
      { tool_call: { name: 'delegate_task', arguments: { goal: 'Look into it' } } },
      { tool_call: { name: 'report_result', arguments: { n: 4 } } },
      'All done.',
    ]);
    const answer = { isError: false, text: 'The child says 42.', background: null, display: null };
    const port = new ScriptedPort({ onCall: () => answer });
    const output_schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const delegate = { description: 'Gives work to other agents.', wait_default: true };
    const { report } = await codex.run(port, { delegate, output_schema });
    expect(port.calls).toMatchObject([{ tool: 'delegate_task', args: { goal: 'Look into it' } }]);
    expect(codex.lab.bodies.join('\n')).toContain('The child says 42.');
    expect(report).toMatchObject({ output: { n: 4 }, schema: { valid: true, retries: 0 }, error: null });
  },
);

it('C5: codex over ACP goes on with its session', { timeout: LIMIT_MS }, async () => {
  await using codex = await open(['First answer.', 'Second answer.']);
  const { session } = await codex.run(new ScriptedPort());
  const again = await codex.run(new ScriptedPort(), { run_id: 'run_aaaaaaaaaaaa', session, goal: 'And the tests?' });
  expect(again.report).toMatchObject({ answer: 'Second answer.', error: null });
  expect(codex.lab.bodies.join('\n')).toContain('First answer.');
});
