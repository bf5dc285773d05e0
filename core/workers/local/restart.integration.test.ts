import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hostProcesses, isSameProcess, processIdentity } from '../../kit/process-tree/host-processes.ts';
import { until } from '../../testing/process-trees.ts';
import { RawWorker } from '../../testing/raw-worker.ts';
import type { CoreLine, CoreScript } from '../../testing/scripted-core.ts';
import { WorkerLab } from '../../testing/worker-lab.ts';
import type { StartOrder } from '../contract.ts';

let lab: WorkerLab;

beforeEach(() => {
  lab = new WorkerLab();
});

afterEach(async () => {
  expect(await lab.dispose()).toEqual([]);
});

/** Tells numbered entries, slowly, until the file `enough` is there; writes down each that it told. */
const COUNTS = `async ({ port, note, wait, assignment }) => {
  const { existsSync } = await import('node:fs');
  let n = 0;
  for (; n < 20 || !existsSync(assignment.workspace + '/enough'); n += 1) {
    const entry = port.transcript.open({ type: 'text', partial: false }, 'n' + n);
    entry.append(':');
    entry.end();
    note('told', 'n' + n);
    if (n % 5 === 0) await wait(1);
  }
  return { answer: String(n) };
}`;

/** At once, on a machine that may be busy: long before the grace of a worker that nobody can find has passed. */
const AT_ONCE_MS = 20_000;

const identityOf = (order: StartOrder): { pid: number; startTime: string } => {
  const heard = lab.of(order.attempt_id);
  return { pid: heard.pid ?? 0, startTime: heard.pid_started ?? '' };
};

/** What was told and what was taken are the same, each once and in order. */
function expectNothingLostOrDoubled(order: StartOrder): void {
  const told = lab.notes(order, 'told');
  expect(lab.events(order, 'entry').map((event) => event.text)).toEqual(told);
  expect(lab.events(order, 'delta')).toHaveLength(told.length);
  const seqs = lab.of(order.attempt_id).events.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
}

/** The engine's uncommitted memory is lost with its process. */
function forgetUncommitted(order: StartOrder): void {
  const heard = lab.of(order.attempt_id);
  heard.events.splice(heard.committed);
}

test('D4, case 38: the core goes in the middle of the stream and comes back, three times: no event is missing or doubled', async () => {
  const pool = await lab.open();
  const order = lab.order(COUNTS);
  pool.start(order);
  const heard = lab.of(order.attempt_id);
  for (let round = 1; round <= 3; round += 1) {
    const before = heard.committed;
    await until('some events', () => heard.committed > before + 200);
    await lab.crash();
    forgetUncommitted(order);
    const told = lab.notes(order, 'told').length;
    await lab.noted(order, 'told', told + 100); // It goes on without a core.
    await lab.open();
    lab.pool.adopt(lab.adoption(order));
    await until('the worker to come back', () => heard.reconnections.length === round);
  }
  lab.signal(order, 'enough');
  const exit = await lab.exit(order);
  expect(exit).toMatchObject({ connected: true, active: true, survivors: [] });
  expect(exit.proof.method).toBe('observed');
  expectNothingLostOrDoubled(order);
  expect(lab.events(order, 'ended')).toMatchObject([{ report: { answer: String(lab.notes(order, 'told').length) } }]);
});

/** Takes over what a killed core has stored: whole lines, as its death may have cut the last. */
function readJournal(journal: string): void {
  const lines = readFileSync(journal, 'utf8').split('\n').slice(0, -1);
  for (const line of lines) {
    const { type, told } = JSON.parse(line) as CoreLine;
    if (type === 'connected') Object.assign(lab.of(told.attempt_id), told);
    else {
      const [id, seq, event] = told;
      lab.of(id).events.push({ seq, event });
      lab.of(id).committed = seq;
    }
  }
}

test('case 38: a core is killed with runs at different points; the next adopts what lives and settles what does not', async () => {
  const works = lab.order(COUNTS);
  const asks = lab.order(async ({ port, note }) => {
    const answer = await port.ask({ kind: 'permission', title: 't', tool: null, detail: '', diff: null });
    note('answer', answer.choice);
  });
  const inTool = lab.order(async ({ shell, file }) => {
    shell('echo $$ > tool; while [ ! -e go ]; do sleep 0.02; done; touch done');
    await file('done');
  });
  const dies = lab.order(COUNTS);
  const journal = lab.processes.path('journal');
  const script: CoreScript = { home: lab.home, journal, orders: [works, asks, inTool, dies] };
  writeFileSync(lab.processes.path('script.json'), JSON.stringify(script));
  const entry = fileURLToPath(new URL('../../testing/scripted-core.ts', import.meta.url));
  const core = spawn(process.execPath, [entry, lab.processes.path('script.json')], { stdio: 'inherit' });
  await Promise.all([lab.noted(works, 'told', 200), lab.noted(inTool, 'tool'), lab.noted(dies, 'told', 200)]);
  await until('the ask', () => readFileSync(journal, 'utf8').includes('"type":"ask"'));
  core.kill('SIGKILL');
  await once(core, 'exit');
  // Those that waited in its pool have no run's mark, and nothing to stay for.
  const isIdle = ({ marker }: { marker: string | null }): boolean => marker === null;
  await until('the end of its idle workers', async () => !(await lab.processes.leftovers()).some(isIdle));
  readJournal(journal);
  await lab.noted(dies, 'told', lab.notes(dies, 'told').length + 100);
  process.kill(lab.of(dies.attempt_id).pid ?? 0, 'SIGKILL');
  lab.signal(inTool, 'go');
  await lab.open();
  for (const order of script.orders) lab.pool.adopt(lab.adoption(order));
  await until('the one that asks', () => lab.of(asks.attempt_id).reconnections.length === 1);
  const [key = ''] = lab.of(asks.attempt_id).reconnections[0]?.open_asks ?? [];
  lab.pool.send(asks.attempt_id, { type: 'answer', key, choice: 'allow', remember: false, note: null });
  lab.signal(works, 'enough');
  const exits = await Promise.all(script.orders.map((order) => lab.exit(order)));
  expect(exits).toMatchObject(script.orders.map(() => ({ connected: true, active: true, survivors: [] })));
  for (const order of [works, asks, inTool]) expect(lab.events(order, 'ended')).toHaveLength(1);
  expectNothingLostOrDoubled(works);
  expect(lab.notes(asks, 'answer')).toEqual(['allow']);
  expect(lab.events(dies, 'ended')).toEqual([]);
  const told = lab.notes(dies, 'told');
  const taken = lab.events(dies, 'entry').map((event) => event.text);
  expect(taken.slice(0, told.length)).toEqual(told);
});

test('D5: a worker that ended while no core was up: the next core takes its result from the spool', async () => {
  const pool = await lab.open();
  const order = lab.order(COUNTS);
  pool.start(order);
  const heard = lab.of(order.attempt_id);
  await until('some events', () => heard.committed > 50);
  await lab.crash();
  forgetUncommitted(order);
  lab.signal(order, 'enough');
  const spool = `${order.folder}/spool.ndjson`;
  await until('its last word', () => existsSync(spool) && readFileSync(spool).includes('"type":"ended"'));
  // As the machine would end it; one that is left alone ends by itself.
  process.kill(heard.pid ?? 0, 'SIGTERM');
  await until('its end', async () => !(await isSameProcess(identityOf(order))));
  await lab.open();
  lab.pool.adopt(lab.adoption(order));
  const exit = await lab.exit(order, AT_ONCE_MS);
  expect(exit).toMatchObject({ connected: true, active: true, exit: null, survivors: [] });
  expectNothingLostOrDoubled(order);
  expect(lab.events(order, 'ended')).toHaveLength(1);
  await until('the spool to be removed', () => lab.pool.attempts === 0);
  expect(existsSync(spool)).toBe(false);
});

test('D5, case 38: a worker that is killed while no core is up leaves all that it had told', async () => {
  const pool = await lab.open();
  const order = lab.order(COUNTS);
  pool.start(order);
  const heard = lab.of(order.attempt_id);
  await until('some events', () => heard.committed > 50);
  await lab.crash();
  forgetUncommitted(order);
  await lab.noted(order, 'told', lab.notes(order, 'told').length + 100);
  process.kill(heard.pid ?? 0, 'SIGKILL');
  await until('its end', async () => !(await isSameProcess(identityOf(order))));
  await lab.open();
  lab.pool.adopt(lab.adoption(order));
  await lab.exit(order, AT_ONCE_MS);
  const told = lab.notes(order, 'told');
  const taken = lab.events(order, 'entry').map((event) => event.text);
  // One that it was just telling may be there before it is written down.
  expect(taken.slice(0, told.length)).toEqual(told);
  expect(taken.length - told.length).toBeLessThanOrEqual(1);
  expect(lab.events(order, 'ended')).toEqual([]);
});

test('D3, R8: a worker that began and was killed with its core, before anyone stored its first word, has begun', async () => {
  const pool = await lab.open();
  const order = lab.order(COUNTS);
  lab.manners.ack = false;
  pool.start(order);
  const heard = lab.of(order.attempt_id);
  await until('its first word', () => heard.events.length > 0);
  await lab.crash();
  heard.events.splice(0);
  process.kill(heard.pid ?? 0, 'SIGKILL');
  await until('its end', async () => !(await isSameProcess(identityOf(order))));
  // As if both had ended at once: nothing of the run was written down.
  truncateSync(`${order.folder}/spool.ndjson`);
  await lab.open();
  lab.pool.adopt(lab.adoption(order, { committed: 0 }));
  expect(await lab.exit(order, AT_ONCE_MS)).toMatchObject({ connected: true, active: true, exit: null });
  expect(heard.events).toEqual([]);
});

test('a line of the spool that was cut by the death ends the reading, and a spool that goes on after a gap is not taken', async () => {
  await lab.open();
  const line = (seq: number): string => JSON.stringify({ type: 'event', seq, event: { type: 'activity', text: 'a' } });
  const [cut, gap] = [lab.order(''), lab.order('')];
  for (const order of [cut, gap]) mkdirSync(order.folder, { recursive: true });
  writeFileSync(`${cut.folder}/spool.ndjson`, `${line(1)}\n${line(2)}\n${line(3).slice(0, -1)}`);
  writeFileSync(`${gap.folder}/spool.ndjson`, `${line(2)}\n${line(3)}\n${line(5)}\n`);
  const dead = { pid: 2 ** 22 + 1, pid_started: 'never', secret_hash: 'ab' };
  lab.pool.adopt(lab.adoption(cut, dead));
  lab.pool.adopt(lab.adoption(gap, { ...dead, committed: 2 }));
  await Promise.all([lab.exit(cut), lab.exit(gap)]);
  expect(lab.of(cut.attempt_id).events.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(lab.of(gap.attempt_id).events.map(({ seq }) => seq)).toEqual([3]);
});

test('case 40, B42: an attempt whose pid another program has now is settled at once, and that program is never signalled', async () => {
  const pool = await lab.open();
  const sentinel = await lab.processes.hold('exec sleep 300', { cwd: '/', env: { ESPALIER_RUN: 'run_other' } });
  sentinel.go();
  const order = lab.order('');
  pool.adopt(
    lab.adoption(order, {
      pid: sentinel.identity.pid,
      pid_started: 'an earlier life',
      secret_hash: 'ab',
      committed: 3,
    }),
  );
  const exit = await lab.exit(order, AT_ONCE_MS);
  expect(exit).toMatchObject({ connected: true, active: true, exit: null, survivors: [], ended: [] });
  expect(await isSameProcess(sentinel.identity)).toBe(true);
  process.kill(sentinel.identity.pid, 'SIGKILL');
  await sentinel.exited;
});

test('D5, case 29, case 40: what a worker left that died with its core is swept by the next core; nothing that is not ours is touched', async () => {
  const pool = await lab.open();
  // Older than the attempt, taken over by init, with everything that could be mistaken for ours but the run's own marks.
  const older = await lab.processes.hold(`env -i setsid -f sh -c 'echo $$ > older; exec sleep 300'`);
  older.go();
  const stranger = await processIdentity(await lab.processes.pidIn('older'));
  const other = await lab.processes.hold('exec sleep 300', { env: { ESPALIER_RUN: 'run_other' } });
  other.go();
  const order = lab.order(async ({ shell, file, note }) => {
    shell(`trap '' TERM HUP; echo $$ > stubborn; while :; do sleep 0.2; done`);
    shell(`setsid -f sh -c 'echo $$ > daemon; exec sleep 300' >/dev/null 2>&1`);
    shell(
      `env -i setsid -f sh -c 'trap "" TERM; echo $$ > unmarked; cd /; while :; do sleep 0.2; done' >/dev/null 2>&1`,
    );
    await Promise.all(['stubborn', 'daemon', 'unmarked'].map(file));
    note('ready', 'yes');
    await new Promise(() => undefined);
  });
  pool.start(order);
  await lab.noted(order, 'ready');
  const names = ['stubborn', 'daemon', 'unmarked'];
  const left = await Promise.all(names.map(async (name) => processIdentity(Number((await lab.noted(order, name))[0]))));
  await lab.crash();
  const worker = identityOf(order);
  process.kill(worker.pid, 'SIGKILL');
  await until('the death of the worker', async () => !(await isSameProcess(worker)));
  await lab.open();
  lab.pool.adopt(lab.adoption(order));
  const exit = await lab.exit(order, AT_ONCE_MS);
  expect(exit.ended.map(({ pid }) => pid)).toEqual(expect.arrayContaining(left.map((each) => each?.pid)));
  expect(exit).toMatchObject({ survivors: [], proof: { method: 'observed' } });
  for (const identity of left) expect(identity !== null && (await isSameProcess(identity))).toBe(false);
  expect(stranger !== null && (await isSameProcess(stranger))).toBe(true);
  expect(await isSameProcess(other.identity)).toBe(true);
  const strangers = [stranger, other.identity].filter((each) => each !== null);
  await hostProcesses().signal({ signal: 'SIGKILL', processes: strangers, groups: [] });
});

test('D5: an attempt whose worker nobody knows is settled after its grace', async () => {
  const pool = await lab.open({ timings: { connectMs: 200 } });
  const order = lab.order('');
  pool.adopt(lab.adoption(order));
  expect(await lab.exit(order)).toMatchObject({ connected: false, active: false, exit: null });
});

test('a worker that had no task when its core ended gets it from the next; without one it is ended', async () => {
  const pool = await lab.open();
  lab.manners.welcome = false;
  const script = `async ({ note }) => note('began', 'yes')`;
  const [known, unknown] = [lab.order(script), lab.order(script)];
  for (const order of [known, unknown]) pool.start(order);
  await until('both handshakes', () => [known, unknown].every((order) => lab.of(order.attempt_id).connections === 1));
  await lab.crash();
  lab.manners.welcome = true;
  await lab.open();
  lab.pool.adopt(lab.adoption(known, { assignment: known.assignment }));
  lab.pool.adopt(lab.adoption(unknown));
  await Promise.all([lab.exit(known), lab.exit(unknown)]);
  expect(lab.notes(known, 'began')).toEqual(['yes']);
  expect(lab.notes(unknown, 'began')).toEqual([]);
  expect(lab.of(unknown.attempt_id).exits[0]).toMatchObject({ active: false, survivors: [] });
});

test('D5: a worker that started and never connected is found by its marker when it is stopped', async () => {
  const pool = await lab.open({ childEntry: { execPath: 'sleep', args: ['300'] } });
  const order = lab.order('');
  pool.start(order);
  await until('the process', async () => (await pool.sample(order.attempt_id))?.length === 1);
  await lab.crash();
  await lab.open();
  lab.pool.adopt(lab.adoption(order));
  lab.pool.stop(order.attempt_id, 'stop', 300);
  const exit = await lab.exit(order, AT_ONCE_MS);
  expect(exit).toMatchObject({ connected: false, exit: null, survivors: [] });
  expect(exit.ended.map(({ command }) => command)).toEqual(['sleep 300']);
});

test('C3: an adopted worker is stopped with its tools, politely', async () => {
  const pool = await lab.open();
  const order = lab.order(async ({ port, shell, file, note }) => {
    shell('echo $$ > tool; exec sleep 300');
    await file('tool');
    note('ready', 'yes');
    await new Promise((_, reject) => port.stop.addEventListener('abort', () => reject(port.stop.reason as Error)));
  });
  pool.start(order);
  await lab.noted(order, 'ready');
  await lab.crash();
  await lab.open();
  lab.pool.adopt(lab.adoption(order));
  await until('the worker to come back', () => lab.of(order.attempt_id).reconnections.length === 1);
  lab.pool.stop(order.attempt_id, 'stop', 3000);
  const exit = await lab.exit(order, AT_ONCE_MS);
  expect(exit.survivors).toEqual([]);
  expect(exit.proof.method).toBe('observed');
  expect(exit.ended.map(({ pid }) => pid)).toContain(Number(lab.notes(order, 'tool')[0]));
  expect(lab.events(order, 'ended')).toMatchObject([{ report: { cut_by: 'stop' } }]);
});

test('D4: open calls and asks are named again after a cut, and their answers still arrive', async () => {
  const pool = await lab.open();
  const order = lab.order(async ({ port, note }) => {
    const ask = port.ask({ kind: 'question', title: 'Which?', tool: null, detail: '', diff: null });
    const call = port.call('call-1', 'delegate_task', {});
    note('heard', JSON.stringify([(await ask).note, (await call).text]));
  });
  pool.start(order);
  const ask = await lab.event(order, 'ask');
  await lab.event(order, 'call');
  const { events } = lab.of(order.attempt_id);
  const called = events.find(({ event }) => event.type === 'call')?.seq ?? Infinity;
  await until('the commit', () => lab.of(order.attempt_id).committed >= called);
  await lab.crash();
  await lab.open();
  lab.pool.adopt(lab.adoption(order));
  const { reconnections } = lab.of(order.attempt_id);
  await until('the worker to come back', () => reconnections.length === 1);
  expect(reconnections).toEqual([{ open_calls: ['call-1'], open_asks: [ask.key] }]);
  const { attempt_id } = order;
  const result = { type: 'call_result', call_id: 'call-1', is_error: false, background: null, display: null } as const;
  lab.pool.send(attempt_id, { ...result, text: 'delegated' });
  lab.pool.send(attempt_id, { type: 'answer', key: ask.key, choice: 'text', remember: false, note: 'this' });
  await lab.exit(order);
  expect(lab.notes(order, 'heard')).toEqual([JSON.stringify(['this', 'delegated'])]);
});

test('case 41: a worker that a later core refuses ends its run and itself, and leaves its spool', async () => {
  const pool = await lab.open();
  const order = lab.order(COUNTS);
  pool.start(order);
  await until('some events', () => lab.of(order.attempt_id).committed > 50);
  await lab.crash();
  forgetUncommitted(order);
  await lab.open();
  lab.pool.revoke(order.attempt_id);
  lab.signal(order, 'enough');
  await until('its end', async () => !(await isSameProcess(identityOf(order))));
  expect(readFileSync(`${order.folder}/stderr.log`, 'utf8')).toContain('The core refused this worker');
  expect(readFileSync(`${order.folder}/spool.ndjson`, 'utf8')).toContain('"type":"ended"');
  const late = new RawWorker(lab.home).hello('x', order.attempt_id);
  expect(await late.heard('refused')).toMatchObject({ code: 'revoked' });
});
