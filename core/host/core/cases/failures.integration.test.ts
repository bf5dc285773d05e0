import { expect, test } from 'vitest';
import type { StepInput } from '../../../scripted-model/script-input.ts';
import { value } from '../../../testing/core-lab.ts';
import { ModelLab } from '../../../testing/model-lab.ts';
import { until } from '../../../testing/process-trees.ts';

const CALLER = { client: 'test' };
const fault = (status: number, message: string, more: object = {}): StepInput => ({
  fault: { status, message, ...more },
});

/** Providers of one key each, all at the scripted model: a wait for one must not hold the others (R8). */
const providers = (url: string, names: readonly string[]): object => {
  const models = { m: { contextWindow: 200_000, price: { input: 1, output: 10, cachedInput: 0.1, cacheWrite: 2 } } };
  return Object.fromEntries(names.map((name) => [name, { kind: 'anthropic', baseUrl: `${url}/v1`, models }]));
};

test('case 14: each way in which a provider fails has its reason, and only what may pass is asked again', async () => {
  const faults: [name: string, step: StepInput, reason: string, requests: number][] = [
    [
      'unknown',
      fault(400, 'unknown model m', { type: 'invalid_request_error', code: 'model_not_found' }),
      'model_not_found',
      1,
    ],
    ['missing', fault(404, 'model: m', { type: 'not_found_error' }), 'model_not_found', 1],
    ['auth', fault(401, 'bad key'), 'auth', 1],
    ['limited', fault(429, 'slow down', { headers: { 'retry-after-ms': '50' } }), 'rate_limit', 2],
    ['down', fault(503, 'down', { headers: { 'retry-after-ms': '50' } }), 'overloaded', 2],
    ['busy', fault(529, 'busy', { headers: { 'retry-after-ms': '50' } }), 'overloaded', 2],
  ];
  const names = faults.map(([name]) => name);
  await using lab = await ModelLab.open(
    faults.map(([name, step]) => ({ name, match: { user: `Be ${name}` }, turns: [step] })),
    (url) => ({ retries: 2, providers: { ...providers(url, names), ...providers('http://127.0.0.1:9', ['refused']) } }),
  );
  const tasks = [...names, 'refused'].map((name) => ({ goal: `Be ${name} please`, model: `${name}/m` }));
  const { results } = await lab.lab.ended(await lab.dispatch(tasks));
  const asked = (name: string): number => lab.model.requests.filter(({ conversation }) => conversation === name).length;
  expect(results.map(({ status, failure_reason }) => `${status} ${String(failure_reason)}`)).toEqual(
    [...faults.map(([, , reason]) => reason), 'network'].map((reason) => `failed ${reason}`),
  );
  expect(names.map((name) => [name, asked(name)])).toEqual(faults.map(([name, , , requests]) => [name, requests]));
});

test('case 16: an empty text beside a valid output is an answer; white space and a failed last call are none', async () => {
  const output_schema = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };
  const report = { tool_call: { name: 'report_result', arguments: { a: 1 } } };
  await using lab = await ModelLab.open([
    { match: { user: 'Structured' }, turns: [report, ' \n'] },
    { match: { user: 'Blank' }, turns: [' \n\t'] },
    { match: { user: 'Broken' }, turns: [{ tool_call: { name: 'read', arguments: { path: 'none.txt' } } }, ''] },
  ]);
  const set = await lab.dispatch([
    { goal: 'Structured answer', output_schema },
    { goal: 'Blank answer only' },
    { goal: 'Broken last call' },
  ]);
  const { results } = await lab.lab.ended(set);
  expect(results[0]).toMatchObject({ status: 'completed', output: { a: 1 }, schema_valid: true });
  expect(results.slice(1).map(({ failure_reason }) => failure_reason)).toEqual(['empty_answer', 'tool']);
});

test('case 17: a program that fails because it is stopped is stopped, and one that talks in half characters is read whole (B05)', async () => {
  await using lab = await ModelLab.open([{ turns: ['Never asked.'] }]);
  const half = `printf 'A\\342'; sleep 0.2; printf '\\202'; sleep 0.2; printf '\\254-B'`;
  const failing = "trap 'exit 3' TERM; touch ready; while :; do sleep 0.05; done";
  const set = await lab.dispatch([failing, half, `printf 'cut \\360\\237'`], { defaults: { agent: 'command' } });
  const [failed = ''] = set.run_ids;
  await until('the program to run', () => lab.lab.read(`${lab.lab.git.project}/ready`) !== null);
  await lab.lab.stop(failed);
  const { results } = await lab.lab.ended(set);
  expect(results[0]).toMatchObject({ status: 'stopped', exit_reason: 'stopped' });
  expect(results[0]).not.toHaveProperty('failure_reason');
  expect(results[1]?.summary).toBe('A€-B');
  expect(results[2]?.summary).toBe('cut \uFFFD');
});

test('R7, B12: a time limit shorter than the wait for the provider ends the run in time, and no request follows', async () => {
  await using lab = await ModelLab.open([{ turns: [fault(429, 'slow down', { headers: { 'retry-after': '60' } })] }]);
  const set = await lab.dispatch([{ goal: 'Wait in vain', limits: { timeout_seconds: 2 } }]);
  const [run = ''] = set.run_ids;
  const waiting = await lab.until(run, 'waiting: rate_limit');
  expect(waiting.until).toBeGreaterThan(waiting.queued_at + 50_000);
  expect(await lab.lab.result(set)).toMatchObject({ status: 'timed_out', error: 'Its time limit of 2 s passed.' });
  expect(lab.model.requests).toHaveLength(1);
});

test('R8, B12: a wait beyond 15 minutes fails at once and names the time; what cannot be read as a wait is none', async () => {
  const after = (text: string): StepInput => fault(429, 'slow down', { headers: { 'retry-after': text } });
  await using lab = await ModelLab.open(
    [
      { name: 'day', match: { user: 'a day' }, turns: [after('86400')] },
      {
        name: 'odd',
        match: { user: 'odd' },
        turns: [[{ ...after('abc'), times: 1 }, { text: 'Odd done.' }]],
      },
      {
        name: 'past',
        match: { user: 'past' },
        turns: [[{ ...after('-5'), times: 1 }, { text: 'Past done.' }]],
      },
    ],
    (url) => ({ providers: providers(url, ['day', 'odd', 'past']) }),
  );
  const tasks = ['day', 'odd', 'past'].map((name) => ({ goal: `Wait for a ${name} time`, model: `${name}/m` }));
  const { results } = await lab.lab.ended(await lab.dispatch(tasks));
  expect(results.map(({ status, failure_reason }) => failure_reason ?? status)).toEqual([
    'rate_limit',
    'completed',
    'completed',
  ]);
  expect(results[0]?.error).toMatch(/24 h|1,?440 min|86,?400|1 day|\d\d:\d\d/);
  expect(lab.model.requests.filter(({ conversation }) => conversation === 'day')).toHaveLength(1);
});

test('case 24, B36: cached tokens cost their own rate in both dialects, and an unknown price is unknown, never 0', async () => {
  const usage: StepInput = { usage: { input: 3, cache_write: 1000, cached_input: 100_000, output: 50 } };
  const price = { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 };
  await using lab = await ModelLab.open([{ turns: [[usage, { text: 'Done.' }]] }], (url) => ({
    providers: {
      claude: { kind: 'anthropic', baseUrl: `${url}/v1`, models: { m: { price } } },
      gpt: { kind: 'openai-compatible', baseUrl: `${url}/v1`, models: { m: { price } } },
      local: { kind: 'openai-compatible', baseUrl: `${url}/v1`, models: { m: {} } },
    },
  }));
  const tasks = ['claude', 'gpt', 'local'].map((name) => ({ goal: `Count what ${name} used`, model: `${name}/m` }));
  const { results, totals } = await lab.lab.ended(await lab.dispatch(tasks));
  const [claude, gpt, local] = results;
  expect(claude?.tokens).toMatchObject({ input: 3, cache_write: 1000, cached_input: 100_000, output: 50 });
  // By hand: 3 × 3 + 1,000 × 3.75 + 100,000 × 0.3 + 50 × 15, a million apart.
  expect(claude?.cost_usd).toBeCloseTo(0.034509, 6);
  expect(gpt?.tokens).toMatchObject({ cached_input: 100_000, output: 50 });
  const { input = 0, cache_write = 0 } = gpt?.tokens ?? {};
  expect(input + cache_write).toBe(1003);
  expect(gpt?.cost_usd).toBeCloseTo((input * 3 + cache_write * 3.75 + 30_000 + 750) / 1e6, 6);
  expect(local).toMatchObject({ cost_usd: null, cost_status: 'unknown' });
  expect(totals.cost_usd).toBeNull();
});

test('B15: a child with a smaller window than its parent shortens what it has read by its own, and goes on', async () => {
  const child = { goal: 'Read all of the files', model: 'small/m' };
  const reads = Array.from({ length: 5 }, (_, n): StepInput => ({
    tool_call: { name: 'read', arguments: { path: `f${n}.txt` } },
  }));
  await using lab = await ModelLab.open(
    [
      { name: 'child', match: { user: 'Read all' }, turns: [...reads, 'All five are read.'] },
      { turns: [{ tool_call: { name: 'delegate_task', arguments: { wait: true, tasks: [child] } } }, 'Heard it.'] },
    ],
    (url) => {
      const of = (contextWindow: number): object => ({
        kind: 'anthropic',
        baseUrl: `${url}/v1`,
        models: { m: { contextWindow } },
      });
      return { defaultModel: 'large/m', providers: { large: of(1_000_000), small: of(12_000) } };
    },
  );
  for (let n = 0; n < 5; n += 1) lab.lab.git.write(`f${n}.txt`, `file ${n}\n${'words here\n'.repeat(900)}`);
  const set = await lab.dispatch([{ goal: 'Have it all read' }]);
  expect(await lab.lab.result(set)).toMatchObject({ status: 'completed', summary: 'Heard it.' });
  const rows = value(await lab.service.conversations.show({ id: set.conversation_id }, CALLER)).runs;
  expect(rows[1]).toMatchObject({ outcome: 'completed', model: 'small/m', summary: 'All five are read.' });
  const asked = lab.model.requests.filter(({ conversation }) => conversation === 'child');
  expect(asked).toHaveLength(6);
  for (const { body } of asked) expect(JSON.stringify(body).length / 4).toBeLessThan(12_000);
});
