import { expect, it } from 'vitest';
import type { Assignment } from '../../protocol/frames.ts';
import { RunLab } from '../../testing/run-lab.ts';
import { scriptedCli, type CliStep } from '../../testing/scripted-cli.ts';
import { ScriptedPort } from '../../testing/scripted-port.ts';
import type { RunnerEnd } from '../contract.ts';
import { runCli } from './run.ts';

const SESSION = { type: 'system', subtype: 'init', session_id: 'session-1' };
const DONE = { type: 'result', subtype: 'success', is_error: false };
const said = (text: string) => ({
  type: 'assistant',
  message: { id: text, content: [{ type: 'text', text }] },
});

async function play(
  steps: readonly CliStep[],
  port: ScriptedPort,
  more: Partial<Assignment> = {},
  adapter = 'claude-cli',
): Promise<RunnerEnd> {
  await using lab = RunLab.withoutModel();
  return await runCli(lab.assignment({ agent: scriptedCli(lab.outer, adapter, steps), ...more }), port);
}

it('T1: at the limit of its turns, which are counted by message, a lead waits for its next one', async () => {
  const port = new ScriptedPort();
  port.message({ message_id: 'm1', origin: 'message', text: 'And the rest?', delegation_id: null });
  port.message(null);
  const { report } = await play(
    [
      { out: SESSION },
      { out: said('One.') },
      { out: { ...DONE, subtype: 'error_max_turns' } },
      { input: 'And the rest?' },
      { out: said('Two.') },
      { out: { ...DONE, result: 'Two.' } },
    ],
    port,
    { lead: true },
  );
  expect(port.answers.map(({ answer, report: told }) => [answer, told?.limit])).toEqual([
    ['One.', 'max_turns'],
    ['Two.', null],
  ]);
  expect(report).toMatchObject({ answer: 'Two.', limit: null, error: null });
});

const OUTPUT = { output_schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } };

it.each([
  ['of turns', { subtype: 'error_max_turns' }, 'max_turns'],
  [
    'of the length of one answer, which the output was not cut by',
    { stop_reason: 'max_tokens', result: '{"n":4}' },
    null,
  ],
])('T2: an output in the last words counts at a limit %s', async (_name, result, limit) => {
  const steps = [{ out: SESSION }, { out: said('{"n":4}') }, { out: { ...DONE, ...result } }];
  const { report } = await play(steps, new ScriptedPort(), OUTPUT);
  expect(report).toMatchObject({ output: { n: 4 }, schema: { valid: true, retries: 0 }, limit });
});

it('P3: an agent that hears nothing while it works is told the news with its next prompt, once', async () => {
  const port = new ScriptedPort();
  port.notice('A child has failed.');
  port.steer('steer_1', 'Once more.', 'follow_up');
  const stats = { total_tokens: 12, input_tokens: 10, output_tokens: 2 };
  const { report } = await play(
    [
      { out: { type: 'init', session_id: 'g-1' } },
      { out: { type: 'message', role: 'assistant', content: 'Yes.', delta: true } },
      { out: { type: 'result', status: 'success', stats } },
    ],
    port,
    {},
    'gemini-cli',
  );
  expect(report).toMatchObject({ answer: 'Yes.', progress: { turns: 2 } });
  const news = port.entries.filter(({ meta }) => meta.type === 'user' && meta.origin === 'notice');
  expect(news.map(({ text }) => text)).toEqual(['A child has failed.']);
});

it('T3: a last line without its end is read when the program has ended, also while what it started holds its output', async () => {
  const finish = { type: 'step_finish', sessionID: 'o-1', part: { reason: 'stop', tokens: { input: 5, output: 1 } } };
  const { report } = await play(
    [
      { out: { type: 'text', sessionID: 'o-1', part: { id: 'p', text: 'All done.' } } },
      { keeps: 'sleep 300' },
      { raw: JSON.stringify(finish) },
      { exit: 0 },
    ],
    new ScriptedPort(),
    {},
    'opencode-cli',
  );
  expect(report).toMatchObject({ answer: 'All done.', error: null, progress: { turns: 1 } });
});
