import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Assignment } from '../../protocol/frames.ts';
import { RunLab } from '../../testing/run-lab.ts';
import { ScriptedPort } from '../../testing/scripted-port.ts';
import type { RunnerEnd } from '../contract.ts';
import { runCommand } from './run.ts';
import { TEST_RUN_ID } from '../../testing/test-run.ts';

const AGENT: Assignment['agent'] = { id: 'command', runner: 'command', description: '', source: 'builtin' };

async function shell(goal: string, port = new ScriptedPort(), more: Partial<Assignment> = {}): Promise<RunnerEnd> {
  await using lab = RunLab.withoutModel();
  return await lab.run(runCommand, port, { agent: AGENT, goal, ...more });
}

it('case 17: true → exit 0, no output, no cost', async () => {
  const port = new ScriptedPort();
  const { report, session } = await shell('true', port);
  expect(session).toBeNull();
  expect(report).toMatchObject({
    exit: { code: 0, signal: null },
    answer: '',
    error: null,
    cut_by: null,
    schema: null,
    progress: { turns: 0, tool_calls: 0, cost_usd: 0, cost_status: 'included' },
  });
  expect(port.entries.map(({ meta }) => meta.type)).toEqual(['user']);
});

it('case 17: exit 3 → its status, the last line of stderr last', async () => {
  const { report } = await shell('echo out; echo "no such table" >&2; exit 3');
  expect(report).toMatchObject({ exit: { code: 3, signal: null }, answer: 'out\nno such table', error: null });
});

it('case 17: killed by SIGSEGV → its signal', async () => {
  const { report } = await shell('kill -SEGV $$');
  expect(report).toMatchObject({ exit: { code: null, signal: 'SIGSEGV' }, error: null });
});

it('writes both streams into the transcript, apart, as they come', async () => {
  const port = new ScriptedPort();
  const { report } = await shell('printf "one\\n"; printf "\\033[31mbad\\033[0m\\n" >&2; printf "two"', port);
  const outputs = port.entries.flatMap(({ meta, text, ended }) =>
    meta.type === 'output' ? [{ stream: meta.stream, text, ended }] : [],
  );
  expect(outputs).toHaveLength(2);
  expect(outputs).toContainEqual({ stream: 'stdout', text: 'one\ntwo', ended: true });
  expect(outputs).toContainEqual({ stream: 'stderr', text: '\u001b[31mbad\u001b[0m\n', ended: true });
  expect(report.answer).toBe('one\ntwo');
  expect(port.activities[0]).toMatch(/^Running printf/);
  expect(port.signsOfLife).toBeGreaterThan(0);
});

it('works in the workspace, with the marker and without keys (K5)', async () => {
  await using lab = RunLab.withoutModel();
  lab.write('here.txt', 'x');
  const { report } = await lab.run(runCommand, new ScriptedPort(), {
    agent: { ...AGENT, env: { FROM_AGENT: 'yes' } },
    goal: 'ls; env',
    environment: { PATH: process.env.PATH ?? '', MY_KEY: 'secret-1', GIT_DIR: '/elsewhere' },
    hidden_variables: ['MY_KEY'],
  });
  expect(report.answer).toContain('here.txt');
  expect(report.answer).toContain(`ESPALIER_RUN=${TEST_RUN_ID}`);
  expect(report.answer).toContain('FROM_AGENT=yes');
  expect(report.answer).not.toMatch(/secret-1|elsewhere/);
});

it('gives a template the goal as one argument, byte for byte (B04)', async () => {
  const goal = `two words "quoted" $HOME 'x'; exit 9\nsecond line`;
  const agent = { ...AGENT, command: 'printf', args: ['[%s]', '{goal}'] };
  const { report } = await shell(goal, new ScriptedPort(), { agent });
  expect(report).toMatchObject({ exit: { code: 0, signal: null }, answer: `[${goal}]` });
});

it('gives a template without the goal its text on standard input', async () => {
  const { report } = await shell('The goal.', new ScriptedPort(), { agent: { ...AGENT, command: 'cat' } });
  expect(report.answer).toBe('The goal.');
});

it('a program that is not there is told as such', async () => {
  const { report } = await shell('x', new ScriptedPort(), {
    agent: { ...AGENT, command: 'no-such-program', args: [] },
  });
  expect(report).toMatchObject({ exit: null, error: { reason: 'agent_not_found' } });
});

it.each(['stop', 'deadline'] as const)(
  'case 17: %s while it runs ends its tree and keeps what it wrote',
  async (why) => {
    const port: ScriptedPort = new ScriptedPort();
    const running = shell('echo begun; trap "" TERM; sleep 300 & sleep 300', port);
    // The goal, which has the word too, is an entry as well.
    while (!port.entries.some(({ meta, text }) => meta.type === 'output' && text.includes('begun')))
      await new Promise((resolve) => setImmediate(resolve));
    port.stopWith(why);
    const { report } = await running;
    expect(report).toMatchObject({ cut_by: why, answer: 'begun', exit: null, error: null });
    expect(port.entries.every(({ ended }) => ended)).toBe(true);
  },
);

it('a stop that came first starts nothing', async () => {
  await using lab = RunLab.withoutModel();
  const port = new ScriptedPort();
  port.stopWith('stop');
  const { report } = await lab.run(runCommand, port, { agent: AGENT, goal: 'touch made' });
  expect(report).toMatchObject({ cut_by: 'stop', exit: null, error: null });
  expect(lab.read('made')).toBeNull();
});

it('C4: what it left running is ended with it and listed', async () => {
  const { report } = await shell('sleep 300 & echo started');
  expect(report.exit).toEqual({ code: 0, signal: null });
  expect(report.background).toMatchObject([{ command: expect.stringContaining('sleep 300') as string }]);
});

it('bounds a long output in the transcript and keeps all of it in a private file', async () => {
  await using lab = RunLab.withoutModel();
  const port = new ScriptedPort();
  const goal =
    'i=0; while [ $i -lt 40000 ]; do echo "line $i of a very long output, padded to some length"; i=$((i+1)); done';
  const { report } = await lab.run(runCommand, port, { agent: AGENT, goal });
  const output = port.entries.find(({ meta }) => meta.type === 'output');
  expect(output?.text.length).toBeLessThan(1_100_000);
  expect(output?.text).toContain('line 0 of');
  expect(output?.text).toMatch(/characters cut; the whole is in/);
  expect(output?.text).toContain('line 39999 of');
  expect(report.answer).toContain('line 39999 of');
  const notice = port.entries.find(({ meta }) => meta.type === 'notice')?.text ?? '';
  const path = / is in (\S+\.txt)/.exec(notice)?.[1] ?? '';
  expect(readFileSync(path, 'utf8').match(/\n/g)).toHaveLength(40_000);
});

it('C2: it cannot be steered; what was sent is missed with its text', async () => {
  const port = new ScriptedPort();
  port.steer('steer_1', 'Hurry.');
  const { report } = await shell('true', port);
  expect(report.missed_steer).toEqual([{ steer_id: 'steer_1', text: 'Hurry.' }]);
});
