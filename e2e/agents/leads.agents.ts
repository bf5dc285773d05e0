import { beforeAll, describe, expect, it } from 'vitest';
import type { StepInput, TurnInput } from '../../core/scripted-model/script-input.ts';
import { isAlive, value } from '../../core/testing/core-lab.ts';
import { until } from '../../core/testing/process-trees.ts';
import { installRealAgents } from '../../core/testing/real-agents.ts';
import { shellArguments } from './known.ts';
import { picture } from './picture.ts';
import { LEADS, LIMIT_MS, RealLab } from './real-lab.ts';
import { watch } from './seen.ts';

const CALLER = { client: 'test' };

let folder = '';

beforeAll(async () => {
  folder = await installRealAgents('all');
});

const delegate = (...tasks: object[]): StepInput => ({
  tool_call: { name: 'delegate_task', arguments: { tasks, wait: true } },
});

describe.each(LEADS)('a lead that is $name', { timeout: 2 * LIMIT_MS }, (known) => {
  it('delegates a set of three to three runners, nested once; tree, results and costs are right', async () => {
    const lead = delegate(
      { goal: 'echo result-of-one', label: 'First: print what one is', agent: 'command' },
      { goal: 'Second: give it to somebody else', agent: 'general' },
      { goal: 'Third: say what three is', agent: 'codex' },
    );
    const nested = delegate({ goal: 'Nested: say what two is', agent: 'claude' });
    // What is given away has its goal in the calls of those above: they stand first.
    await using real = await RealLab.open(known, folder, [
      { match: { any: 'Give it all away' }, turns: [lead, 'All three are back.'], repeat_last: true },
      { match: { any: 'Second: give it' }, turns: [nested, 'The second is back.'] },
      { match: { any: 'Nested: say what' }, turns: ['result-of-two'], repeat_last: true },
      { match: { any: 'Third: say what' }, turns: ['result-of-three'], repeat_last: true },
    ]);
    const seen = watch(known.name, 'a set of three, nested once');
    const { run_id, conversation_id } = await real.say('Give it all away, please', 'auto');
    await real.answered(run_id, 'All three are back.');
    await picture(real.core, 'Give it all away', `lead-${known.name.split(' ')[0]}`);
    const { runs, totals } = value(await real.lab.service.conversations.show({ id: conversation_id }, CALLER));
    expect(
      runs
        .map(({ agent, depth, summary, outcome, lead: isLead }) => [
          isLead ? 'lead' : agent,
          depth,
          outcome,
          summary?.trim() ?? '',
        ])
        .sort(),
    ).toEqual([
      ['claude', 2, 'completed', 'result-of-two'],
      ['codex', 1, 'completed', 'result-of-three'],
      ['command', 1, 'completed', 'result-of-one'],
      ['general', 1, 'completed', 'The second is back.'],
      ['lead', 0, null, ''],
    ]);
    expect(new Set(runs.map(({ runner }) => runner)).size).toBeGreaterThanOrEqual(3);
    const told = JSON.stringify(real.lab.model.requests.map(({ body }) => body));
    for (const answer of ['result-of-one', 'The second is back.', 'result-of-three']) expect(told).toContain(answer);
    expect(runs.find(({ agent }) => agent === 'general')?.cost_usd).toBeGreaterThan(0);
    // A part of it has no known price: then the whole has none either (R6).
    const isKnown = runs.every(({ cost_status }) => cost_status !== 'unknown');
    expect(totals.cost_usd === null).toBe(!isKnown);
    expect(runs.every(({ agent, tokens }) => agent === 'command' || tokens.output > 0)).toBe(true);
    seen(`right, cost ${runs.find(({ lead: isLead }) => isLead)?.cost_status}`);
    value(await real.lab.service.runs.stop({ id: run_id }, CALLER));
    expect(await real.core.row(run_id)).toMatchObject({ state: 'ended', proof: { method: 'observed' } });
  });

  it('asks in the inbox before it runs a command; steered while it works; stopped with nothing left', async () => {
    const step = (command: string, more: object = {}): TurnInput => [
      { tool_call: { name: known.shell, arguments: { ...shellArguments(known, command), ...more } } },
    ];
    // Codex asks only for what its model says must leave its sandbox.
    const escalated =
      known.agent === 'codex-acp' ? { sandbox_permissions: 'require_escalated', justification: 'x' } : {};
    const wait = 'echo $$ > pid; until [ -e go ]; do perl -e "select undef, undef, undef, 0.05"; done';
    await using real = await RealLab.open(known, folder, [
      {
        match: { any: 'Work for me' },
        turns: [
          step('printf allowed > first.txt', escalated),
          'The first is done.',
          step(wait, escalated),
          'The second is done.',
          'The second is done.',
        ],
        repeat_last: true,
      },
    ]);
    const { core } = real;
    const { run_id, conversation_id } = await real.say('Work for me, please', 'ask');
    const answer = async (): Promise<void> => {
      const ask_id = await real.asked(run_id);
      value(await real.lab.service.asks.answer({ ask_id, choice: 'once', note: null, client: 'test' }, CALLER));
    };
    await answer();
    await real.answered(run_id, 'The first is done.');
    expect(real.file('first.txt')).toBe('allowed');
    await real.say('And the second, too', 'ask', conversation_id);
    await answer();
    await until('the tool', () => Number(real.file('pid')) > 0, LIMIT_MS);
    value(
      await real.lab.service.runs.steer(
        { run_id, text: 'Mention the colour blue.', mode: 'steer', client_token: 'steer' },
        CALLER,
      ),
    );
    const isTold = async (): Promise<boolean> => {
      const { entries } = value(await real.lab.service.transcript.page({ run_id, from: 0, limit: 200 }, CALLER));
      return entries.some(({ meta }) => meta.type === 'user' && meta.origin === 'steer');
    };
    // Between tools only, where a turn is interrupted for it.
    if (known.name !== 'gemini over ACP') await until('the steer to be handed over', isTold, LIMIT_MS);
    core.git.write('go', '');
    await until(
      'the text to be heard',
      () => JSON.stringify(real.lab.model.requests.map(({ body }) => body)).includes('Mention the colour blue.'),
      LIMIT_MS,
    );
    const steer = async (): Promise<string> => {
      const { steers } = value(await real.lab.service.runs.show({ id: run_id }, CALLER));
      return steers.find(({ text }) => text.includes('blue'))?.state ?? 'none';
    };
    await until('the steer in its ledger', async () => /delivered|handed_over/.test(await steer()), LIMIT_MS);
    await real.answered(run_id, 'The second is done.');
    const pid = Number(real.file('pid'));
    value(await real.lab.service.runs.stop({ id: run_id }, CALLER));
    expect(await core.row(run_id)).toMatchObject({ state: 'ended', proof: { method: 'observed' } });
    expect(await isAlive(pid)).toBe(false);
  });
});
