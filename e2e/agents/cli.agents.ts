import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Assignment } from '../../core/protocol/frames.ts';
import { runCli } from '../../core/runners/cli/run.ts';
import { startScriptedModel } from '../../core/scripted-model/scripted-model.ts';
import type { ConversationInput, TurnInput } from '../../core/scripted-model/script-input.ts';
import { until } from '../../core/testing/process-trees.ts';
import { installRealAgents, realProgram, type RealAgent } from '../../core/testing/real-agents.ts';
import { RunLab } from '../../core/testing/run-lab.ts';
import { ScriptedPort, type ScriptedPortOptions } from '../../core/testing/scripted-port.ts';

/** What is asked of each agent by the words of its own. */
interface Known {
  readonly agent: RealAgent & ('claude' | 'codex' | 'gemini' | 'opencode' | 'pi');
  readonly shell: string;
  readonly model?: string;
  readonly steers: boolean;
  readonly delegates: boolean;
  /** Statuses that it answers by trying again in silence, longer than a test can wait: the idle limit is what ends it. */
  readonly silentAt: readonly number[];
}

const AGENTS: readonly Known[] = [
  { agent: 'claude', shell: 'Bash', steers: true, delegates: true, silentAt: [] },
  { agent: 'codex', shell: 'exec_command', steers: true, delegates: true, silentAt: [] },
  { agent: 'pi', shell: 'bash', model: 'scripted/scripted-model', steers: true, delegates: false, silentAt: [] },
  {
    agent: 'gemini',
    shell: 'run_shell_command',
    model: 'gemini-2.5-flash',
    steers: false,
    delegates: false,
    silentAt: [429, 500],
  },
  { agent: 'opencode', shell: 'bash', steers: false, delegates: true, silentAt: [429, 500] },
];

const GOAL = 'Do what the script says.';
const REASONS = [
  [401, 'auth'],
  [429, 'rate_limit'],
  [500, 'server_error'],
] as const;
/** So long a silent one is left alone before it is told to be stalled, as the activity monitor does after the idle limit. */
const SILENCE_MS = 20_000;

let folder = '';

beforeAll(async () => {
  folder = await installRealAgents('all');
});

async function open({ agent, model }: Known, turns: TurnInput[], more: Partial<ConversationInput> = {}) {
  const lab = RunLab.withoutModel();
  // Titles and the like are asked for beside the task.
  const aside: ConversationInput = { by: 'requests', turns: ['A title'], repeat_last: true };
  const conversations = [{ match: { any: GOAL }, turns, ...more }, aside];
  const server = await startScriptedModel({ script: { conversations } });
  const { command, args, env } = realProgram(agent, folder, join(lab.outer, 'home'), server.url);
  const definition: Assignment['agent'] = {
    id: agent,
    runner: 'cli',
    adapter: `${agent}-cli`,
    description: agent,
    source: 'settings',
    command,
    args: [...args],
    env: { ...env },
    ...(model === undefined ? {} : { model }),
  };
  const run = (port: ScriptedPort, assignment: Partial<Assignment> = {}) =>
    runCli(lab.assignment({ agent: definition, goal: GOAL, ...assignment }), port);
  const close = async (): Promise<void> => {
    await server.close();
    await lab[Symbol.asyncDispose]();
  };
  return { lab, server, run, [Symbol.asyncDispose]: close };
}

function shell({ agent, shell: name }: Known, command: string): TurnInput {
  const args = agent === 'codex' ? { cmd: command, yield_time_ms: 60_000 } : { command, description: 'Does it' };
  return [{ text: 'I do it.' }, { tool_call: { name, arguments: args } }];
}

const bodies = (server: { requests: readonly { body: unknown }[] }): string =>
  JSON.stringify(server.requests.map(({ body }) => body));

describe.each(AGENTS)('$agent', (known) => {
  it.each(REASONS)('T3: HTTP %i is %s, or stalls with what was last seen; never completed', async (status, reason) => {
    await using it = await open(known, [{ fault: { status } }], { repeat_last: true });
    const port = new ScriptedPort();
    const isSilent = known.silentAt.includes(status);
    if (isSilent) setTimeout(() => port.stopWith('stalled'), SILENCE_MS);
    const { report } = await it.run(port, { limits: { retries: 1 } as Assignment['limits'] });
    expect(report.cut_by).toBe(isSilent ? 'stalled' : null);
    if (!isSilent) expect(report.error?.reason).toMatch(new RegExp(`^(${reason})$`));
    expect(report.answer).toBe('');
  });
});

describe.each(AGENTS.filter(({ agent }) => agent !== 'opencode'))('$agent, at work', (known) => {
  it('works, and a follow-up goes on with its session', async () => {
    await using it = await open(known, [
      shell(known, 'printf hello > out.txt && cat out.txt'),
      'All done.',
      'And more.',
    ]);
    const port = new ScriptedPort();
    port.steer('steer_1', 'One thing more.', 'follow_up');
    const { report } = await it.run(port);
    expect(report).toMatchObject({ answer: 'And more.', error: null, progress: { tool_calls: 1 } });
    expect(report.progress.tokens.output).toBeGreaterThan(0);
    expect(it.lab.read('out.txt')).toBe('hello');
    expect(port.delivered).toEqual(['steer_1']);
    expect(bodies(it.server)).toContain('One thing more.');
  });
});

describe.each(AGENTS.filter(({ steers }) => steers))('$agent, while it works', (known) => {
  it('case 28: a stop during a tool leaves no process', async () => {
    await using it = await open(known, [shell(known, 'echo $$ > pid; exec perl -e "sleep 97"')]);
    const port = new ScriptedPort();
    const running = it.run(port, { limits: { stop_grace_seconds: 5 } as Assignment['limits'] });
    await until('the tool to run', () => Number(it.lab.read('pid') ?? 0) > 0, 120_000);
    port.stopWith('stop');
    const { report } = await running;
    expect(report.cut_by).toBe('stop');
    expect(() => process.kill(Number(it.lab.read('pid')), 0)).toThrow('ESRCH');
  });

  it('case 30: takes up a steer after the current tool, and that is told as delivered', async () => {
    const wait = 'until [ -e go ]; do perl -e "select undef, undef, undef, 0.05"; done';
    await using it = await open(known, [shell(known, wait), 'All done.']);
    let steered = false;
    const options: ScriptedPortOptions = {
      onEntry: ({ meta, ended }, port) => {
        if (steered || ended || meta.type !== 'tool_call') return;
        steered = true;
        port.steer('steer_1', 'Mention the colour blue.');
      },
    };
    const port = new ScriptedPort(options);
    const running = it.run(port);
    const isWritten = (): boolean => port.entries.some(({ meta }) => meta.type === 'user' && meta.origin === 'steer');
    await until('the steer to be handed over', isWritten, 120_000);
    it.lab.write('go', '');
    const { report } = await running;
    expect(report).toMatchObject({ answer: 'All done.', missed_steer: [] });
    expect(port.delivered).toEqual(['steer_1']);
    expect(bodies(it.server)).toContain('Mention the colour blue.');
  });
});

describe.each(AGENTS.filter(({ delegates }) => delegates))('$agent, with our server', (known) => {
  it('delegates a set of three', async () => {
    const tasks = ['Read the first part', 'Read the second part', 'Read the third part'].map((goal) => ({ goal }));
    await using it = await open(known, [{ tool_call: { name: 'delegate_task', arguments: { tasks } } }, 'All done.']);
    const answer = { isError: false, text: 'The children say 42.', background: null, display: null };
    const port = new ScriptedPort({ onCall: () => answer });
    const delegate = { description: 'Gives work to other agents.', wait_default: true };
    const { report } = await it.run(port, { delegate });
    expect(port.calls).toMatchObject([{ tool: 'delegate_task', args: { tasks } }]);
    expect(bodies(it.server)).toContain('The children say 42.');
    expect(report).toMatchObject({ answer: 'All done.', error: null });
  });
});
