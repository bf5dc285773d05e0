import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { Assignment } from '../../protocol/frames.ts';
import type { TurnInput } from '../../scripted-model/script-input.ts';
import { installRealAgents, realProgram } from '../../testing/real-agents.ts';
import { RunLab } from '../../testing/run-lab.ts';
import { ScriptedPort } from '../../testing/scripted-port.ts';
import { runAcp } from './run.ts';

let folder = '';

// The first time the program itself has to come.
beforeAll(async () => {
  folder = await installRealAgents('tests');
}, 600_000);

const LIMIT_MS = 90_000;

/** The real Codex over ACP against the scripted model. */
async function open(turns: TurnInput[], more: { repeat_last?: boolean } = {}) {
  const lab = await RunLab.open(turns, more);
  const { command, args, env } = realProgram('codex-acp', folder, join(lab.outer, 'home'), lab.model.url);
  const agent: Assignment['agent'] = {
    id: 'codex-acp',
    runner: 'acp',
    adapter: 'codex-acp',
    description: 'Codex',
    source: 'settings',
    command,
    args: [...args],
    env: { ...env },
  };
  const assignment = (change: Partial<Assignment>): Assignment => lab.assignment({ agent, models: [], ...change });
  const run = (port: ScriptedPort, change: Partial<Assignment> = {}) => runAcp(assignment(change), port);
  return { lab, run, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() };
}

it('codex over ACP works with its tools, and its answer, tokens and calls are in the report', { timeout: LIMIT_MS }, async () => {
  const shell = { tool_call: { name: 'exec_command', arguments: { cmd: 'printf hello > out.txt && cat out.txt' } } };
  await using codex = await open([[{ text: 'I do it.' }, shell], 'All done.']);
  const port = new ScriptedPort();
  const { report, session } = await codex.run(port);
  expect(report).toMatchObject({ answer: 'All done.', error: null });
  expect(codex.lab.read('out.txt')).toBe('hello');
  expect(report.progress.tool_calls).toBe(1);
  expect(report.progress.tokens.output).toBeGreaterThan(0);
  expect(session).toMatchObject({ runner: 'acp' });
});
