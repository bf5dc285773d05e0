import { expect, test } from 'vitest';
import { createRouter, localClient } from '../../core/host/api/router.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import { SetResult } from '../../core/protocol/result-entry.ts';
import { ModelLab } from '../../core/testing/model-lab.ts';
import { createFakeContext, givenArguments } from '../testing/fake-context.ts';
import { run } from './run.ts';

const READ_NOTHING = { tool_call: { name: 'read', arguments: { path: 'nothing.txt' } } };
const LS = { tool_call: { name: 'ls', arguments: {} } };
const fault = (status: number, type: string, message: string) => ({ fault: { status, type, message } });

/** A task, what its run is to be, the glyph and the end of its line on a terminal, and how often the model is asked. */
const ENDINGS: [task: { goal: string; [field: string]: unknown }, ended: string, line: RegExp, requests: number][] = [
  [{ goal: 'Answer me' }, 'completed done', /^✓ .*s\)$/, 1],
  [{ goal: 'Case 13 error text' }, 'failed error auth', /^✗ .* — .*bad key/, 1],
  [{ goal: 'Case 14 unknown model' }, 'failed error model_not_found', /^✗ .* — .*no-such-model/, 1],
  [{ goal: 'Case 14 overloaded' }, 'failed error overloaded', /^✗ .* — .*busy/, 1],
  [{ goal: 'Case 15 with text', limits: { max_turns: 3 } }, 'completed max_turns truncated', /^⚠ .*s\)$/, 4],
  [{ goal: 'Case 15 only calls', limits: { max_turns: 3 } }, 'failed max_turns empty_answer truncated', /^✗ /, 4],
  [{ goal: 'Case 16 white space' }, 'failed error empty_answer', /^✗ .* — /, 1],
  [{ goal: 'Case 16 failed call' }, 'failed error tool', /^✗ .* — /, 2],
  [{ goal: 'Case 16 said after' }, 'completed done', /^✓ /, 2],
  [{ goal: 'true', agent: 'command' }, 'completed done', /^✓ /, 0],
  [{ goal: 'echo boom >&2; exit 3', agent: 'command' }, 'failed error exit_status', /^✗ .* — exit 3: boom/, 0],
  [{ goal: 'kill -SEGV $$', agent: 'command' }, 'failed error exit_status', /^✗ .* — .*SIGSEGV/, 0],
  [{ goal: 'Case 17 deadline', limits: { timeout_seconds: 2 } }, 'timed_out timeout', /^✗ .* — .*time limit of 2 s/, 1],
];

const SCRIPT = [
  { name: 'Answer me', match: { user: 'Answer me' }, turns: ['Here it is.'] },
  { name: 'Case 13', match: { user: 'Case 13' }, turns: [fault(401, 'authentication_error', 'bad key')] },
  { match: { user: 'unknown model' }, turns: [fault(404, 'not_found_error', 'model: no-such-model')] },
  { match: { user: 'overloaded' }, turns: [fault(529, 'overloaded_error', 'busy')] },
  { match: { user: 'with text' }, turns: [[{ text: 'Done, all fixed.' }, LS]], repeat_last: true },
  { match: { user: 'only calls' }, turns: [LS], repeat_last: true },
  { match: { user: 'white space' }, turns: [' \n'] },
  { match: { user: 'failed call' }, turns: [READ_NOTHING, ''] },
  { match: { user: 'said after' }, turns: [READ_NOTHING, 'There is no such file.'] },
  { match: { user: 'deadline' }, turns: [[{ text: 'Half of it' }, { wait_for: 'never' }, { text: '.' }]] },
];

test('cases 13 to 17, 20, B11: `run` on a real core: exit status, lines and JSON tell the same of each ending', async () => {
  await using lab = await ModelLab.open(SCRIPT, { retries: 0, limits: { concurrency: 4 } });
  const { core, git } = lab.lab;
  const client = localClient(createRouter(core.service, core.hub, silentLogger), 'cli');
  const ended = await Promise.all(
    ENDINGS.map(async ([task]) => {
      const stdin = JSON.stringify([{ agent: 'general', ...task }]);
      const { context, seen } = createFakeContext({ client, cwd: git.project, stdin });
      const status = await run(context, givenArguments(['-'], { json: true, yes: true }));
      const result = SetResult.parse(JSON.parse(seen.out));
      const [entry] = result.results;
      if (entry === undefined) throw new Error('no result');
      return { status, result, entry, row: await lab.lab.row(entry.run_id), notes: seen.notes };
    }),
  );
  for (const [at, [task, expected, line, requests]] of ENDINGS.entries()) {
    const { status, result, entry, row, notes } = ended[at] ?? ended[0] ?? expect.fail('nothing ended');
    const words = [entry.status, entry.exit_reason, entry.failure_reason, entry.truncated ? 'truncated' : undefined];
    expect([task.goal, words.filter((word) => word !== undefined).join(' ')]).toEqual([task.goal, expected]);
    const clean = expected === 'completed done';
    expect([task.goal, status, result.status === 'completed']).toEqual([task.goal, clean ? 0 : 1, clean]);
    expect(row).toMatchObject({ outcome: entry.status, exit_reason: entry.exit_reason, error: entry.error ?? null });
    expect([task.goal, notes]).toEqual([task.goal, expect.arrayContaining([expect.stringMatching(line)])]);
    const asked = lab.model.requests.filter(({ request }) => request.texts[0]?.text.includes(task.goal));
    expect([task.goal, asked.length]).toEqual([task.goal, requests]);
  }
  const timedOut = ended.at(-1)?.entry;
  expect(timedOut).toMatchObject({ summary: 'Half of it', text_cut: true });
}, 90_000);
