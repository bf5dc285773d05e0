import { expect, it } from 'vitest';
import { hurriedClock } from '../../../testing/hurried-clock.ts';
import { LIMITS, MODEL_KINDS, RunLab } from '../../../testing/run-lab.ts';
import { ScriptedPort } from '../../../testing/scripted-port.ts';
import { runBuiltin } from '../run.ts';

const READ = { tool_call: { name: 'read', arguments: { path: 'a.txt' } } };
const busy = (status: number) => ({ fault: { status, message: 'busy' } });

it.each([
  [
    'an unknown model',
    { status: 400, type: 'invalid_request_error', message: 'unknown model x' },
    'model_not_found',
    1,
  ],
  ['401', { status: 401, message: 'bad key' }, 'auth', 1],
  ['429 to the end', { status: 429, message: 'slow down' }, 'rate_limit', 5],
  ['529 to the end', { status: 529, type: 'overloaded_error', message: 'busy' }, 'overloaded', 5],
  ['503 to the end', { status: 503, message: 'busy' }, 'overloaded', 5],
] as const)(
  'case 14: %s → the reason, and no more requests than the policy',
  async (_name, fault, reason, requests) => {
    await using lab = await RunLab.open([{ fault }], { repeat_last: true });
    const { report } = await lab.run(runBuiltin, new ScriptedPort({ clock: hurriedClock() }));
    expect(report.error?.reason).toBe(reason);
    expect(report).toMatchObject({ limit: null, cut_by: null, answer: '' });
    expect(lab.model.requests).toHaveLength(requests);
  },
);

it('case 14: connection refused → network', async () => {
  const lab = await RunLab.open(['Never.']);
  const models = [lab.bundle()];
  const assignment = lab.assignment({ models });
  await lab.model.close();
  const { report } = await runBuiltin(assignment, new ScriptedPort({ clock: hurriedClock() }));
  expect(report.error?.reason).toBe('network');
  await lab[Symbol.asyncDispose]();
});

it('case 13: an answer beside a failure is kept as text and does not hide the failure', async () => {
  await using lab = await RunLab.open(
    [[{ text: 'Half an ' }, { stream_error: { type: 'api_error', message: 'broken' } }]],
    {
      repeat_last: true,
    },
  );
  const { report } = await lab.run(runBuiltin, new ScriptedPort({ clock: hurriedClock() }));
  expect(report).toMatchObject({ answer: 'Half an ', error: { reason: 'server_error' }, limit: null });
});

it.each(MODEL_KINDS)('B08: an error in a 200 stream is retried, the partial text is shown once (%s)', async (kind) => {
  await using lab = await RunLab.open([
    [
      { text: 'Partial' },
      { stream_error: { type: 'overloaded_error', message: 'busy', status: 503 }, times: 1 },
      { text: ' and whole.' },
    ],
  ]);
  const port = new ScriptedPort({ clock: hurriedClock() });
  const { report } = await lab.run(runBuiltin, port, { models: [lab.bundle(kind)] });
  expect(report).toMatchObject({ answer: 'Partial and whole.', error: null });
  const texts = port.entries.flatMap(({ meta, text }) =>
    meta.type === 'text' ? [{ partial: meta.partial, text }] : [],
  );
  expect(texts).toEqual([
    { partial: true, text: 'Partial' },
    { partial: false, text: 'Partial and whole.' },
  ]);
});

it('R8: tries that break at the same place leave one partial text', async () => {
  await using lab = await RunLab.open([
    [
      { text: 'Partial' },
      { stream_error: { type: 'overloaded_error', message: 'busy' }, times: 3 },
      { text: ' and whole.' },
    ],
  ]);
  const port = new ScriptedPort({ clock: hurriedClock() });
  await lab.run(runBuiltin, port);
  const texts = port.entries.flatMap(({ meta, text }) => (meta.type === 'text' ? [text] : []));
  expect(texts).toEqual(['Partial', 'Partial and whole.']);
  expect(lab.model.requests).toHaveLength(4);
});

it('R8: the wait is shown as state and notice, and the run goes on', async () => {
  await using lab = await RunLab.open([
    [{ fault: { status: 429, message: 'slow down', headers: { 'retry-after': '7' } }, times: 1 }, { text: 'Done.' }],
  ]);
  const port = new ScriptedPort({ clock: hurriedClock() });
  const { report } = await lab.run(runBuiltin, port);
  expect(report.answer).toBe('Done.');
  expect(port.states).toEqual(['waiting rate_limit', 'running']);
  expect(port.entries.find(({ meta }) => meta.type === 'notice')?.text).toMatch(/slow down.*Try 2 in [789] s/);
});

it('R8: a declared fallback model goes on where the first one failed, and that is recorded', async () => {
  await using lab = await RunLab.open([[{ ...busy(404), when: { request: '"first"' } }, { text: 'From the second.' }]]);
  const port = new ScriptedPort();
  const models = [lab.bundle('openai-compatible', { model: 'first' }), lab.bundle('anthropic', { model: 'second' })];
  const { report } = await lab.run(runBuiltin, port, { models });
  expect(report).toMatchObject({ answer: 'From the second.', error: null });
  const notice = port.entries.find(({ meta }) => meta.type === 'notice')?.text;
  expect(notice).toContain('scripted/first');
  expect(notice).toContain('scripted/second');
});

it('a stop while an answer streams keeps the partial text (case 17)', async () => {
  await using lab = await RunLab.open([[{ text: 'Begun' }, { silence: true }]]);
  const port = new ScriptedPort({
    onEntry: ({ meta }, self) => {
      if (meta.type === 'text') queueMicrotask(() => self.stopWith('deadline'));
    },
  });
  const { report } = await lab.run(runBuiltin, port);
  expect(report).toMatchObject({ cut_by: 'deadline', answer: 'Begun', error: null });
  expect(port.entries.at(-1)).toMatchObject({ meta: { type: 'text', partial: true }, text: 'Begun', ended: true });
});

it('case 33: a stop during the wait for a retry ends the run at once', async () => {
  await using lab = await RunLab.open([busy(503)], { repeat_last: true });
  const port: ScriptedPort = new ScriptedPort({
    onEntry: ({ meta }, self) => {
      if (meta.type === 'notice') queueMicrotask(() => self.stopWith('stop'));
    },
  });
  const { report } = await lab.run(runBuiltin, port);
  expect(report).toMatchObject({ cut_by: 'stop', error: null });
  expect(lab.model.requests).toHaveLength(1);
});

it('case 33: a stop during a permission wait runs nothing and gives the call its result', async () => {
  await using lab = await RunLab.open([
    [{ tool_call: { name: 'bash', arguments: { command: 'touch made' } } }],
    'Never.',
  ]);
  const port: ScriptedPort = new ScriptedPort({
    onAsk: () => {
      port.stopWith('stop');
      return new Promise(() => undefined);
    },
  });
  const { report } = await lab.run(runBuiltin, port, { permission: 'ask' });
  expect(report.cut_by).toBe('stop');
  expect(lab.read('made')).toBeNull();
  expect(port.entries.at(-1)?.meta).toMatchObject({ type: 'tool_call', status: 'refused' });
});

it('a stop ends a running command with all it started, and keeps its output', async () => {
  await using lab = await RunLab.open([
    [{ tool_call: { name: 'bash', arguments: { command: 'echo begun; trap "" TERM; sleep 300 & sleep 300' } } }, READ],
    'Never.',
  ]);
  const port: ScriptedPort = new ScriptedPort();
  const running = lab.run(runBuiltin, port);
  const begun = async (): Promise<void> => {
    while (!port.entries.some(({ text }) => text.includes('begun')))
      await new Promise((resolve) => setImmediate(resolve));
  };
  await begun();
  port.stopWith('stop');
  const { report } = await running;
  expect(report.cut_by).toBe('stop');
  const [bash, read] = port.entries.filter(({ meta }) => meta.type === 'tool_call');
  expect(bash?.text).toContain('begun');
  expect(read?.meta).toMatchObject({ status: 'refused' });
  expect(port.entries.every(({ ended }) => ended)).toBe(true);
});

it('R9: a paused run sends no request until it is resumed', async () => {
  await using lab = await RunLab.open(['Done.']);
  const port = new ScriptedPort();
  port.pause();
  const running = lab.run(runBuiltin, port);
  while (!port.entries.some(({ meta }) => meta.type === 'user')) await new Promise((resolve) => setImmediate(resolve));
  expect(lab.model.requests).toHaveLength(0);
  port.resume();
  expect((await running).report.answer).toBe('Done.');
});

it('a content filter is a failure, with what had been said', async () => {
  await using lab = await RunLab.open([[{ text: 'Well' }, { stop: 'content_filter' }]]);
  const { report } = await lab.run(runBuiltin);
  expect(report).toMatchObject({ error: { reason: 'content_filter' }, answer: 'Well' });
});

it('case 51: an error body that repeats the key reaches neither report nor transcript', async () => {
  await using lab = await RunLab.open([{ fault: { status: 401, message: 'the key lab-key-0123456789 is wrong' } }]);
  const port = new ScriptedPort();
  const { report } = await lab.run(runBuiltin, port);
  expect(report.error?.message).toContain('is wrong');
  expect(JSON.stringify([report, port.entries])).not.toContain('lab-key-0123456789');
});

it('an own fault is told as internal, not thrown', async () => {
  await using lab = await RunLab.open(['Never.']);
  const { report } = await lab.run(runBuiltin, undefined, { models: [] });
  expect(report.error).toEqual({ reason: 'internal', message: 'The assignment names no model' });
});

it('B15: with a small window the conversation is shortened before the request, and the run goes on', async () => {
  const reads = Array.from({ length: 5 }, (_, n) => [
    { tool_call: { name: 'read', arguments: { path: `f${n}.txt` } } },
  ]);
  await using lab = await RunLab.open([...reads, 'Read all.']);
  for (let n = 0; n < 5; n += 1) lab.write(`f${n}.txt`, `file ${n}\n${'words here\n'.repeat(900)}`);
  const port = new ScriptedPort();
  const models = [lab.bundle('anthropic', { contextWindow: 8000 })];
  const { report } = await lab.run(runBuiltin, port, { models });
  expect(report).toMatchObject({ answer: 'Read all.', error: null });
  for (const body of lab.bodies) expect(body.length / 4).toBeLessThan(8000);
  expect(port.entries.some(({ text }) => text.startsWith('The context was full'))).toBe(true);
});

it('B15: a provider that refuses the length is asked again with less; without progress the run fails with its reason', async () => {
  const overflow = { fault: { status: 400, message: 'prompt is too long: 9001 tokens > 8000 maximum' } };
  const big = 'words here\n'.repeat(2000);
  await using once = await RunLab.open([[READ], [{ ...overflow, times: 1 }, { text: 'Fits now.' }]]);
  once.write('a.txt', big);
  const first = await once.run(runBuiltin, undefined, { models: [once.bundle('anthropic', { contextWindow: null })] });
  expect(first.report).toMatchObject({ answer: 'Fits now.', error: null });
  expect(once.bodies[2]?.length).toBeLessThan((once.bodies[1]?.length ?? 0) * 0.8);

  await using never = await RunLab.open([[{ text: 'So far.' }, READ], [overflow]], { repeat_last: true });
  never.write('a.txt', big);
  const last = await never.run(runBuiltin);
  expect(last.report).toMatchObject({ answer: 'So far.', error: { reason: 'context_overflow' } });
  expect(never.model.requests.length).toBeLessThanOrEqual(5);
});

it('a limit of one try makes one request', async () => {
  await using lab = await RunLab.open([busy(503)], { repeat_last: true });
  await lab.run(runBuiltin, undefined, { limits: { ...LIMITS, retries: 0 } });
  expect(lab.model.requests).toHaveLength(1);
});
