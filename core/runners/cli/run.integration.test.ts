import { expect, it } from 'vitest';
import type { ProcessIdentity } from '../../kit/process-tree/process-entry.ts';
import type { Assignment } from '../../protocol/frames.ts';
import { hostProcesses, processIdentity } from '../../kit/process-tree/host-processes.ts';
import { until } from '../../testing/process-trees.ts';
import { RunLab } from '../../testing/run-lab.ts';
import { ScriptedPort } from '../../testing/scripted-port.ts';
import { scriptedCli, type CliStep } from '../../testing/scripted-cli.ts';
import type { RunnerEnd } from '../contract.ts';
import { runCli } from './run.ts';

const SESSION = { type: 'system', subtype: 'init', session_id: 'session-1' };
const DONE = { type: 'result', subtype: 'success', is_error: false, result: 'All done.' };

const said = (text: string) => ({ type: 'assistant', message: { content: [{ type: 'text', text }] } });
const calls = (command: string) => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id: 'call-1', name: 'Bash', input: { command } }] },
});

/** A run of a program that speaks as claude does. */
async function play(
  steps: readonly CliStep[],
  port: ScriptedPort = new ScriptedPort(),
  more: Partial<Assignment> = {},
  adapter = 'claude-cli',
): Promise<RunnerEnd> {
  await using lab = RunLab.withoutModel();
  return await runCli(lab.assignment({ agent: scriptedCli(lab.outer, adapter, steps), ...more }), port);
}

it('the answer, the text and the session come from the stream', async () => {
  const port = new ScriptedPort();
  const { report, session } = await play(
    [{ input: 'Do what' }, { out: SESSION }, { out: said('All done.') }, { out: DONE }],
    port,
  );
  expect(report).toMatchObject({ answer: 'All done.', error: null, cut_by: null, limit: null });
  expect(session).toMatchObject({ adapter: 'claude-cli', session: 'session-1' });
  expect(port.entries.every(({ ended }) => ended)).toBe(true);
  expect(port.isReady).toBe(true);
});

it.each([
  [
    'an error beside the word success',
    { is_error: true, result: 'API Error: 500 x', api_error_status: 500 },
    'server_error',
  ],
  [
    'a refused key',
    { is_error: true, result: 'Failed to authenticate. API Error: 401', api_error_status: 401 },
    'auth',
  ],
  ['an error in the place of an answer', { result: '[API Error: 429 too many requests]' }, 'rate_limit'],
  ['an error in the middle of its work', { subtype: 'error_during_execution', errors: ['overloaded'] }, 'overloaded'],
])('T3: %s is a failure, although the program exits with 0', async (_name, result, reason) => {
  const { report } = await play([{ out: SESSION }, { out: said('Partly.') }, { out: { ...DONE, ...result } }]);
  expect(report.error?.reason).toBe(reason);
});

it('T3: a program that ends without a result has failed, with its last words, whatever its exit status says', async () => {
  const { report } = await play([
    { out: SESSION },
    { out: said('Half') },
    { stderr: 'first\nbroken: no space\n' },
    { exit: 0 },
  ]);
  expect(report.error).toMatchObject({ reason: 'process' });
  expect(report.error?.message).toContain('exit 0');
  expect(report.error?.message).toContain('broken: no space');
  expect(report.answer).toBe('Half');
});

it('a program that is not there is an agent that was not found, also where its server cannot be reached', async () => {
  await using lab = RunLab.withoutModel();
  // Nothing listens there: a look at the network before the program would find that first.
  const env = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' };
  const agent = { ...scriptedCli(lab.outer, 'claude-cli', []), command: 'no-such-agent-program', env };
  const port = new ScriptedPort();
  const assignment = lab.assignment({ agent });
  const { report } = await runCli(assignment, port);
  expect(report.error).toEqual({
    reason: 'agent_not_found',
    message: 'The program was not found: no-such-agent-program.',
  });
  expect(port.entries.map(({ text }) => text)).toEqual([assignment.goal]);
});

it('a program that closes its output and goes on is noticed, and ended', async () => {
  const { report } = await play([{ out: SESSION }, { closeOutput: true }, { hang: true }]);
  expect(report.error?.message).toContain('closed its output');
});

it('banners, half lines, bytes that are no text and a line of 16 MB do no harm', async () => {
  const port = new ScriptedPort();
  const { report } = await play(
    [
      { raw: 'Welcome to the agent!\n\n' },
      { out: SESSION },
      { bytes: [0xff, 0xfe, 0x80, 0x0a] },
      { raw: '{"type":"assi' },
      { raw: 'stant","message":{"content":[{"type":"text","text":"Grüße"}]}}\n' },
      { pad: 16 * 1024 * 1024, out: { type: 'unknown_to_us' } },
      { raw: `${JSON.stringify(DONE)}` },
      { exit: 0 },
    ],
    port,
  );
  expect(report).toMatchObject({ answer: 'All done.', error: null });
  expect(port.entries.map(({ text }) => text)).toContain('Grüße');
});

it('A1: in the mode ask a person decides, and a refusal is told to the agent', async () => {
  const asks = {
    type: 'control_request',
    request_id: 'r1',
    request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'make' } },
  };
  const port = new ScriptedPort({ onAsk: () => ({ choice: 'deny', remember: false, note: 'not now' }) });
  const { report } = await play(
    [
      { out: SESSION },
      { out: calls('make') },
      { out: asks },
      { input: 'not now' },
      { out: said('Then not.') },
      { out: DONE },
    ],
    port,
    { permission: 'ask' },
  );
  expect(port.asks).toMatchObject([{ kind: 'permission', tool: 'Bash', detail: 'make' }]);
  expect(report.error).toBeNull();
});

it('A1: in the mode plan nothing but reading is allowed, without asking anybody', async () => {
  const asks = (request_id: string, tool_name: string) => ({
    out: { type: 'control_request', request_id, request: { subtype: 'can_use_tool', tool_name, input: {} } },
  });
  const port = new ScriptedPort();
  await play(
    [{ out: SESSION }, asks('r1', 'Read'), { input: 'allow' }, asks('r2', 'Edit'), { input: '"deny"' }, { out: DONE }],
    port,
    { permission: 'plan' },
  );
  expect(port.asks).toEqual([]);
});

it('case 30: a steer is delivered when the agent repeats it, once', async () => {
  const port = new ScriptedPort({
    onEntry: ({ meta, ended }) => {
      if (meta.type === 'tool_call' && !ended) port.steer('steer_1', 'Also say hi.');
    },
  });
  const replay = { type: 'user', isReplay: true, message: { content: 'x' } };
  const { report } = await play(
    [
      { out: SESSION },
      { out: replay },
      { out: calls('make') },
      { input: 'Also say hi.' },
      { out: replay },
      { out: said('Hi.') },
      { out: DONE },
    ],
    port,
  );
  expect(port.delivered).toEqual(['steer_1']);
  expect(report.missed_steer).toEqual([]);
});

it('C2: a steer that the agent never takes up is missed, with its text', async () => {
  const port = new ScriptedPort({
    onEntry: ({ meta, ended }) => {
      if (meta.type === 'tool_call' && !ended) port.steer('steer_1', 'Also say hi.');
    },
  });
  const { report } = await play(
    [{ out: SESSION }, { out: calls('make') }, { input: 'Also say hi.' }, { exit: 1 }],
    port,
  );
  expect(port.delivered).toEqual([]);
  expect(report.missed_steer).toEqual([{ steer_id: 'steer_1', text: 'Also say hi.' }]);
});

it('C2: a follow-up begins one more turn of the same session after the answer', async () => {
  const port = new ScriptedPort();
  port.steer('steer_2', 'And now the tests.', 'follow_up');
  const { report } = await play(
    [
      { out: SESSION },
      { out: said('First.') },
      { out: { ...DONE, result: 'First.' } },
      { input: 'And now the tests.' },
      { out: said('Second.') },
      { out: { ...DONE, result: 'Second.' } },
    ],
    port,
  );
  expect(report.answer).toBe('Second.');
  expect(port.delivered).toEqual(['steer_2']);
});

it('C3: a stop asks by the protocol first, and what it says then is kept', async () => {
  const port = new ScriptedPort({
    onEntry: ({ meta, ended }) => {
      if (meta.type === 'tool_call' && !ended) port.stopWith('stop');
    },
  });
  const { report } = await play(
    [
      { out: SESSION },
      { out: said('Half') },
      { out: calls('make') },
      { input: 'interrupt' },
      { out: { ...DONE, subtype: 'error_during_execution' } },
    ],
    port,
    {
      limits: { stop_grace_seconds: 5 } as Assignment['limits'],
    },
  );
  expect(report).toMatchObject({ cut_by: 'stop', answer: 'Half', error: null });
});

it('case 29: tools in sessions of their own are gone after a stop, also when the agent ignores everything', async () => {
  await using lab = RunLab.withoutModel();
  let tool: ProcessIdentity | null = null;
  const isThere = async (): Promise<boolean> => {
    tool = await processIdentity(Number(lab.read('pid') ?? 0));
    return tool !== null;
  };
  const port = new ScriptedPort({
    onEntry: ({ meta, ended }) => {
      if (meta.type !== 'tool_call' || ended) return;
      void until('the tool to run', isThere).then(() => port.stopWith('stop'));
    },
  });
  const steps: CliStep[] = [
    { out: SESSION },
    { tool: 'echo $$ > pid; trap "" TERM; sleep 300 & sleep 300' },
    { out: calls('make') },
    { hang: true },
  ];
  const { report } = await runCli(lab.assignment({ agent: scriptedCli(lab.outer, 'claude-cli', steps) }), port);
  expect(report.cut_by).toBe('stop');
  expect(tool).not.toBeNull();
  expect(await hostProcesses().living(tool === null ? [] : [tool])).toEqual([]);
});

it('R4: at the limit of tool calls the turn is ended, and the run says so', async () => {
  const call = (id: string) => ({
    out: {
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'make' } }] },
    },
  });
  const { report } = await play(
    [
      { out: SESSION },
      { out: said('Working.') },
      call('a'),
      call('b'),
      call('c'),
      { input: 'interrupt' },
      { out: { ...DONE, subtype: 'error_during_execution' } },
    ],
    new ScriptedPort(),
    { limits: { max_tool_calls: 2 } as Assignment['limits'] },
  );
  expect(report).toMatchObject({ limit: 'max_tool_calls', error: null, answer: 'Working.' });
});

it('R8: an agent that tries again what no repetition mends is ended at once', async () => {
  const retry = {
    type: 'system',
    subtype: 'api_retry',
    attempt: 1,
    max_retries: 10,
    error_status: 401,
    error: 'authentication_failed',
  };
  const { report } = await play([{ out: SESSION }, { out: retry }, { hang: true }]);
  expect(report.error?.reason).toBe('auth');
});

it('R7: retries are no sign of life, and a stalled run says what was last seen', async () => {
  const retry = {
    type: 'system',
    subtype: 'api_retry',
    attempt: 1,
    max_retries: 10,
    error_status: 529,
    error: 'overloaded',
  };
  let before = 0;
  const port = new ScriptedPort({
    onEntry: ({ meta }) => {
      if (meta.type !== 'notice') return;
      before = port.signsOfLife;
      port.stopWith('stalled');
    },
  });
  const { report } = await play([{ out: SESSION }, { out: retry }, { hang: true }], port);
  expect(port.signsOfLife).toBe(before);
  expect(report).toMatchObject({ cut_by: 'stalled', error: { reason: 'overloaded' } });
});

it('P8: an output that does not fit gets one repair turn', async () => {
  const output_schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const { report } = await play(
    [
      { out: SESSION },
      { out: { ...DONE, result: '{"n":"x"}' } },
      { input: 'was not accepted' },
      { out: { ...DONE, result: 'Here: {"n":4}' } },
    ],
    new ScriptedPort(),
    { output_schema },
  );
  expect(report).toMatchObject({ output: { n: 4 }, schema: { valid: true, retries: 1 } });
});

it('T1: a lead answers, waits, and goes on with its session until it is told to finish', async () => {
  const port = new ScriptedPort();
  port.message({ message_id: 'm1', origin: 'message', text: 'And the rest?', delegation_id: null });
  port.message(null);
  await play(
    [
      { out: SESSION },
      { out: said('One.') },
      { out: { ...DONE, result: 'One.' } },
      { input: 'And the rest?' },
      { out: said('Two.') },
      { out: { ...DONE, result: 'Two.' } },
    ],
    port,
    { lead: true },
  );
  expect(port.answers.map(({ answer }) => answer)).toEqual(['One.', 'Two.']);
  expect(port.answers[0]?.session).toMatchObject({ session: 'session-1' });
  expect(port.delivered).toEqual(['m1']);
});

it('a program that serves one prompt is started again for the next, in its session', async () => {
  const port = new ScriptedPort();
  port.steer('steer_1', 'Once more.', 'follow_up');
  const message = { type: 'message', role: 'assistant', content: 'Yes.', delta: true };
  const stats = { total_tokens: 12, input_tokens: 10, output_tokens: 2 };
  const { report, session } = await play(
    [
      { out: { type: 'init', session_id: 'g-1' } },
      { out: message },
      { out: { type: 'result', status: 'success', stats } },
    ],
    port,
    {},
    'gemini-cli',
  );
  expect(report.progress).toMatchObject({ turns: 2, tokens: { input: 20, output: 4 } });
  expect(session).toMatchObject({ session: 'g-1' });
  expect(port.delivered).toEqual(['steer_1']);
});

it('an unknown adapter is refused with those that are known', async () => {
  const { report } = await play([], new ScriptedPort(), {}, 'claud');
  expect(report.error).toMatchObject({ reason: 'agent_not_found' });
  expect(report.error?.message).toContain('claude-cli');
});
