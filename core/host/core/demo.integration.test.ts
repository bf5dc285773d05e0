import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEMO_MODEL } from '../../protocol/demo.ts';
import { CoreLab, value } from '../../testing/core-lab.ts';

const CALLER = { client: 'test' };

test('the Demo leaves no setting, is the same project every time, answers a lead also after a restart, and nothing of it is spent', async () => {
  await using lab = await CoreLab.open();
  const money = value(await lab.service.settings.set({ key: 'limits.dayCostUsd', value: 1e-6 }, CALLER));
  expect(money.limits.dayCostUsd).toBe(1e-6);
  const started = value(await lab.service.onboarding.demo(undefined, CALLER));
  const { project_id, conversation_id, run_ids } = started;
  // A second start shows what is at work.
  expect(value(await lab.service.onboarding.demo(undefined, CALLER))).toMatchObject({ conversation_id, run_ids });
  expect(value(await lab.service.settings.get(undefined, CALLER))).toMatchObject({ providers: {} });
  const models = async (id: string | null) =>
    value(await lab.service.models.list({ project_id: id }, CALLER)).map(({ ref }) => ref);
  expect(await models(null)).not.toContain(DEMO_MODEL);
  expect(await models(await lab.project())).not.toContain(DEMO_MODEL);
  expect(value(await lab.service.models.list({ project_id }, CALLER))).toContainEqual(
    expect.objectContaining({ ref: DEMO_MODEL, is_default: true, has_key: true }),
  );
  value(await lab.service.runs.stop({ id: conversation_id }, CALLER));

  const say = async (to: string | null, text: string) =>
    value(await lab.service.leads.send({ project_id, conversation_id: to, text, client_token: text }, CALLER));
  const answered = async (runId: string, count: number): Promise<void> => {
    await lab.rowWhen(runId, `answer ${count}`, (row) => row.reason === 'user' && row.turns === count);
  };
  const lead = await say(null, 'What is this?');
  await answered(lead.run_id, 1);
  const { conversation } = value(await lab.service.conversations.show({ id: lead.conversation_id }, CALLER));
  expect(conversation).toMatchObject({ scripted: true });
  expect((await lab.row(lead.run_id)).cost_usd).toBeGreaterThan(0);
  expect(value(await lab.service.app.info(undefined, CALLER))).toMatchObject({
    cost_today_usd: 0,
    default_model: null,
  });

  await lab.leave({ endAll: true });
  await lab.host();
  const next = await say(lead.conversation_id, 'And after a restart?');
  await lab.rowWhen(next.run_id, 'the answer', (row) => row.reason === 'user' && row.state === 'waiting');
  const { entries } = value(await lab.service.transcript.page({ run_id: next.run_id, from: 0, limit: 50 }, CALLER));
  expect(entries.findLast(({ meta }) => meta.type === 'text')?.text).toContain('I am a scripted model');

  const folder = join(lab.git.data, 'demo');
  const [name = ''] = readdirSync(folder).filter((entry) => entry.startsWith('bookshop-'));
  writeFileSync(join(folder, name, 'src', 'money.js'), 'made by a task');
  writeFileSync(join(folder, name, 'mine.txt'), 'mine');
  rmSync(join(folder, name, 'src', 'cart.js'));
  const again = value(await lab.service.onboarding.demo(undefined, CALLER));
  expect(again).toMatchObject({ project_id, set: 1 });
  expect(again.conversation_id).not.toBe(conversation_id);
  value(await lab.service.runs.stop({ id: again.conversation_id }, CALLER));
  expect(readdirSync(folder).filter((entry) => entry.startsWith('bookshop-'))).toEqual([name]);
  expect(readFileSync(join(folder, name, 'mine.txt'), 'utf8')).toBe('mine');
  expect(readdirSync(join(folder, name, 'src'))).toContain('cart.js');
  // Also work that is started in its folder from a shell attaches it again.
  expect(value(await lab.service.projects.add({ path: join(folder, name) }, CALLER))).toMatchObject({
    ...{ project_id, name: 'Demo bookshop', scripted: true },
  });
});

test('with a key in the environment a lead needs no setting; without a model it is told what to do in the words of a prompt', async () => {
  await using lab = await CoreLab.open();
  const project_id = await lab.project();
  const said = await lab.service.leads.send(
    { project_id, conversation_id: null, text: 'Look around', client_token: 'a' },
    CALLER,
  );
  if (said.ok) throw new Error('it was sent');
  expect(said.error.code).toBe('invalid_batch');
  expect(said.error.problems).toBeUndefined();
  expect(said.error.message).toMatch(
    /^The agent "general" needs a model and none is chosen\. Set a key, such as ANTHROPIC_API_KEY;/,
  );
  expect(said.error.message).not.toMatch(/batch|Task 1|^- /im);
  expect(said.error.message).toMatch(/espalier config set defaultModel.*Demo/);

  await lab.leave();
  await lab.host({ environment: { ...lab.git.environment, ANTHROPIC_API_KEY: 'not-a-real-key' } });
  const { checks } = value(await lab.service.app.doctor(undefined, CALLER));
  expect(checks).toContainEqual(
    expect.objectContaining({ name: 'default model', detail: 'anthropic/claude-sonnet-5-5' }),
  );
  expect(value(await lab.service.app.info(undefined, CALLER))).toMatchObject({
    default_model: 'anthropic/claude-sonnet-5-5',
  });
  const { problems } = value(
    await lab.service.batches.validate({ project_id, batch: { goal: 'Look around' } }, CALLER),
  );
  expect(problems).toEqual([]);
  // It was never written down.
  expect(value(await lab.service.settings.written(undefined, CALLER)).keys).not.toContain('defaultModel');
  const found = value(await lab.service.onboarding.detect(undefined, CALLER)).find(({ id }) => id === 'anthropic');
  expect(found?.models[0]).toBe('claude-sonnet-5-5');
  const agents = value(await lab.service.onboarding.detect(undefined, CALLER)).filter(({ kind }) => kind === 'agent');
  expect(agents.map(({ id }) => id)).toEqual(expect.arrayContaining(['agent:claude-cli', 'agent:codex-acp']));
  for (const { found, detail, install } of agents) {
    expect(detail).toMatch(found ? /is there/ : /To install it: /);
    if (!found) expect(detail).toContain(`${install}.`);
  }
});
