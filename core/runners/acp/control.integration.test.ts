import { afterEach, expect, it } from 'vitest';
import type { AgentDefinition } from '../../protocol/agents.ts';
import { hostProcesses } from '../../kit/process-tree/host-processes.ts';
import { isRunning } from '../../kit/process-tree/process-entry.ts';
import { AcpLab } from '../../testing/acp-lab.ts';
import type { SteerMode } from '../../protocol/rows.ts';
import type { Steer } from '../contract.ts';
import type { ScriptedAcpAgent } from '../../testing/scripted-acp-agent.ts';
import { ScriptedPort } from '../../testing/scripted-port.ts';
import { until } from '../../testing/process-trees.ts';

const profiled = (adapter: string): Partial<AgentDefinition> => ({ adapter });

async function alive(marker: string): Promise<string[]> {
  const { entries } = await hostProcesses().list();
  const running = entries.filter(isRunning);
  const details = await hostProcesses().inspect(running);
  return [...details.values()].flatMap(({ commandLine }) => (commandLine?.includes(marker) ? [commandLine] : []));
}

/** A port that tells how many texts the runner has taken. */
class WatchedPort extends ScriptedPort {
  taken = 0;

  override takeSteers(mode: SteerMode): Steer[] {
    const steers = super.takeSteers(mode);
    this.taken += steers.length;
    return steers;
  }
}

let lab: AcpLab;
afterEach(async () => lab[Symbol.asyncDispose]());

it('case 30, C2: a text for an agent without a way of its own interrupts between tools, never inside of one', async () => {
  const port = new WatchedPort();
  lab = new AcpLab(port);
  const run = lab.run((agent) => {
    agent.prompt(async (text, count) => {
      agent.note('prompts', text.replaceAll('\n', ' '));
      if (count > 1) return void agent.say('Heard you.');
      const left = agent.untilCancelled().then(() => agent.note('order', 'cancelled'));
      agent.call('1', { title: 'tool', kind: 'execute', status: 'in_progress' });
      agent.note('order', 'in tool');
      await agent.file('go');
      agent.note('order', 'tool ended');
      agent.call('1', { status: 'completed' });
      await left;
      return 'cancelled';
    });
  });
  await until('the tool', () => lab.notes('order').length === 1);
  lab.port.steer('steer_1', 'Use tabs.');
  await until('the text taken', () => port.taken === 1);
  lab.lab.write('go', '');
  const { report } = await run;
  expect(lab.notes('order')).toEqual(['in tool', 'tool ended', 'cancelled']);
  expect(lab.notes('prompts')[1]).toContain('Use tabs.');
  expect(lab.port.delivered).toContain('steer_1');
  expect(report).toMatchObject({ answer: 'Heard you.', error: null, missed_steer: [] });
});

it('C2: an agent with a steering request takes a text into its turn, and that proves it', async () => {
  lab = new AcpLab();
  const assignment = lab.assignment(
    (agent) => {
      agent.on('initialize', { protocolVersion: 1, agentCapabilities: {}, _meta: { steering: {} } });
      agent.on('_session/steering', (params: Record<string, unknown>) => {
        agent.note('steered', JSON.stringify(params['prompt']));
        return { outcome: 'injected' };
      });
      agent.prompt(async () => {
        agent.note('order', 'begun');
        await agent.file('steered');
        agent.say('With tabs.');
        return { stopReason: 'end_turn', usage: { inputTokens: 1, outputTokens: 1 } };
      });
    },
    { environment: { PATH: process.env['PATH'] ?? '', HTTP_PROXY: 'x' } },
  );
  const { runAcp } = await import('./run.ts');
  const run = runAcp({ ...assignment, agent: { ...assignment.agent, ...profiled('codex-acp') } }, lab.port);
  await until('the turn', () => lab.notes('order').length === 1);
  lab.port.steer('steer_1', 'Use tabs.');
  const { report } = await run;
  expect(lab.notes('steered')[0]).toContain('Use tabs.');
  expect(lab.port.delivered).toEqual(['steer_1']);
  expect(report).toMatchObject({ answer: 'With tabs.', missed_steer: [] });
});

it('C2: a prompt that joins the turn is handed over, and delivered when it is answered', async () => {
  lab = new AcpLab();
  const assignment = lab.assignment(
    (agent) => {
      agent.prompt(async (text, count) => {
        agent.note('prompts', text.replaceAll('\n', ' '));
        if (count === 1) await agent.file('go');
        else await agent.file('answer');
        agent.say(`Answer ${count}. `);
        return { stopReason: 'end_turn', usage: { inputTokens: 1, outputTokens: 1 } };
      });
    },
    { environment: { PATH: process.env['PATH'] ?? '', HTTP_PROXY: 'x' } },
  );
  const { runAcp } = await import('./run.ts');
  const run = runAcp({ ...assignment, agent: { ...assignment.agent, ...profiled('opencode') } }, lab.port);
  await until('the turn', () => lab.notes('prompts').length === 1);
  lab.port.steer('steer_1', 'Use tabs.');
  await until('the second prompt', () => lab.notes('prompts').length === 2);
  expect(lab.port.handedOver).toEqual(['steer_1']);
  expect(lab.port.delivered).toEqual([]);
  lab.lab.write('go', '');
  lab.lab.write('answer', '');
  await run;
  expect(lab.port.delivered).toEqual(['steer_1']);
});

it('R9: a paused run is held at a boundary, and told to go on', async () => {
  lab = new AcpLab();
  const run = lab.run((agent) => {
    agent.prompt(async (text, count) => {
      agent.note('prompts', text.replaceAll('\n', ' '));
      if (count > 1) return void agent.say('Went on.');
      await agent.untilCancelled();
      agent.note('cancelled', 'x');
      return 'cancelled';
    });
  });
  await until('the turn', () => lab.notes('prompts').length === 1);
  lab.port.pause();
  await until('the boundary', () => lab.notes('cancelled').length === 1);
  expect(lab.notes('prompts')).toHaveLength(1);
  lab.port.resume();
  const { report } = await run;
  expect(lab.notes('prompts')[1]).toContain('Go on');
  expect(report).toMatchObject({ answer: 'Went on.', error: null });
});

it('cases 28, 29, C3, C4: a stop is told to the agent first, and leaves nothing of what it started', async () => {
  lab = new AcpLab();
  const marker = `97.${process.pid}1`;
  lab.lab.write('marker', marker);
  const run = lab.run((agent) => {
    agent.prompt(async () => {
      const seconds = agent.read('marker') ?? '';
      agent.say('I sleep.');
      agent.call('1', { title: 'sleep', kind: 'execute', status: 'in_progress' });
      agent.shell(`trap "" TERM; sleep ${seconds} & sleep ${seconds}`);
      agent.shell(`setsid nohup sleep ${seconds} >/dev/null 2>&1 &`);
      agent.note('started', 'x');
      await agent.untilCancelled();
      agent.note('cancelled', 'x');
      return 'cancelled';
    });
  });
  await until(
    'the tools',
    async () => lab.notes('started').length === 1 && (await alive(`sleep ${marker}`)).length >= 3,
  );
  lab.port.stopWith('stop');
  const { report } = await run;
  expect(report).toMatchObject({ cut_by: 'stop', answer: 'I sleep.' });
  expect(lab.notes('cancelled')).toHaveLength(1);
  expect(await alive(marker)).toEqual([]);
});

it('C4: nothing is left either when the agent itself is killed during a tool', async () => {
  lab = new AcpLab();
  const marker = `97.${process.pid}2`;
  lab.lab.write('marker', marker);
  const run = lab.run((agent) => {
    agent.prompt(() => {
      agent.shell(`sleep ${agent.read('marker') ?? ''} & sleep ${agent.read('marker') ?? ''}`);
      agent.note('started', 'x');
      return new Promise(() => undefined);
    });
  });
  await until(
    'the tools',
    async () => lab.notes('started').length === 1 && (await alive(`sleep ${marker}`)).length >= 2,
  );
  process.kill(lab.pid, 'SIGKILL');
  const { report } = await run;
  expect(report.error).toMatchObject({ reason: 'process', message: expect.stringContaining('SIGKILL') });
  expect(report.background.length).toBeGreaterThan(0);
  expect(await alive(marker)).toEqual([]);
});

it('T1: a lead answers message after message in one session, and its turns count by message', async () => {
  lab = new AcpLab();
  const run = lab.run(
    (agent) => {
      agent.prompt((text, count) => {
        agent.note('prompts', text.split('\n').at(-1) ?? '');
        agent.say(`Answer ${count}.`);
      });
    },
    { lead: true, depth: 0, goal: 'Hello' },
  );
  await until('the first answer', () => lab.port.answers.length === 1);
  lab.port.message({ message_id: 'm1', origin: 'message', text: 'And now?', delegation_id: null });
  await until('the second answer', () => lab.port.answers.length === 2);
  lab.port.message(null);
  const { report } = await run;
  expect(lab.notes('prompts')).toEqual(['Hello', 'And now?']);
  expect(lab.port.answers.map(({ answer }) => answer)).toEqual(['Answer 1.', 'Answer 2.']);
  expect(lab.port.delivered).toContain('m1');
  expect(report).toMatchObject({ answer: 'Answer 2.', error: null });
});

it('C5, B44: a continued run loads the session that its own run was given, and ignores what it replays', async () => {
  lab = new AcpLab();
  const state = {
    v: 1,
    runner: 'acp',
    run_id: 'run_of_before',
    session_id: 'session-of-before',
    requests: 3,
    open_delegations: [],
  };
  const { report, session } = await lab.run(
    (agent) => {
      agent.on('initialize', { protocolVersion: 1, agentCapabilities: { loadSession: true } });
      agent.on('session/load', (params: Record<string, unknown>) => {
        agent.session = String(params['sessionId']);
        agent.note('loaded', agent.session);
        agent.say('Old words.');
        return {};
      });
      agent.prompt((text) => {
        agent.note('prompts', text);
        agent.say('New words.');
      });
    },
    { session: state, goal: 'And the tests?' },
  );
  expect(lab.notes('loaded')).toEqual(['session-of-before']);
  expect(lab.notes('prompts')).toEqual(['And the tests?']);
  expect(report.answer).toBe('New words.');
  expect(lab.port.entries.map(({ text }) => text)).not.toContain('Old words.');
  expect(session).toMatchObject({ session_id: 'session-of-before', requests: 4 });
});

it('C5: an agent that cannot load its session fails a continued run instead of beginning anew', async () => {
  lab = new AcpLab();
  const state = { v: 1, runner: 'acp', run_id: 'other', session_id: 's', requests: 1, open_delegations: [] };
  const { report } = await lab.run((agent) => void agent.prompt(() => agent.say('x')), { session: state });
  expect(report.error).toMatchObject({ message: expect.stringContaining('cannot go on with its earlier session') });
});

it('R8: an explicit model is set, or the run fails; it never becomes another', async () => {
  lab = new AcpLab();
  const script = (agent: ScriptedAcpAgent): void => {
    agent.on('session/new', () => {
      agent.session = 's';
      const options = [
        { value: 'small', name: 'S' },
        { value: 'large', name: 'L' },
      ];
      const option = { id: 'm', category: 'model', type: 'select', name: 'Model', currentValue: 'small', options };
      return { sessionId: 's', configOptions: [option] };
    });
    agent.on('session/set_config_option', (params: Record<string, unknown>) => {
      agent.note('set', JSON.stringify(params));
      return {};
    });
    agent.prompt(() => agent.say('Done.'));
  };
  const chosen = await lab.run(script, { model: 'large' });
  expect(chosen.report.error).toBeNull();
  expect(lab.notes('set')).toEqual(['{"sessionId":"s","configId":"m","value":"large"}']);
  const missing = await lab.run(script, { model: 'huge' });
  expect(missing.report.error).toMatchObject({
    reason: 'model_not_found',
    message: expect.stringContaining('small, large'),
  });
});

it('T3: a model endpoint that refuses is told within seconds, not retried in silence', async () => {
  lab = new AcpLab();
  const environment = { PATH: process.env['PATH'] ?? '', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
  const assignment = lab.assignment((agent) => void agent.prompt(() => new Promise(() => undefined)), { environment });
  const { runAcp } = await import('./run.ts');
  const { report } = await runAcp(
    { ...assignment, agent: { ...assignment.agent, ...profiled('claude-agent-acp') } },
    lab.port,
  );
  expect(report.error).toMatchObject({ reason: 'network', message: expect.stringContaining('connection refused') });
});
