import { describe, expect, it } from 'vitest';
import { hostProcesses, processIdentity } from '../../../kit/process-tree/host-processes.ts';
import type { ProcessIdentity } from '../../../kit/process-tree/process-entry.ts';
import { AgentsLab } from '../../../testing/agents-lab.ts';
import { value } from '../../../testing/core-lab.ts';
import { until } from '../../../testing/process-trees.ts';

const CALLER = { client: 'test' };
const LIMIT_MS = 90_000;

/** Both ways to an outside agent; what one starts below itself runs over the other. */
const RUNNERS = [
  { runner: 'acp', other: 'cli' },
  { runner: 'cli', other: 'acp' },
] as const;

describe.each(RUNNERS)('$runner', { timeout: LIMIT_MS }, ({ runner, other }) => {
  it('case 28: stop one → its partial text is kept, its children stop, and its sibling goes on', async () => {
    await using agents = await AgentsLab.open({
      parent: {
        runner,
        script: (agent) =>
          agent.prompt(async () => {
            agent.say('I begin.');
            const tasks = ['Look at the one', 'Look at the other'].map((goal) => ({ goal, agent: 'child' }));
            await agent.call('delegate_task', { tasks, wait: true });
          }),
      },
      child: {
        runner: other,
        script: (agent) =>
          agent.prompt(async () => {
            agent.say('Half of it');
            agent.note('children', agent.session);
            await agent.news();
          }),
      },
      sibling: {
        runner,
        script: (agent) =>
          agent.prompt(async () => {
            await agent.file('go');
            return 'I went on.';
          }),
      },
    });
    const { lab } = agents;
    const tasks = ['parent', 'sibling'].map((agent) => ({ goal: `Be the ${agent}`, agent }));
    const set = await lab.dispatch(tasks, { defaults: { isolation: 'none' } });
    const [parent = ''] = set.run_ids;
    await agents.noted('children', 2);
    const receipt = value(await lab.service.runs.stop({ id: parent }, CALLER));
    expect(receipt.survivors).toEqual([]);
    const children = (await agents.runsOf(set.conversation_id)).filter(({ parent_run_id }) => parent_run_id === parent);
    expect([...receipt.run_ids].sort()).toEqual([parent, ...children.map(({ run_id }) => run_id)].sort());
    for (const row of [...children, await lab.row(parent)]) {
      expect(row).toMatchObject({ state: 'ended', outcome: 'stopped', proof: { method: 'observed' } });
    }
    expect(children.map(({ summary }) => summary)).toEqual(['Half of it', 'Half of it']);
    lab.git.write('go', '');
    const { results } = await lab.ended(set);
    expect(results.map(({ status, summary }) => [status, summary])).toEqual([
      ['stopped', 'I begin.'],
      ['completed', 'I went on.'],
    ]);
  });

  it('case 29: what its tools left in every way is gone after the stop, and the receipt is observed', async () => {
    await using agents = await AgentsLab.open(
      {
        worker: {
          runner,
          script: (agent) =>
            agent.prompt(async () => {
              agent.tool('make');
              agent.shell(`trap '' TERM; (trap '' TERM; echo $$ >> pids; sleep 300) & sleep 300`);
              agent.shell(`setsid sh -c 'echo $$ >> pids; exec sleep 300'`);
              agent.shell(`nohup sh -c 'echo $$ >> pids; exec sleep 300' >/dev/null 2>&1 &`);
              await agent.news();
            }),
        },
      },
      { limits: { stopGraceSeconds: 0.5 } },
    );
    const { lab } = agents;
    const set = await lab.dispatch([{ goal: 'Leave much behind', agent: 'worker' }], {
      defaults: { isolation: 'none' },
    });
    const pids = await agents.noted('pids', 3);
    const found = await Promise.all(pids.map((pid) => processIdentity(Number(pid))));
    const left = found.filter((identity): identity is ProcessIdentity => identity !== null);
    expect(left).toHaveLength(3);
    const [run = ''] = set.run_ids;
    expect(value(await lab.service.runs.stop({ id: run }, CALLER))).toMatchObject({ survivors: [] });
    expect(await lab.row(run)).toMatchObject({ outcome: 'stopped', proof: { method: 'observed' } });
    expect(await hostProcesses().living(left)).toEqual([]);
  });

  it('case 30: a steer reaches it once, by the way that its profile has; after the end it is refused', async () => {
    await using agents = await AgentsLab.open({
      worker: {
        runner,
        script: (agent) =>
          agent.prompt(async (text, count) => {
            if (count > 1) return `Heard: ${text}`;
            const end = agent.tool('make');
            agent.note('working', 'x');
            await agent.file('go');
            end('made');
            const words = await agent.news();
            return words === null ? undefined : `Heard: ${words}`;
          }),
      },
    });
    const { lab } = agents;
    const set = await lab.dispatch([{ goal: 'Listen to people', agent: 'worker' }], {
      defaults: { isolation: 'none' },
    });
    const [run = ''] = set.run_ids;
    await agents.noted('working');
    await agents.steer(run, 'Use tabs.');
    lab.git.write('go', '');
    const result = await lab.result(set);
    expect(result).toMatchObject({ status: 'completed', summary: expect.stringContaining('Use tabs.') as string });
    expect(result).not.toHaveProperty('missed_steer');
    const { steers } = value(await lab.service.runs.show({ id: run }, CALLER));
    expect(steers).toMatchObject([{ text: 'Use tabs.', state: 'delivered' }]);
    const late = { run_id: run, text: 'Too late.', mode: 'steer', client_token: 'late' } as const;
    expect(await lab.service.runs.steer(late, CALLER)).toMatchObject({ ok: false });
  });

  it('case 31: in a paused app stop and list work, new sets wait, and the resume starts them in order', async () => {
    await using agents = await AgentsLab.open(
      {
        worker: {
          runner,
          script: (agent) =>
            agent.prompt(async (text) => {
              agent.note(
                'begun',
                text.includes('Be stopped') ? 'stopped' : text.includes('Be the first one') ? 'first' : 'second',
              );
              if (text.includes('Be stopped')) await agent.news();
              return 'Done.';
            }),
        },
      },
      { limits: { concurrency: 1 } },
    );
    const { lab } = agents;
    const more = { defaults: { agent: 'worker', isolation: 'none' } } as const;
    const running = await lab.dispatch([{ goal: 'Be stopped' }], more);
    await agents.noted('begun');
    value(await lab.service.runs.pause({ id: null }, CALLER));
    const sets = [
      await lab.dispatch([{ goal: 'Be the first one' }], more),
      await lab.dispatch([{ goal: 'Be the second one' }], more),
    ];
    for (const { run_ids } of sets)
      await lab.rowWhen(run_ids[0] ?? '', 'the wait', ({ state, reason }) => state === 'queued' && reason === 'paused');
    await lab.stop(running.run_ids[0] ?? '');
    expect(await lab.result(running)).toMatchObject({ status: 'stopped' });
    expect(agents.notes('begun')).toEqual(['stopped']);
    value(await lab.service.runs.resume({ id: null }, CALLER));
    for (const set of sets) expect(await lab.result(set)).toMatchObject({ status: 'completed' });
    expect(agents.notes('begun')).toEqual(['stopped', 'first', 'second']);
  });

  it('case 32: a foreign run is the same to it as an unknown id', async () => {
    await using agents = await AgentsLab.open({
      worker: {
        runner: other,
        script: (agent) =>
          agent.prompt(async () => {
            agent.note('working', 'x');
            await agent.news();
          }),
      },
      nosy: {
        runner,
        script: (agent) =>
          agent.prompt(async (text) => {
            const foreign = /run_[0-9a-z]+/.exec(text)?.[0] ?? '';
            agent.note('answers', (await agent.call('delegate_task', { action: 'list' })).replaceAll('\n', ' '));
            for (const action of ['steer', 'stop'])
              for (const run_id of [foreign, 'run_ffffffffffff']) {
                const answer = await agent.call('delegate_task', { action, run_id, message: 'Hear me.' });
                agent.note('answers', answer.replaceAll('\n', ' ').replaceAll(run_id, 'RUN'));
              }
          }),
      },
    });
    const { lab } = agents;
    const more = { defaults: { isolation: 'none' } } as const;
    const other_set = await lab.dispatch([{ goal: 'Work, and go on', agent: 'worker' }], more);
    const [foreign = ''] = other_set.run_ids;
    await agents.noted('working');
    const set = await lab.dispatch([{ goal: `Meddle with ${foreign}`, agent: 'nosy' }], more);
    await lab.ended(set);
    const [list, ...answers] = agents.notes('answers');
    expect(list).toContain('"count":0');
    expect(answers).toHaveLength(4);
    expect(new Set(answers).size).toBe(1);
    const { run, steers } = value(await lab.service.runs.show({ id: foreign }, CALLER));
    expect([run.state, steers]).toEqual(['running', []]);
    await lab.stop(foreign);
  });

  it('case 33: a stop while it is queued, starts, waits for a permission and repairs its output ends it, and nothing follows', async () => {
    await using agents = await AgentsLab.open({
      starting: {
        runner,
        script: (agent) => {
          agent.note('starting', 'x');
          return new Promise((resolve) => setTimeout(resolve, 600_000));
        },
      },
      asking: {
        runner,
        script: (agent) =>
          agent.prompt(async () => {
            if (await agent.permit('make')) agent.note('allowed', 'x');
          }),
      },
      repairing: {
        runner,
        script: (agent) =>
          agent.prompt(async (_text, count) => {
            if (count === 1) return 'No object.';
            agent.note('repairing', 'x');
            await agent.news();
            return '{"a":1}';
          }),
      },
    });
    const { lab } = agents;
    const output_schema = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };
    const set = await lab.dispatch(
      [
        { goal: 'Start, and say nothing', agent: 'starting' },
        { goal: 'Ask whether you may', agent: 'asking', permission: 'ask' },
        { goal: 'Repair the output', agent: 'repairing', output_schema },
        { goal: 'Wait in the queue', agent: 'asking' },
      ],
      { defaults: { isolation: 'none' }, max_concurrent: 3 },
    );
    await Promise.all([agents.noted('starting'), agents.noted('repairing'), agents.ask(set.run_ids[1] ?? '')]);
    expect(await lab.row(set.run_ids[3] ?? '')).toMatchObject({ state: 'queued', reason: 'concurrency' });
    for (const id of set.run_ids.toReversed())
      expect(value(await lab.service.runs.stop({ id }, CALLER))).toMatchObject({ run_ids: [id], survivors: [] });
    const { results } = await lab.ended(set);
    expect(results.map(({ status }) => status)).toEqual(['stopped', 'stopped', 'stopped', 'stopped']);
    await until('no open question', async () => {
      const asks = value(await lab.service.asks.list(undefined, CALLER));
      return asks.every(({ state }) => state !== 'open');
    });
    expect(agents.notes('allowed')).toEqual([]);
    expect(await lab.row(set.run_ids[3] ?? '')).toMatchObject({ started_at: null, attempts: 0 });
  });
});
