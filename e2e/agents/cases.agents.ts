import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConversationInput, StepInput, TurnInput } from '../../core/scripted-model/script-input.ts';
import { isAlive, value } from '../../core/testing/core-lab.ts';
import { installRealAgents, REAL_AGENT_KEY } from '../../core/testing/real-agents.ts';
import { shellArguments, type KnownAgent } from './known.ts';
import { LEADS, LIMIT_MS, RealLab } from './real-lab.ts';

const CALLER = { client: 'test' };
const HERE = { defaults: { agent: 'worker', isolation: 'none' } } as const;

/** What is left behind in every way that a tool has: deaf to SIGTERM, in a session of its own, without a terminal. */
const LEAVE = `trap '' TERM
(trap '' TERM; sh -c 'echo $PPID' >> pids; sleep 300; :) &
setsid sh -c 'echo $$ >> pids; exec sleep 300' &
nohup sh -c 'echo $$ >> pids; exec sleep 300' > /dev/null 2>&1 &
sleep 300
`;

/** Waits for a file without a \`sleep\`, which Claude refuses to run. */
const waitFor = (name: string): string => `until [ -e ${name} ]; do perl -e "select undef, undef, undef, 0.05"; done`;

const UNKNOWN = 'run_ffffffffffff';

const control = (args: object): StepInput => ({ tool_call: { name: 'delegate_task', arguments: { ...args } } });

function conversationsOf(known: KnownAgent, foreign = ''): ConversationInput[] {
  // Codex asks only for what its model says must leave its sandbox.
  const escalated = known.agent === 'codex-acp' ? { sandbox_permissions: 'require_escalated', justification: 'x' } : {};
  const shell = (command: string, more: object = {}): TurnInput => [
    { text: 'I begin.' },
    { tool_call: { name: known.shell, arguments: { ...shellArguments(known, command), ...more } } },
  ];
  const ids = [foreign, UNKNOWN];
  return [
    { match: { any: 'Leave much behind' }, turns: [shell('sh leave.sh')] },
    { match: { any: 'Go on beside it' }, turns: [shell(waitFor('go-on')), 'I went on.'] },
    { match: { any: 'Stay at work' }, turns: [shell(waitFor('stay')), 'I stayed.'] },
    { match: { any: 'Ask before the first' }, turns: [shell('touch first', escalated), 'It was allowed.'] },
    { match: { any: 'Ask before the second' }, turns: [shell('touch second', escalated), 'It was allowed.'] },
    { match: { any: 'Answer at once' }, turns: ['At once.'], repeat_last: true },
    {
      match: { any: 'Meddle with others' },
      turns: [
        control({ action: 'list' }),
        ...ids.map((run_id) => control({ action: 'steer', run_id, message: 'Hear me.' })),
        ...ids.map((run_id) => control({ action: 'stop', run_id })),
        'I have meddled.',
      ],
    },
    {
      match: { any: 'Meet a refusal' },
      turns: [{ fault: { status: 401, message: `Incorrect API key provided: ${REAL_AGENT_KEY}` } }],
      repeat_last: true,
    },
  ];
}

let folder = '';

beforeAll(async () => {
  folder = await installRealAgents('all');
});

describe.each(LEADS)('$name', { timeout: 2 * LIMIT_MS }, (known) => {
  let real: RealLab;
  beforeAll(async () => {
    real = await RealLab.open(known, folder, conversationsOf(known));
  });
  afterAll(() => real[Symbol.asyncDispose]());

  const dispatch = (tasks: readonly (object & { goal: string })[], more: object = {}) =>
    real.core.dispatch(tasks, { ...HERE, ...more });

  it('cases 28, 29, 51: one is stopped with all that its tool left in any way; its sibling goes on; no secret in an argument', async () => {
    real.core.git.write('leave.sh', LEAVE);
    const set = await dispatch([{ goal: 'Leave much behind' }, { goal: 'Go on beside it' }]);
    const [run = '', sibling = ''] = set.run_ids;
    const pids = (): number[] => real.file('pids').split('\n').filter(Boolean).map(Number);
    await real.meanwhile(run, 'what is left', () => pids().length >= 3);
    expect(pids()).toHaveLength(3);
    await real.when(sibling, 'its tool', ({ tool_calls }) => tool_calls > 0);
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(REAL_AGENT_KEY);
    const receipt = value(await real.lab.service.runs.stop({ id: run }, CALLER));
    expect(receipt).toMatchObject({ run_ids: [run], survivors: [] });
    expect(await real.core.row(run)).toMatchObject({ outcome: 'stopped', proof: { method: 'observed' } });
    for (const pid of pids()) expect(await isAlive(pid)).toBe(false);
    real.core.git.write('go-on', '');
    const { results } = await real.core.ended(set, LIMIT_MS);
    expect(results.map(({ status, summary }) => [status, summary.trim()])).toEqual([
      ['stopped', 'I begin.'],
      ['completed', 'I went on.'],
    ]);
  });

  it('cases 33, 52: two clients see one question, the first answer counts; stopped while it asks, is queued and starts', async () => {
    const ask = { permission: 'ask' };
    const set = await dispatch(
      [{ goal: 'Ask before the first', ...ask }, { goal: 'Ask before the second', ...ask }, { goal: 'Answer at once' }],
      { max_concurrent: 2 },
    );
    const [first = '', second = '', queued = ''] = set.run_ids;
    const ask_id = await real.asked(first);
    await real.asked(second);
    expect(await real.core.row(queued)).toMatchObject({ state: 'queued', reason: 'concurrency' });
    for (const id of [queued, second]) {
      expect(value(await real.lab.service.runs.stop({ id }, CALLER))).toMatchObject({ run_ids: [id], survivors: [] });
    }
    const answers = await Promise.all(
      (['once', 'deny'] as const).map((choice, n) =>
        real.lab.service.asks.answer({ ask_id, choice, note: null, client: `c${n}` }, { client: `c${n}` }),
      ),
    );
    expect(answers.map(({ ok }) => ok)).toEqual([true, false]);
    const { results } = await real.core.ended(set, LIMIT_MS);
    expect(results.map(({ status }) => status)).toEqual(['completed', 'stopped', 'stopped']);
    expect(await real.core.row(queued)).toMatchObject({ started_at: null, attempts: 0 });
    const open = value(await real.lab.service.asks.list(undefined, CALLER)).filter(({ state }) => state === 'open');
    expect(open).toEqual([]);
    const starting = await dispatch([{ goal: 'Answer at once, but not this time' }]);
    const [id = ''] = starting.run_ids;
    await real.when(id, 'the start', ({ state }) => state === 'starting' || state === 'running');
    expect(value(await real.lab.service.runs.stop({ id }, CALLER))).toMatchObject({ survivors: [] });
    expect((await real.core.ended(starting)).results).toMatchObject([{ status: 'stopped' }]);
    expect(execFileSync('ls', [real.core.git.project], { encoding: 'utf8' })).not.toContain('second');
  });

  it('cases 31, 32: paused, new sets wait while controls work; a foreign run is the same to an agent as an unknown id', async () => {
    const other = await dispatch([{ goal: 'Stay at work' }]);
    const [foreign = ''] = other.run_ids;
    await real.when(foreign, 'its tool', ({ tool_calls }) => tool_calls > 0);
    real.script(conversationsOf(known, foreign));
    const meddler = await dispatch([{ goal: 'Meddle with others' }]);
    expect((await real.core.ended(meddler, LIMIT_MS)).results).toMatchObject([{ status: 'completed' }]);
    // Titles and the like are asked for beside the task: theirs have no answers of tools.
    const told = real.lab.model.requests
      .filter(({ body }) => JSON.stringify(body).includes('Meddle with others'))
      .map(({ request }) => request.texts.flatMap(({ role, text }) => (role === 'tool' ? [text] : [])))
      .reduce((most, texts) => (texts.length >= most.length ? texts : most), []);
    const [list = '', ...answers] = told.slice(-5);
    expect(list).toMatch(/\\?"count\\?":\s*0/);
    // Some agents write the time that a call took beside its answer.
    const plain = answers.map((text) => text.replaceAll(foreign, UNKNOWN).replaceAll(/\d+\.\d+/g, 'N'));
    expect([plain[0], plain[2]]).toEqual([plain[1], plain[3]]);
    const { run, steers } = value(await real.lab.service.runs.show({ id: foreign }, CALLER));
    expect([run.state, steers]).toEqual(['running', []]);
    real.core.git.write('stay', '');
    expect((await real.core.ended(other, LIMIT_MS)).results).toMatchObject([{ status: 'completed' }]);

    value(await real.lab.service.runs.pause({ id: null }, CALLER));
    const sets = [await dispatch([{ goal: 'Answer at once: one' }]), await dispatch([{ goal: 'Answer at once: two' }])];
    const ids = sets.flatMap(({ run_ids }) => run_ids);
    for (const id of ids) await real.when(id, 'the wait', ({ reason }) => reason === 'paused');
    const [, two = ''] = ids;
    expect(value(await real.lab.service.runs.stop({ id: two }, CALLER))).toMatchObject({ run_ids: [two] });
    value(await real.lab.service.runs.resume({ id: null }, CALLER));
    const ends = await Promise.all(sets.map((set) => real.core.ended(set, LIMIT_MS)));
    expect(ends.map(({ results }) => results.map(({ status }) => status))).toEqual([['completed'], ['stopped']]);
  });

  it('cases 50, 51: a list of tools is kept or refused beforehand, as its profile says; a key in an error is nowhere', async () => {
    const project_id = await real.core.project();
    const batch = { ...HERE, tasks: [{ goal: 'Answer at once with one tool', tools: ['read'] }] };
    const input = { project_id, conversation_id: null, batch, client_token: 'ceiling' };
    const answer = await real.lab.service.batches.dispatch(input, CALLER);
    if (known.agent === 'claude') {
      await real.core.ended(value(answer), LIMIT_MS);
      const request = real.lab.model.requests.find(({ body }) => JSON.stringify(body).includes('with one tool'));
      const { tools } = request?.body as { tools: { name: string }[] };
      const own = tools.map(({ name }) => name).filter((name) => !name.startsWith('mcp__'));
      expect(own).toEqual(['Read']);
    } else expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining('tools') as string } });

    const set = await dispatch([{ goal: 'Meet a refusal' }]);
    const { results } = await real.core.ended(set, LIMIT_MS);
    expect(results).toMatchObject([{ status: 'failed', failure_reason: 'auth' }]);
    expect(JSON.stringify(results)).not.toContain(REAL_AGENT_KEY);
    expect(real.holding(REAL_AGENT_KEY)).toEqual([]);
  });
});
