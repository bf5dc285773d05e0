import { describe, expect, it } from 'vitest';
import { AgentsLab, type AgentScript } from '../../../testing/agents-lab.ts';
import { value } from '../../../testing/core-lab.ts';
import { until } from '../../../testing/process-trees.ts';

const CALLER = { client: 'test' };
const LIMIT_MS = 90_000;

/** Both ways to an outside agent; what one starts below itself runs over the other. */
const RUNNERS = [
  { runner: 'acp', other: 'cli' },
  { runner: 'cli', other: 'acp' },
] as const;

/** Says back what it was told, with the number of the message in its session. */
const ECHO: AgentScript = (agent) => {
  agent.prompt((text, count) => {
    agent.spend(0.25);
    const last = text.trim().split('\n').at(-1) ?? '';
    return `Answer ${count} to: ${last}`;
  });
};

describe.each(RUNNERS)('a lead over $runner', { timeout: LIMIT_MS }, ({ runner, other }) => {
  it('T1: message after message is answered in one session, and it is continued in that session after a stop', async () => {
    await using agents = await AgentsLab.open({ lead: { runner, script: ECHO } });
    const { lab } = agents;
    const { conversation_id, run_id } = await agents.say('Hello there', 'lead');
    await agents.answered(run_id, 'Answer 1 to: Hello there');
    expect((await agents.say('And what now', 'lead', conversation_id)).run_id).toBe(run_id);
    const row = await agents.answered(run_id, 'Answer 2 to: And what now');
    expect(row.cost_usd).toBeCloseTo(0.5);
    value(await lab.service.runs.stop({ id: run_id }, CALLER));
    expect(await lab.row(run_id)).toMatchObject({ state: 'ended', proof: { method: 'observed' } });
    const next = await agents.say('Are you there still', 'lead', conversation_id);
    await agents.answered(next.run_id, 'Answer 1 to: Are you there still');
    const session = (await agents.transcript(next.run_id)).join('\n');
    expect(session).not.toContain('begins anew');
  });

  it('P3, P6: a delegation in the background is delivered as a new turn, once', async () => {
    await using agents = await AgentsLab.open({
      lead: {
        runner,
        script: (agent) =>
          agent.prompt(async (text, count) => {
            agent.note('turns', text.replaceAll('\n', ' '));
            if (count > 1) return 'I have read it.';
            const tasks = [{ goal: 'Look at the rest', agent: 'child' }];
            agent.note('started', (await agent.call('delegate_task', { tasks, wait: false })).replaceAll('\n', ' '));
            return 'It is on its way.';
          }),
      },
      child: {
        runner: other,
        script: (agent) =>
          agent.prompt(async () => {
            await agent.file('go');
            return 'The rest is fine.';
          }),
      },
    });
    const { lab } = agents;
    const { run_id } = await agents.say('Look at it all', 'lead');
    await agents.answered(run_id, 'It is on its way.');
    lab.git.write('go', '');
    const row = await agents.answered(run_id, 'I have read it.');
    expect(row.outcome).toBeNull();
    expect(agents.notes('turns')).toHaveLength(2);
    expect(agents.notes('turns')[1]).toContain('The rest is fine.');
  });

  it('A2: its permissions and questions are answered in the inbox, by their own words', async () => {
    await using agents = await AgentsLab.open({
      lead: {
        runner,
        script: (agent) =>
          agent.prompt(async () => {
            const may = await agent.permit('make');
            const tabs = await agent.call('ask_user', { question: 'Tabs or spaces?' });
            return `make: ${may}; ${tabs}`;
          }),
      },
    });
    const { lab } = agents;
    const { run_id } = await agents.say('Build it for me', 'lead', null, 'ask');
    const permission = await agents.ask(run_id);
    expect(permission).toMatchObject({ kind: 'permission', detail: 'make' });
    const answer = { ask_id: permission.ask_id, choice: 'deny', note: null, client: 'first' } as const;
    value(await lab.service.asks.answer(answer, CALLER));
    const question = await agents.ask(run_id);
    expect(question.kind).toBe('question');
    const words = { ask_id: question.ask_id, choice: 'text', note: 'Tabs.', client: 'first' } as const;
    value(await lab.service.asks.answer(words, CALLER));
    await agents.answered(run_id, 'make: false; ');
    expect((await agents.transcript(run_id)).at(-1)).toContain('Tabs.');
  });

  it('R1, case 36: its set of three runs over three runners, one of them delegates further, all on one place; costs are counted once', async () => {
    const leads: Parameters<typeof AgentsLab.open>[0] = {
      lead: {
        runner,
        script: (agent) =>
          agent.prompt(async () => {
            agent.spend(1);
            const tasks = [
              { goal: 'echo one-of-three', agent: 'command' },
              { goal: 'Give it to somebody else', agent: 'middle' },
              { goal: 'Do your own part of it', agent: 'leaf' },
            ];
            return await agent.call('delegate_task', { tasks, wait: true });
          }),
      },
      middle: {
        runner: other,
        script: (agent) =>
          agent.prompt(async () => {
            agent.spend(1);
            const tasks = [{ goal: 'Do the part of another', agent: 'leaf' }];
            return `From below: ${await agent.call('delegate_task', { tasks, wait: true })}`;
          }),
      },
      leaf: {
        runner,
        script: (agent) =>
          agent.prompt((text) => {
            agent.spend(1);
            return text.includes('of another') ? 'two-of-three' : 'three-of-three';
          }),
      },
    };
    await using agents = await AgentsLab.open(leads, { limits: { concurrency: 1 } });
    const { lab } = agents;
    const { run_id, conversation_id } = await agents.say('Have it done by others', 'lead');
    await agents.answered(run_id, 'three-of-three');
    const said = (await agents.transcript(run_id)).at(-1);
    for (const answer of ['one-of-three', 'two-of-three']) expect(said).toContain(answer);
    await until('the rows', async () => (await agents.runsOf(conversation_id)).length === 5);
    const rows = await agents.runsOf(conversation_id);
    expect(rows.map(({ agent, depth }) => `${agent} ${depth}`).sort()).toEqual([
      'command 1',
      'lead 0',
      'leaf 1',
      'leaf 2',
      'middle 1',
    ]);
    const { totals } = value(await lab.service.conversations.show({ id: conversation_id }, CALLER));
    expect(totals.cost_usd).toBeCloseTo(4);
  });
});
