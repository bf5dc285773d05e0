import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scriptedAgent, type AcpScript } from '../../../testing/acp-lab.ts';
import { CoreLab, value } from '../../../testing/core-lab.ts';
import { until } from '../../../testing/process-trees.ts';

const CALLER = { client: 'test' };

/** A core whose agent `scripted` does what the script says. */
async function open(script: AcpScript) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'espalier-acp-')));
  const lab = new CoreLab();
  const agent = scriptedAgent(folder, script);
  lab.settings({ agents: { scripted: { runner: 'acp', ...agent, env: { AGENT_SECRET: 'secret-of-agent-123456' } } } });
  await lab.host({ unattendedMs: 60_000 });
  return {
    lab,
    async [Symbol.asyncDispose]() {
      await lab[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

it('case 52, A2: what an agent over ACP asks is in the inbox; answered once, and the run goes on', async () => {
  await using core = await open((agent) => {
    agent.prompt(async () => {
      const call = { toolCallId: '1', title: 'make', kind: 'execute', rawInput: { command: 'make' } };
      agent.say(`It was: ${await agent.permit(call)}.`);
    });
  });
  const { lab } = core;
  const defaults = { agent: 'scripted', isolation: 'none', permission: 'ask' } as const;
  const answer = await lab.dispatch([{ goal: 'Build the project' }], { defaults });
  const runId = answer.run_ids[0] ?? '';
  const waiting = await lab.rowWhen(runId, 'the question', ({ reason }) => reason === 'permission');
  expect(waiting.state).toBe('waiting');
  const asks = value(await lab.service.asks.list(undefined, CALLER));
  const [ask] = asks.filter(({ run_id }) => run_id === runId);
  expect(ask).toMatchObject({ title: 'Run a command', detail: 'make' });
  const reply = { ask_id: ask?.ask_id ?? '', choice: 'once' as const, note: null };
  value(await lab.service.asks.answer({ ...reply, client: 'first' }, CALLER));
  expect(await lab.service.asks.answer({ ...reply, client: 'second' }, CALLER)).toMatchObject({ ok: false });
  expect(await lab.result(answer)).toMatchObject({ status: 'completed', summary: 'It was: yes.' });
});

it('cases 31, 33, C3, R9: a run over ACP is paused at a boundary, resumed, and stopped with nothing left', async () => {
  await using core = await open((agent) => {
    agent.prompt(async (_text, count) => {
      agent.note('turns.txt', String(count));
      await agent.untilCancelled();
      return 'cancelled';
    });
  });
  const { lab } = core;
  const defaults = { agent: 'scripted', isolation: 'none' } as const;
  const answer = await lab.dispatch([{ goal: 'Work until you are stopped' }], { defaults });
  const runId = answer.run_ids[0] ?? '';
  const turns = (): number => (lab.read(join(lab.git.project, 'turns.txt')) ?? '').split('\n').filter(Boolean).length;
  await until('the first turn', () => turns() === 1, 25_000);
  value(await lab.service.runs.pause({ id: runId }, CALLER));
  await lab.rowWhen(runId, 'the pause', ({ reason }) => reason === 'paused');
  value(await lab.service.runs.resume({ id: runId }, CALLER));
  await until('the second turn', () => turns() === 2, 25_000);
  await lab.stop(runId);
  expect(await lab.result(answer)).toMatchObject({ status: 'stopped', exit_reason: 'stopped' });
  expect(await lab.row(runId)).toMatchObject({ state: 'ended', outcome: 'stopped' });
});
