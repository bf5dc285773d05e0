import { existsSync, statSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hostProcesses, isSameProcess, processIdentity } from '../../kit/process-tree/host-processes.ts';
import { until } from '../../testing/process-trees.ts';
import { WorkerLab } from '../../testing/worker-lab.ts';

let lab: WorkerLab;

beforeEach(() => {
  lab = new WorkerLab();
});

afterEach(async () => {
  expect(await lab.dispose()).toEqual([]);
});

/** A script that writes, says that it is there, and then waits to be ended. */
const WORKS_ON = `async ({ port, note, wait }) => {
  const entry = port.transcript.open({ type: 'text', partial: false }, 'Thinking');
  entry.append(' hard');
  await wait(40);
  note('ready', 'yes');
  await new Promise((_, reject) => port.stop.addEventListener('abort', () => reject(port.stop.reason)));
}`;

test('an order becomes a process, its events arrive once and in order, and its end is proved', async () => {
  const pool = await lab.open();
  const order = lab.order(async ({ port, note, assignment }) => {
    note('environment', JSON.stringify(process.env));
    const entry = port.transcript.open({ type: 'text', partial: false }, 'a');
    for (const letter of 'bcdef') entry.append(letter);
    entry.end();
    port.transcript.add({ type: 'notice', level: 'info' }, assignment.run_id);
    return { answer: 'abcdef' };
  });
  pool.start(order);
  const exit = await lab.exit(order);
  const heard = lab.of(order.attempt_id);
  expect(heard.events.map(({ seq }) => seq)).toEqual(heard.events.map((_, index) => index + 1));
  expect(heard.events.map(({ event }) => event)).toMatchObject([
    { type: 'entry', entry: 0, text: 'a' },
    { type: 'delta', entry: 0, offset: 1, text: 'bcdef' },
    { type: 'entry_end', entry: 0 },
    { type: 'entry', entry: 1, text: order.run_id },
    { type: 'entry_end', entry: 1 },
    { type: 'ended', last_seq: 6, report: { answer: 'abcdef', cut_by: null } },
  ]);
  expect(exit).toMatchObject({
    connected: true,
    active: true,
    exit: { code: 0, signal: null },
    survivors: [],
    ended: [],
  });
  expect(exit.proof.method).toBe('observed');
  expect(exit.stderr_tail).toBe('');
  await until('the attempt to be forgotten', () => pool.attempts === 0);
  expect(existsSync(order.folder)).toBe(false);
});

test('K4, K5: token, secret and the keys of the shell are in no environment and no argument list', async () => {
  const pool = await lab.open({ environment: { ...process.env, OPENAI_API_KEY: 'sk-shell', ESPALIER_HOME: '/x' } });
  const order = lab.order(async ({ note, assignment }) => {
    note('environment', JSON.stringify(process.env));
    note('arguments', JSON.stringify([process.argv, process.execArgv]));
    note('marker', String(process.env.ESPALIER_RUN === assignment.run_id));
  });
  pool.start(order);
  await lab.exit(order);
  const told = lab.notes(order, 'environment').join() + lab.notes(order, 'arguments').join();
  for (const secret of [order.token, lab.of(order.attempt_id).secret, 'sk-shell', 'ESPALIER_HOME']) {
    expect(told).not.toContain(secret);
  }
  expect(lab.notes(order, 'marker')).toEqual(['true']);
});

test('case 18: a worker that is killed in the middle of a turn is told within 2 s, with its text; a sibling goes on', async () => {
  const pool = await lab.open();
  const [dies, lives] = [lab.order(WORKS_ON), lab.order(WORKS_ON)];
  pool.start(dies);
  pool.start(lives);
  await Promise.all([lab.noted(dies, 'ready'), lab.noted(lives, 'ready')]);
  process.kill(lab.of(dies.attempt_id).pid ?? 0, 'SIGKILL');
  const exit = await lab.exit(dies, 2000);
  expect(exit).toMatchObject({ connected: true, active: true, exit: { code: null, signal: 'SIGKILL' }, survivors: [] });
  expect(exit.proof.method).toBe('observed');
  expect(lab.events(dies, 'delta')).toMatchObject([{ offset: 8, text: ' hard' }]);
  expect(lab.of(lives.attempt_id).exits).toEqual([]);
  const again = lab.order(async () => ({ answer: 'retried' }));
  pool.start(again);
  await lab.exit(again);
  expect(await lab.event(again, 'ended')).toMatchObject({ report: { answer: 'retried' } });
});

test('case 18: a worker whose own code breaks tells all it had to tell, and its message is kept', async () => {
  const pool = await lab.open();
  const order = lab.order(async ({ port }) => {
    for (let n = 0; n < 20_000; n += 1) port.transcript.add({ type: 'notice', level: 'info' }, `line ${n}`);
    setImmediate(() => {
      throw new Error('the wheel came off');
    });
    await new Promise(() => undefined);
  });
  pool.start(order);
  const exit = await lab.exit(order);
  expect(exit.exit).toEqual({ code: 1, signal: null });
  expect(exit.stderr_tail.split('\n').at(-1)).toBe('Error: the wheel came off');
  expect(lab.events(order, 'entry')).toHaveLength(20_000);
});

test('case 28: one that is stopped ends politely with its partial text; its sibling goes on', async () => {
  const pool = await lab.open();
  const [stopped, other] = [lab.order(WORKS_ON), lab.order(WORKS_ON)];
  pool.start(stopped);
  pool.start(other);
  await Promise.all([lab.noted(stopped, 'ready'), lab.noted(other, 'ready')]);
  pool.stop(stopped.attempt_id, 'stop', 5000);
  const exit = await lab.exit(stopped, 3000);
  expect(exit).toMatchObject({ exit: { code: 0, signal: null }, survivors: [] });
  expect(exit.proof.method).toBe('observed');
  expect(lab.events(stopped, 'ended')).toMatchObject([{ report: { cut_by: 'stop' } }]);
  expect(lab.events(stopped, 'delta')).toHaveLength(1);
  expect(lab.of(other.attempt_id).exits).toEqual([]);
});

test('case 29, B01: tools that trap TERM, leave by setsid or nohup are gone soon after the grace; the receipt is observed', async () => {
  const pool = await lab.open();
  const order = lab.order(async ({ shell, note, file }) => {
    shell(`trap '' TERM; sleep 300 & echo $! > one; sleep 300`);
    shell(`setsid sh -c 'echo $$ > two; exec sleep 300' >/dev/null 2>&1 &`);
    shell(`nohup sh -c 'trap "" TERM; echo $$ > three; while :; do sleep 0.2; done' >/dev/null 2>&1 &`);
    shell(`env -i setsid sh -c 'echo $$ > four; exec sleep 300' >/dev/null 2>&1 &`);
    await Promise.all(['one', 'two', 'three', 'four'].map(file));
    note('ready', 'yes');
    await new Promise(() => undefined);
  });
  pool.start(order);
  await lab.noted(order, 'ready');
  const pids = await Promise.all(
    ['one', 'two', 'three', 'four'].map(async (name) => Number((await lab.noted(order, name))[0])),
  );
  const identities = await Promise.all(pids.map((pid) => processIdentity(pid)));
  pool.stop(order.attempt_id, 'stop', 500);
  const exit = await lab.exit(order, 6000);
  expect(exit.survivors).toEqual([]);
  expect(exit.proof.method).toBe('observed');
  expect(exit.ended.map(({ pid }) => pid)).toEqual(expect.arrayContaining(pids));
  for (const identity of identities) expect(identity !== null && (await isSameProcess(identity))).toBe(false);
});

test('C4: background processes that are left at a normal end, or by a worker that is killed, are ended and named', async () => {
  const pool = await lab.open();
  const leaves = `async ({ shell, file, note, assignment }) => {
    shell("setsid sh -c 'echo $$ > daemon; exec sleep 300' >/dev/null 2>&1 &");
    await file('daemon');
    note('ready', 'yes');
    if (assignment.context === 'wait') await new Promise(() => undefined);
  }`;
  const [ends, dies] = [lab.order(leaves), lab.order(leaves, { context: 'wait' })];
  pool.start(ends);
  pool.start(dies);
  await lab.noted(dies, 'ready');
  process.kill(lab.of(dies.attempt_id).pid ?? 0, 'SIGKILL');
  for (const order of [ends, dies]) {
    const exit = await lab.exit(order, 3000);
    expect(exit.ended.map(({ pid }) => pid)).toEqual([Number(lab.notes(order, 'daemon')[0])]);
    expect(exit.proof.method).toBe('observed');
  }
});

test('case 33: a stop before the task was handed over ends it at once, and nothing starts later', async () => {
  const pool = await lab.open();
  lab.manners.welcome = false;
  const script = `async ({ note }) => note('began', 'yes')`;
  const greeted = lab.order(script);
  pool.start(greeted);
  await until('the handshake', () => lab.of(greeted.attempt_id).connections === 1);
  const fresh = lab.order(script);
  pool.start(fresh);
  pool.stop(fresh.attempt_id, 'stop', 5000);
  pool.stop(greeted.attempt_id, 'stop', 5000);
  const [first, second] = await Promise.all([lab.exit(greeted, 3000), lab.exit(fresh, 3000)]);
  expect(first).toMatchObject({ connected: true, active: false, survivors: [] });
  expect(second).toMatchObject({ connected: false, active: false, survivors: [] });
  pool.welcome(greeted.attempt_id);
  expect([...lab.notes(greeted, 'began'), ...lab.notes(fresh, 'began')]).toEqual([]);
});

test('case 33, R1: starts beyond what the processors bear queue; one that is stopped in the queue never was a process', async () => {
  const pool = await lab.open({ childEntry: { execPath: 'sleep', args: ['300'] } });
  const orders = Array.from({ length: 40 }, () => lab.order('async () => undefined'));
  for (const order of orders) pool.start(order);
  for (const order of orders.toReversed()) pool.stop(order.attempt_id, 'stop', 200);
  const exits = await Promise.all(orders.map((order) => lab.exit(order)));
  const never = exits.filter((exit) => exit.proof.method === 'not_started');
  expect(never.length).toBeGreaterThan(0);
  expect(exits.every((exit) => !exit.connected && exit.survivors.length === 0)).toBe(true);
});

test('case 33: a run that waits for a permission is stopped at once, and the ask is closed', async () => {
  const pool = await lab.open();
  const order = lab.order(async ({ port }) => {
    await port.ask({ kind: 'permission', title: 'Run', tool: 'bash', detail: 'ls', diff: null });
  });
  pool.start(order);
  const ask = await lab.event(order, 'ask');
  pool.stop(order.attempt_id, 'stop', 5000);
  await lab.exit(order, 2000);
  expect(lab.events(order, 'ask_closed')).toEqual([{ type: 'ask_closed', key: ask.key }]);
  expect(lab.events(order, 'ended')).toMatchObject([{ report: { cut_by: 'stop' } }]);
});

test('a runner that does not end although it was told to is killed with its worker; nothing is called observed too early', async () => {
  const pool = await lab.open();
  const order = lab.order(async ({ note }) => {
    note('ready', 'yes');
    process.on('SIGTERM', () => undefined);
    for (;;) await new Promise((resolve) => setTimeout(resolve, 20));
  });
  pool.start(order);
  await lab.noted(order, 'ready');
  const began = performance.now();
  pool.stop(order.attempt_id, 'stop', 400);
  const exit = await lab.exit(order, 4000);
  expect(performance.now() - began).toBeGreaterThanOrEqual(400);
  expect(exit).toMatchObject({ exit: { code: null, signal: 'SIGKILL' }, survivors: [] });
});

test('an ask, a call, a steer and a message go to and fro', async () => {
  const pool = await lab.open();
  const order = lab.order(
    async ({ port, note }) => {
      const answer = await port.ask({ kind: 'question', title: 'Which?', tool: null, detail: '', diff: null });
      const result = await port.call('call-1', 'delegate_task', { tasks: [] });
      const message = await port.nextMessage();
      if (message !== null) port.steerDelivered(message.message_id);
      const steers = port.takeSteers('steer');
      for (const steer of steers) port.steerDelivered(steer.steer_id);
      note('heard', JSON.stringify([answer.note, result.text, message?.text, steers.map((steer) => steer.text)]));
      port.answered('so far', { turn: 1 });
      note('last', String(await port.nextMessage()));
    },
    { lead: true },
  );
  pool.start(order);
  const ask = await lab.event(order, 'ask');
  const { attempt_id } = order;
  pool.send(attempt_id, { type: 'answer', key: ask.key, choice: 'text', remember: false, note: 'this one' });
  await lab.event(order, 'call');
  const steer = { type: 'steer', steer_id: 'steer_1', mode: 'steer', text: 'faster' } as const;
  pool.send(attempt_id, steer);
  pool.send(attempt_id, steer);
  const result = { type: 'call_result', call_id: 'call-1', is_error: false, background: null, display: null } as const;
  pool.send(attempt_id, { ...result, text: 'delegated' });
  await until('the wait for the user', () => lab.events(order, 'state').some((each) => each.reason === 'user'));
  const message = { type: 'message', message_id: 'm1', origin: 'message', delegation_id: null } as const;
  pool.send(attempt_id, { ...message, text: 'and then' });
  pool.send(attempt_id, { ...message, text: 'and then' });
  await lab.event(order, 'answered');
  pool.send(attempt_id, { type: 'finish' });
  await lab.exit(order);
  expect(lab.notes(order, 'heard')).toEqual([JSON.stringify(['this one', 'delegated', 'and then', ['faster']])]);
  expect(lab.notes(order, 'last')).toEqual(['null']);
  expect(lab.events(order, 'steer').map((event) => `${event.steer_id} ${event.state}`)).toEqual([
    'steer_1 queued',
    'm1 delivered',
    'steer_1 delivered',
  ]);
});

test('R9: a paused run waits at its next safe boundary and goes on when it is resumed', async () => {
  const pool = await lab.open();
  const order = lab.order(async ({ port, file, note }) => {
    await file('paused');
    await port.whileNotPaused();
    note('on', 'yes');
  });
  pool.start(order);
  await until('the handshake', () => lab.of(order.attempt_id).connections === 1);
  await lab.noted(order, 'worker.pid');
  pool.send(order.attempt_id, { type: 'pause' });
  const asked = lab.order(async () => undefined);
  pool.start(asked); // Comes and goes, so that the pause has long arrived.
  await lab.exit(asked);
  lab.signal(order, 'paused');
  expect(await lab.event(order, 'state')).toMatchObject({ state: 'waiting', reason: 'paused' });
  expect(lab.notes(order, 'on')).toEqual([]);
  pool.send(order.attempt_id, { type: 'resume' });
  await lab.exit(order);
  expect(lab.events(order, 'state').map((event) => event.state)).toEqual(['waiting', 'running']);
});

test('R7: a deadline ends the run by its own clock', async () => {
  const pool = await lab.open();
  const order = lab.order(WORKS_ON);
  const { limits } = order.assignment;
  pool.start({ ...order, assignment: { ...order.assignment, limits: { ...limits, timeout_seconds: 0.3 } } });
  await lab.exit(order, 4000);
  expect(lab.events(order, 'ended')).toMatchObject([{ report: { cut_by: 'deadline' } }]);
});

test('a runner that rejects is an internal error of ours, told in its report', async () => {
  const pool = await lab.open();
  const order = lab.order(async () => {
    throw new Error('no such thing');
  });
  pool.start(order);
  await lab.exit(order);
  const ended = lab.events(order, 'ended');
  expect(ended).toMatchObject([
    { report: { error: { reason: 'internal', message: 'Internal error: no such thing' } } },
  ]);
});

test('the memory and the pids of a live attempt can be sampled, those of another cannot', async () => {
  const pool = await lab.open();
  const order = lab.order(WORKS_ON);
  pool.start(order);
  await lab.noted(order, 'ready');
  const sample = await pool.sample(order.attempt_id);
  expect(sample?.map(({ pid }) => pid)).toEqual([lab.of(order.attempt_id).pid]);
  expect(sample?.[0]).toMatchObject({ ppid: process.pid });
  expect(sample?.[0]?.rss_bytes).toBeGreaterThan(10_000_000);
  expect(Math.abs((sample?.[0]?.started_at ?? 0) - Date.now())).toBeLessThan(60_000);
  expect(await pool.sample('att_unknown')).toBeNull();
});

test('back-pressure: an engine that does not commit is not flooded; the worker keeps the rest, and nothing is lost', async () => {
  const pool = await lab.open();
  lab.manners.ack = false;
  const order = lab.order(async ({ port, note }) => {
    const text = 'x'.repeat(100_000);
    for (let n = 0; n < 400; n += 1) {
      port.transcript.add({ type: 'notice', level: 'info' }, text);
      await new Promise((resolve) => setImmediate(resolve));
    }
    note('all', String(process.memoryUsage().rss));
    return { answer: 'told' };
  });
  pool.start(order);
  const rss = Number((await lab.noted(order, 'all'))[0]);
  expect(statSync(`${order.folder}/spool.ndjson`)).toMatchObject({ mode: 0o100600 });
  const heard = lab.of(order.attempt_id);
  const bytes = heard.events.reduce((sum, { event }) => sum + JSON.stringify(event).length, 0);
  expect(bytes).toBeLessThan(5 * 1024 * 1024);
  expect(rss).toBeLessThan(200 * 1024 * 1024);
  lab.manners.ack = true;
  lab.commit(order.attempt_id);
  const exit = await lab.exit(order);
  expect(exit.exit).toEqual({ code: 0, signal: null });
  expect(lab.events(order, 'entry')).toHaveLength(400);
  expect(heard.events.map(({ seq }) => seq)).toEqual(heard.events.map((_, index) => index + 1));
});

test('close with endAll ends every worker and its tools', async () => {
  const pool = await lab.open({ warm: 1, timings: { refillMs: 20 } });
  const order = lab.order(WORKS_ON);
  pool.start(order);
  await lab.noted(order, 'ready');
  await until('an idle worker', () => pool.idle === 1);
  await pool.close({ endAll: true });
  expect((await lab.exit(order)).survivors).toEqual([]);
  const { entries } = await hostProcesses().list();
  expect(
    entries.filter((entry) => entry.ppid === process.pid && entry.state !== 'Z' && entry.session === entry.pid),
  ).toEqual([]);
});
