import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RunLab } from '../../testing/run-lab.ts';
import { ScriptedPort } from '../../testing/scripted-port.ts';
import { scriptedCli } from '../../testing/scripted-cli.ts';
import { runCli } from './run.ts';

const SESSION = { type: 'system', subtype: 'init', session_id: 'session-1' };
const DONE = { type: 'result', subtype: 'success', is_error: false, result: 'All done.' };

it.each([
  ['twice', 2, { answer: 'All done.', error: null }, 3],
  ['whenever it is started', 99, { answer: '', error: { reason: 'process' } }, 4],
])(
  'R8: a program that dies %s before it says anything is started again, at most three times',
  async (_, deaths, expected, starts) => {
    await using lab = RunLab.withoutModel();
    const agent = scriptedCli(lab.outer, 'claude-cli', [{ out: SESSION }, { out: DONE }]);
    const log = join(lab.outer, 'starts');
    const script = `echo x >> "$0"; [ "$(wc -l < "$0")" -gt ${deaths} ] || exit 1; exec "$@"`;
    const args = ['-c', script, log, agent.command ?? '', ...(agent.args ?? [])];
    const assignment = lab.assignment({ agent: { ...agent, command: '/bin/sh', args } });
    expect((await runCli(assignment, new ScriptedPort())).report).toMatchObject(expected);
    expect(readFileSync(log, 'utf8')).toBe('x\n'.repeat(starts));
  },
);

it('R8: a program that had said anything, or that no repetition mends, is not started again', async () => {
  for (const [said, reason] of [
    ['{"type":"system"}\\n', 'process'],
    ['', 'auth'],
  ] as const) {
    await using lab = RunLab.withoutModel();
    const log = join(lab.outer, 'starts');
    const agent = scriptedCli(lab.outer, 'claude-cli', []);
    const script = `echo x >> "$0"; printf '${said}'; [ -n '${said}' ] || echo 'Invalid API key: please run /login' >&2; exit 1`;
    const assignment = lab.assignment({ agent: { ...agent, command: '/bin/sh', args: ['-c', script, log] } });
    expect((await runCli(assignment, new ScriptedPort())).report.error?.reason).toBe(reason);
    expect(readFileSync(log, 'utf8')).toBe('x\n');
  }
});
