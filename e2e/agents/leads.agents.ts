import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunRow } from '../../core/protocol/rows.ts';
import type { Permission } from '../../core/protocol/settings.ts';
import type { ConversationInput, StepInput, TurnInput } from '../../core/scripted-model/script-input.ts';
import { isAlive, value } from '../../core/testing/core-lab.ts';
import { ModelLab } from '../../core/testing/model-lab.ts';
import { until } from '../../core/testing/process-trees.ts';
import { installRealAgents } from '../../core/testing/real-agents.ts';
import { KNOWN_AGENTS, settingsOf, shellArguments, type KnownAgent } from './known.ts';

const CALLER = { client: 'test' };
const LIMIT_MS = 150_000;
const LEADS = KNOWN_AGENTS.filter(({ name }) =>
  ['claude', 'codex over ACP', 'gemini over ACP', 'opencode over ACP'].includes(name),
);

let folder = '';

beforeAll(async () => {
  folder = await installRealAgents('all');
});

/** A whole core with a real agent as `lead`, real ones as `claude` and `codex`, and the built-in ones. */
async function open(known: KnownAgent, conversations: ConversationInput[]) {
  const homes = mkdtempSync(join(tmpdir(), 'espalier-homes-'));
  const aside: ConversationInput = { by: 'requests', turns: ['A title'], repeat_last: true };
  const lab = await ModelLab.open(
    [...conversations, aside],
    (url) => {
      const child = (name: string): object => {
        const found = KNOWN_AGENTS.find((one) => one.name === name);
        return found === undefined ? {} : settingsOf(found, folder, join(homes, 'children'), url);
      };
      const agents = { lead: settingsOf(known, folder, homes, url), claude: child('claude'), codex: child('codex') };
      return { agents, limits: { stopGraceSeconds: 5 } };
    },
    { unattendedMs: 600_000 },
  );
  return {
    lab,
    async say(text: string, permission: Permission, conversation_id: string | null = null) {
      const project_id = await lab.lab.project();
      const options = { agent: 'lead', permission };
      const input = { project_id, conversation_id, text, options, client_token: lab.token() };
      return value(await lab.service.leads.send(input, CALLER));
    },
    /** Waits for a row; a run that ends before that says why. */
    async when(run_id: string, what: string, wanted: (row: RunRow) => boolean): Promise<RunRow> {
      await until(
        what,
        async () => {
          const row = await lab.lab.row(run_id);
          if (row.state === 'ended' && !wanted(row)) throw new Error(`ended before ${what}: ${row.words} ${row.error}`);
          return wanted(row);
        },
        LIMIT_MS,
      );
      return lab.lab.row(run_id);
    },
    /** Waits until the lead has said this, and waits for its user. */
    async answered(run_id: string, words: string): Promise<void> {
      const said = async (): Promise<string[]> => {
        const row = await lab.lab.row(run_id);
        if (row.state === 'ended') throw new Error(`ended before "${words}": ${row.words} ${row.error ?? ''}`);
        const { entries } = value(await lab.service.transcript.page({ run_id, from: 0, limit: 200 }, CALLER));
        return entries.flatMap(({ meta, text }) => (meta.type === 'text' ? [text] : []));
      };
      await until(words, async () => (await said()).some((text) => text.includes(words)), LIMIT_MS);
      await this.when(run_id, 'the lead to wait', ({ reason }) => reason === 'user');
    },
    async [Symbol.asyncDispose]() {
      await lab[Symbol.asyncDispose]();
      rmSync(homes, { recursive: true, force: true });
    },
  };
}

const delegate = (...tasks: object[]): StepInput => ({
  tool_call: { name: 'delegate_task', arguments: { tasks, wait: true } },
});

describe.each(LEADS)('a lead that is $name', { timeout: 2 * LIMIT_MS }, (known) => {
  it('delegates a set of three to three runners, nested once; tree, results and costs are right', async () => {
    const lead = delegate(
      { goal: 'echo result-of-one', agent: 'command' },
      { goal: 'Second: give it to somebody else', agent: 'general' },
      { goal: 'Third: say what three is', agent: 'codex' },
    );
    const nested = delegate({ goal: 'Nested: say what two is', agent: 'claude' });
    // What is given away has its goal in the calls of those above: they stand first.
    await using it = await open(known, [
      { match: { any: 'Give it all away' }, turns: [lead, 'All three are back.'], repeat_last: true },
      { match: { any: 'Second: give it' }, turns: [nested, 'The second is back.'] },
      { match: { any: 'Nested: say what' }, turns: ['result-of-two'], repeat_last: true },
      { match: { any: 'Third: say what' }, turns: ['result-of-three'], repeat_last: true },
    ]);
    const { run_id, conversation_id } = await it.say('Give it all away, please', 'auto');
    await it.answered(run_id, 'All three are back.');
    const { runs, totals } = value(await it.lab.service.conversations.show({ id: conversation_id }, CALLER));
    expect(
      runs.map(({ agent, depth, summary, outcome }) => [agent, depth, outcome, summary?.trim() ?? '']).sort(),
    ).toEqual([
      ['claude', 2, 'completed', 'result-of-two'],
      ['codex', 1, 'completed', 'result-of-three'],
      ['command', 1, 'completed', 'result-of-one'],
      ['general', 1, 'completed', 'The second is back.'],
      ['lead', 0, null, ''],
    ]);
    expect(new Set(runs.map(({ runner }) => runner)).size).toBeGreaterThanOrEqual(3);
    const told = JSON.stringify(it.lab.model.requests.map(({ body }) => body));
    for (const answer of ['result-of-one', 'The second is back.', 'result-of-three']) expect(told).toContain(answer);
    expect(runs.find(({ agent }) => agent === 'general')?.cost_usd).toBeGreaterThan(0);
    // A part of it has no known price: then the whole has none either (R6).
    const isKnown = runs.every(({ cost_status }) => cost_status !== 'unknown');
    expect(totals.cost_usd === null).toBe(!isKnown);
    expect(runs.every(({ agent, tokens }) => agent === 'command' || tokens.output > 0)).toBe(true);
    value(await it.lab.service.runs.stop({ id: run_id }, CALLER));
    expect(await it.lab.lab.row(run_id)).toMatchObject({ state: 'ended', proof: { method: 'observed' } });
  });

  it('asks in the inbox before it runs a command; steered while it works; stopped with nothing left', async () => {
    const step = (command: string, more: object = {}): TurnInput => [
      { tool_call: { name: known.shell, arguments: { ...shellArguments(known, command), ...more } } },
    ];
    // Codex asks only for what its model says must leave its sandbox.
    const escalated =
      known.agent === 'codex-acp' ? { sandbox_permissions: 'require_escalated', justification: 'x' } : {};
    const wait = 'echo $$ > pid; until [ -e go ]; do perl -e "select undef, undef, undef, 0.05"; done';
    await using it = await open(known, [
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
    const { lab } = it.lab;
    const file = (name: string): string => lab.read(join(lab.git.project, name)) ?? '';
    const { run_id, conversation_id } = await it.say('Work for me, please', 'ask');
    const answer = async (): Promise<void> => {
      await it.when(run_id, 'a question', ({ reason }) => reason === 'permission');
      const asks = value(await it.lab.service.asks.list(undefined, CALLER));
      const ask_id = asks.find(({ state }) => state === 'open')?.ask_id ?? '';
      value(await it.lab.service.asks.answer({ ask_id, choice: 'once', note: null, client: 'test' }, CALLER));
    };
    await answer();
    await it.answered(run_id, 'The first is done.');
    expect(file('first.txt')).toBe('allowed');
    await it.say('And the second, too', 'ask', conversation_id);
    await answer();
    await until('the tool', () => Number(file('pid')) > 0, LIMIT_MS);
    value(
      await it.lab.service.runs.steer(
        { run_id, text: 'Mention the colour blue.', mode: 'steer', client_token: 'steer' },
        CALLER,
      ),
    );
    const isTold = async (): Promise<boolean> => {
      const { entries } = value(await it.lab.service.transcript.page({ run_id, from: 0, limit: 200 }, CALLER));
      return entries.some(({ meta }) => meta.type === 'user' && meta.origin === 'steer');
    };
    // Between tools only, where a turn is interrupted for it.
    if (known.name !== 'gemini over ACP') await until('the steer to be handed over', isTold, LIMIT_MS);
    lab.git.write('go', '');
    await until(
      'the text to be heard',
      () => JSON.stringify(it.lab.model.requests.map(({ body }) => body)).includes('Mention the colour blue.'),
      LIMIT_MS,
    );
    const { steers } = value(await it.lab.service.runs.show({ id: run_id }, CALLER));
    expect(['delivered', 'handed_over']).toContain(steers.find(({ text }) => text.includes('blue'))?.state);
    await it.answered(run_id, 'The second is done.');
    const pid = Number(file('pid'));
    value(await it.lab.service.runs.stop({ id: run_id }, CALLER));
    expect(await lab.row(run_id)).toMatchObject({ state: 'ended', proof: { method: 'observed' } });
    expect(await isAlive(pid)).toBe(false);
  });
});
