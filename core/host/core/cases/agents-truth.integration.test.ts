import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Logger } from '../../../kit/logger.ts';
import { AgentsLab, type AgentScript } from '../../../testing/agents-lab.ts';
import { CoreLab, value } from '../../../testing/core-lab.ts';

const CALLER = { client: 'test' };
const LIMIT_MS = 90_000;
const RUNNERS = [{ runner: 'acp' }, { runner: 'cli' }] as const;
const HERE = { defaults: { agent: 'worker', isolation: 'none' } } as const;
const OBJECT = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };

/** Files below a folder that hold a text, also in raw database pages. */
function holding(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}

/** Answers with its goal's last line. */
const PLAIN: AgentScript = (agent) => agent.prompt(() => 'Done.');

describe.each(RUNNERS)('$runner', { timeout: LIMIT_MS }, ({ runner }) => {
  it('case 50, K3, R11: a ceiling is kept where the profile can, and refused beforehand where it cannot', async () => {
    await using agents = await AgentsLab.open({ worker: { runner, script: PLAIN } });
    const { lab } = agents;
    const project_id = await lab.project();
    const dispatch = (tools: unknown) => {
      const batch = { ...HERE, tasks: [{ goal: 'Look and do not touch', tools }] };
      const input = { project_id, conversation_id: null, batch, client_token: `token-${JSON.stringify(tools)}` };
      return lab.service.batches.dispatch(input, CALLER);
    };
    for (const tools of [['read', 'grep'], []]) {
      const answer = await dispatch(tools);
      if (runner === 'acp') {
        expect(answer).toMatchObject({ ok: false, error: { message: expect.stringContaining('tools') as string } });
      } else expect(await lab.result(value(answer))).toMatchObject({ status: 'completed' });
    }
    expect(await dispatch({ read: true })).toMatchObject({ ok: false });
  });

  it('case 51: what an agent is given as secret and prints is nowhere in the data folder, logs, argv, rows and results', async () => {
    const token = 'CANARY-9-token-of-an-agent';
    const logged: string[] = [];
    const note = (fields: unknown, message?: string) => void logged.push(JSON.stringify([fields, message]));
    const logger = { debug: note, info: note, warn: note, error: note } as unknown as Logger;
    await using agents = await AgentsLab.open(
      {
        worker: {
          runner,
          env: { AGENT_TOKEN: token },
          script: (agent) =>
            agent.prompt(async (text) => {
              const secret = process.env['AGENT_TOKEN'] ?? '';
              if (text.includes('Fail')) agent.fail(401, `No such key: ${secret}`);
              agent.tool('env')(`AGENT_TOKEN=${secret}`);
              agent.note('working', 'x');
              await agent.file('go');
              return `It is ${secret}.`;
            }),
        },
      },
      {},
      { logger },
    );
    const { lab } = agents;
    const set = await lab.dispatch(
      [{ goal: 'Print what you were given' }, { goal: 'Fail with what you were given' }],
      HERE,
    );
    await agents.noted('working');
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain('CANARY-9');
    lab.git.write('go', '');
    const { results } = await lab.ended(set);
    expect(results.map(({ status, failure_reason }) => failure_reason ?? status)).toEqual(['completed', 'auth']);
    const rows = await Promise.all(set.run_ids.map((id) => lab.row(id)));
    expect(
      JSON.stringify([results, rows, ...(await Promise.all(set.run_ids.map((id) => agents.transcript(id))))]),
    ).not.toContain(token);
    await lab.leave();
    expect(logged.join('\n')).not.toContain(token);
    expect(holding(lab.git.data, token).filter((path) => !path.endsWith('settings.json'))).toEqual([]);
  });

  it('case 52, A2: two clients see the same question; the first answer counts, and the other is told', async () => {
    await using agents = await AgentsLab.open({
      worker: { runner, script: (agent) => agent.prompt(async () => `It was ${await agent.permit('make')}.`) },
    });
    const { lab } = agents;
    const set = await lab.dispatch([{ goal: 'Build the project', permission: 'ask' }], HERE);
    const [run = ''] = set.run_ids;
    const { ask_id } = await agents.ask(run);
    const answer = (client: string) =>
      lab.service.asks.answer({ ask_id, choice: client === 'desk' ? 'once' : 'deny', note: null, client }, { client });
    const both = await Promise.all([answer('desk'), answer('cli')]);
    expect(both.map(({ ok }) => ok)).toEqual([true, false]);
    const asks = value(await lab.service.asks.list(undefined, CALLER));
    expect(asks.filter(({ state }) => state === 'open')).toEqual([]);
    expect(await lab.result(set)).toMatchObject({ status: 'completed', summary: 'It was true.' });
  });

  it('B05: a character that is cut between two chunks of its output comes out whole', async () => {
    await using agents = await AgentsLab.open({
      worker: {
        runner,
        script: async (agent) => {
          const { writeSync } = process.getBuiltinModule('node:fs');
          process.stdout.write = (text: string | Uint8Array): boolean => {
            const bytes = Buffer.from(text);
            const odd = bytes.findIndex((byte) => byte > 0x7f);
            const at = odd < 0 ? bytes.length : odd + 1;
            writeSync(1, bytes.subarray(0, at));
            if (odd >= 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
            if (odd >= 0) writeSync(1, bytes.subarray(at));
            return true;
          };
          agent.prompt(() => 'A€-B, 日本語😀');
        },
      },
    });
    const set = await agents.lab.dispatch([{ goal: 'Say something wide' }], HERE);
    expect(await agents.lab.result(set)).toMatchObject({ status: 'completed', summary: 'A€-B, 日本語😀' });
    expect((await agents.transcript(set.run_ids[0] ?? '')).join()).not.toContain('�');
  });

  it('B11: an agent that ran out of turns is truncated, with what it had, and never just done', async () => {
    await using agents = await AgentsLab.open({
      worker: {
        runner,
        script: (agent) =>
          agent.prompt(async (_text, count) => {
            if (count > 1) return 'This is what I have.';
            for (const part of ['one', 'two', 'three']) {
              agent.say(`Part ${part}.`);
              agent.tool('make')('made');
            }
            await agent.news();
            return undefined;
          }),
      },
    });
    const set = await agents.lab.dispatch([{ goal: 'Work without an end', limits: { max_turns: 2 } }], HERE);
    const result = await agents.lab.result(set);
    expect(result).toMatchObject({ status: 'completed', exit_reason: 'max_turns' });
    expect((await agents.lab.ended(set)).totals.truncated).toBe(1);
    expect(result.summary).not.toBe('');
  });

  it.each([
    ['a fence', '```json\n{"a":2}\n```'],
    ['words around it', 'Here it is: {"a":2} Hope it helps'],
  ])('B16: an output in %s counts; a miss has one repair turn with the errors', async (_name, text) => {
    await using agents = await AgentsLab.open({
      worker: {
        runner,
        env: { SECOND: text },
        script: (agent) =>
          agent.prompt((prompt, count) => {
            agent.note('prompts', prompt.replaceAll('\n', ' '));
            return count === 1 ? '{"a":"1"}' : (process.env['SECOND'] ?? '');
          }),
      },
    });
    const set = await agents.lab.dispatch([{ goal: 'Give me an object', output_schema: OBJECT }], HERE);
    expect(await agents.lab.result(set)).toMatchObject({ status: 'completed', output: { a: 2 } });
    expect(agents.notes('prompts')).toHaveLength(2);
    expect(agents.notes('prompts')[1]).toContain('must be integer');
  });

  it('B18, B19: an output by report_result is checked against the whole schema; an empty one nobody sent is none', async () => {
    const P = {
      type: 'object',
      required: ['n'],
      properties: {
        n: { type: 'string', format: 'date', pattern: '^2' },
        kids: { type: 'array', items: { $ref: '#/$defs/P' } },
      },
    };
    const output_schema = { $defs: { P }, $ref: '#/$defs/P' };
    await using agents = await AgentsLab.open({
      worker: {
        runner,
        script: (agent) =>
          agent.prompt(async (text, count) => {
            if (count > 1 || text.includes('Say nothing')) return 'There is no object here.';
            const kids = [{ n: '2020-01-02' }];
            agent.note('answers', await agent.call('report_result', { n: '1999-01-01', kids }));
            agent.note('answers', await agent.call('report_result', { n: '2020-01-01', kids }));
            return 'Reported.';
          }),
      },
    });
    const optional = { type: 'object', properties: { a: { type: 'integer' } } };
    const set = await agents.lab.dispatch(
      [
        { goal: 'Report an object', output_schema },
        { goal: 'Say nothing of use', output_schema: optional },
      ],
      HERE,
    );
    const [reported, none] = (await agents.lab.ended(set)).results;
    expect(reported).toMatchObject({ status: 'completed', output: { n: '2020-01-01', kids: [{ n: '2020-01-02' }] } });
    expect(agents.notes('answers').join('\n')).toContain('pattern');
    expect(none).toMatchObject({ status: 'failed', failure_reason: 'schema' });
    expect(none).not.toHaveProperty('output');
  });

  it('B36: cached tokens are counted once, over two turns and in what the set has used', async () => {
    await using agents = await AgentsLab.open({
      worker: {
        runner,
        script: (agent) =>
          agent.prompt((_text, count) => {
            agent.spend(0.5);
            return count === 1 ? 'No object.' : '{"a":1}';
          }),
      },
    });
    const set = await agents.lab.dispatch([{ goal: 'Take two turns for it', output_schema: OBJECT }], HERE);
    const { totals } = await agents.lab.ended(set);
    const tokens = { input: 20, cached_input: 200, output: 10 };
    expect(await agents.lab.row(set.run_ids[0] ?? '')).toMatchObject({ tokens });
    expect(totals.tokens).toMatchObject(tokens);
    expect(totals.cost_usd).toBeCloseTo(1);
  });

  it('B44, C5: runs that shared a folder are continued each in its own session, whatever the order', async () => {
    await using agents = await AgentsLab.open({
      worker: {
        runner,
        script: (agent) => {
          agent.prompt((text) => {
            const task = /task (\w+)/.exec(text)?.[1] ?? '?';
            agent.note('sessions', [task, agent.session, agent.resumed ?? 'new', process.cwd()].join(' '));
            return `Answer of ${task}`;
          });
        },
      },
    });
    const { lab } = agents;
    const names = ['one', 'two', 'three'];
    const set = await lab.dispatch(
      names.map((name) => ({ goal: `Do your task ${name}` })),
      HERE,
    );
    await lab.ended(set);
    const first = new Map(
      agents.notes('sessions').map((line) => {
        const [name = '', session, , folder] = line.split(' ');
        return [name, { session, folder }] as const;
      }),
    );
    expect(new Set([...first.values()].map(({ session }) => session)).size).toBe(3);
    for (const index of [1, 2, 0]) {
      const name = names[index] ?? '';
      const { run_id } = await agents.continue(set.run_ids[index] ?? '', `Go on with task ${name}`);
      await lab.rowWhen(run_id, `the continued ${name}`, ({ state }) => state === 'ended');
    }
    const later = agents
      .notes('sessions')
      .slice(3)
      .map((line) => line.split(' '));
    expect(later.map(([name]) => name)).toEqual(['two', 'three', 'one']);
    for (const [name = '', session, resumed, folder] of later) {
      const before = first.get(name);
      expect([session, resumed, folder]).toEqual([before?.session, before?.session, before?.folder]);
    }
  });
});

it('B44: a run whose agent never told its session is not continued in another’s, but says so', async () => {
  await using agents = await AgentsLab.open({
    worker: {
      runner: 'cli',
      script: (agent) => {
        agent.name(null);
        agent.prompt((text) => {
          agent.note('prompts', [agent.resumed ?? 'new', text].join(' ').replaceAll('\n', ' '));
          return 'Done.';
        });
      },
    },
  });
  const { lab } = agents;
  const set = await lab.dispatch([{ goal: 'Do the first thing' }, { goal: 'Do another thing' }], HERE);
  await lab.ended(set);
  const order = { run_id: set.run_ids[0] ?? '', text: 'And now the rest', client_token: 'continue' };
  const answer = await lab.service.runs.continue(order, CALLER);
  expect(answer).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('Retry it instead') as string },
  });
  expect(agents.notes('prompts').every((line) => line.startsWith('new '))).toBe(true);
  expect(agents.notes('prompts')).toHaveLength(2);
});

it('B41: a program that a repository plants under the name of an agent is never run', async () => {
  await using lab = new CoreLab();
  const planted = ['planted-agent', 'node_modules/.bin/planted-agent'];
  for (const path of planted) {
    lab.git.write(path, '#!/bin/sh\ntouch PWNED\n');
    chmodSync(join(lab.git.project, path), 0o755);
  }
  const program = { command: 'planted-agent', args: [] };
  lab.settings({
    agents: {
      acp: { runner: 'acp', ...program },
      cli: { runner: 'cli', adapter: 'claude-cli', ...program, env: { ANTHROPIC_BASE_URL: 'none' } },
    },
  });
  await lab.host();
  const tasks = ['acp', 'cli'].map((agent) => ({ goal: 'Run what is in here', agent }));
  const { results } = await lab.ended(await lab.dispatch(tasks, { defaults: { isolation: 'none' } }));
  expect(results.map(({ failure_reason }) => failure_reason)).toEqual(['agent_not_found', 'agent_not_found']);
  expect(existsSync(join(lab.git.project, 'PWNED'))).toBe(false);
});
