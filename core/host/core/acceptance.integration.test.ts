import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunRow } from '../../protocol/rows.ts';
import { CoreLab, isAlive } from '../../testing/core-lab.ts';
import { until } from '../../testing/process-trees.ts';

const IN_PROJECT = { defaults: { isolation: 'none' } } as const;
const verify = (...commands: (string | { command: string; timeout_seconds: number })[]) => ({
  verify: commands.map((command) => (typeof command === 'string' ? { command } : command)),
});

/** Waits for the pid that a command writes into a file of the project. */
async function pidFrom(lab: CoreLab, file: string): Promise<number> {
  const path = join(lab.git.project, file);
  await until(`the pid in ${file}`, () => existsSync(path) && readFileSync(path, 'utf8').trim() !== '');
  return Number(readFileSync(path, 'utf8').trim());
}

describe('T4: verify commands of a completed run', () => {
  test('passed: shown beside it, no caveat, ✓', async () => {
    await using lab = await CoreLab.open();
    const answer = await lab.dispatch([{ goal: 'echo built > out.txt', acceptance: verify('cat out.txt') }]);
    const set = await lab.ended(answer);
    expect(set.status).toBe('completed');
    expect(set.totals.acceptance_failed).toBe(0);
    const [result] = set.results;
    expect(result?.acceptance).toEqual({
      status: 'passed',
      commands: [{ command: 'cat out.txt', exit_code: 0, seconds: expect.any(Number) as number, output: 'built' }],
    });
    expect(await lab.row(answer.run_ids[0] ?? '')).toMatchObject({ caveats: [], words: 'Completed' });
    // It ran in the worktree, where the work is (T4).
    expect(existsSync(join(lab.git.project, 'out.txt'))).toBe(false);
  });

  test('failed: a caveat on row, words, set status and totals; all commands are run; the clean sibling is unmarked', async () => {
    await using lab = await CoreLab.open();
    const acceptance = verify('echo first; exit 3', 'echo wrong >&2; kill -SEGV $$', 'true');
    const answer = await lab.dispatch([{ goal: 'echo done', acceptance }, 'echo clean'], IN_PROJECT);
    const set = await lab.ended(answer);
    expect(set).toMatchObject({ status: 'partial', totals: { completed: 2, acceptance_failed: 1, truncated: 0 } });
    expect(set.results[0]).toMatchObject({ status: 'completed', exit_reason: 'done', summary: 'done' });
    expect(set.results[0]?.acceptance?.status).toBe('failed');
    expect(set.results[0]?.acceptance?.commands).toMatchObject([
      { exit_code: 3, output: 'first' },
      { exit_code: null, output: 'wrong\nEnded by SIGSEGV.' },
      { exit_code: 0 },
    ]);
    expect(set.results[0]).not.toHaveProperty('error');
    expect(set.results[1]).not.toHaveProperty('acceptance');
    const [first = '', second = ''] = answer.run_ids;
    const marked = { caveats: ['acceptance_failed'], words: 'Completed: acceptance failed', failure_line: null };
    expect(await lab.row(first)).toMatchObject(marked);
    expect(await lab.row(second)).toMatchObject({ caveats: [], words: 'Completed' });
  });

  test('a task that depends on it does not start (R10)', async () => {
    await using lab = await CoreLab.open();
    const tasks = [
      { id: 'build', goal: 'true', acceptance: verify('false') },
      { goal: 'touch later', depends_on: ['build'] },
    ];
    const set = await lab.ended(await lab.dispatch(tasks, IN_PROJECT));
    expect(set.results[1]).toMatchObject({ status: 'stopped', exit_reason: 'dependency' });
    expect(existsSync(join(lab.git.project, 'later'))).toBe(false);
  });

  test('timeout: the command is ended with all its processes, and that counts as failed', async () => {
    await using lab = await CoreLab.open();
    const command = 'sleep 300 & echo $! > pid; echo waiting; wait';
    const acceptance = verify({ command, timeout_seconds: 0.5 });
    const result = await lab.run({ goal: 'true', acceptance }, IN_PROJECT);
    expect(result.acceptance).toMatchObject({ status: 'failed', commands: [{ exit_code: null }] });
    expect(result.acceptance?.commands[0]?.output).toBe('waiting\nEnded: it took longer than 0.5 s.');
    expect(await isAlive(await pidFrom(lab, 'pid'))).toBe(false);
  });

  test('a run that did not complete is not verified: none', async () => {
    await using lab = await CoreLab.open();
    const result = await lab.run({ goal: 'exit 1', acceptance: verify('touch verified') }, IN_PROJECT);
    expect(result).toMatchObject({ status: 'failed', acceptance: { status: 'none', commands: [] } });
    expect(existsSync(join(lab.git.project, 'verified'))).toBe(false);
  });

  test('a long output is kept head and tail, and bounded', async () => {
    await using lab = await CoreLab.open();
    const acceptance = verify('echo first; yes 0123456789 | head -n 100000; echo last; exit 1');
    const result = await lab.run({ goal: 'true', acceptance }, IN_PROJECT);
    const output = result.acceptance?.commands[0]?.output ?? '';
    expect(output.length).toBeLessThanOrEqual(8000);
    expect(output).toMatch(/^first\n/);
    expect(output).toMatch(/\nlast$/);
    expect(output).toContain('characters cut');
  });

  test('K5: the commands see the marker of the run, no key and none of our variables', async () => {
    await using lab = new CoreLab();
    const environment = { ...lab.git.environment, OPENAI_API_KEY: 'sk-secret', ESPALIER_HOME: '/x', KEPT: 'yes' };
    await lab.host({ environment });
    const acceptance = verify('env | grep -E "^(ESPALIER|OPENAI|KEPT|GIT_DIR)" | sort');
    const result = await lab.run({ goal: 'true', acceptance }, IN_PROJECT);
    expect(result.acceptance?.commands[0]?.output).toBe(`ESPALIER_RUN=${result.run_id}\nKEPT=yes`);
  });
});

describe('C3: a stop while verify commands run', () => {
  test('the command is ended with its processes, no other begins, the run ends stopped and says that nothing was accepted', async () => {
    await using lab = await CoreLab.open();
    const acceptance = verify('echo half; sleep 300 & echo $! > pid; wait', 'touch second');
    const answer = await lab.dispatch([{ goal: 'echo answer', acceptance }], IN_PROJECT);
    const [run_id = ''] = answer.run_ids;
    const pid = await pidFrom(lab, 'pid');
    const checks = ({ activity }: RunRow): boolean => activity?.includes('Checking acceptance: echo half') === true;
    expect(await lab.rowWhen(run_id, 'the row to tell of the check', checks)).toMatchObject({ state: 'running' });
    await lab.stop(run_id);
    const result = await lab.result(answer);
    expect(result).toMatchObject({ status: 'stopped', summary: 'answer', acceptance: { status: 'none' } });
    expect(result.acceptance?.commands).toMatchObject([{ exit_code: null, output: 'half\nStopped.' }]);
    expect(await isAlive(pid)).toBe(false);
    expect(existsSync(join(lab.git.project, 'second'))).toBe(false);
  });

  test('R1: its place stays held until it has ended', async () => {
    await using lab = await CoreLab.open();
    const acceptance = verify('touch checking; while [ ! -f go ]; do sleep 0.05; done');
    const more = { ...IN_PROJECT, max_concurrent: 1 };
    const answer = await lab.dispatch([{ goal: 'true', acceptance }, 'touch second'], more);
    await until('the check', () => existsSync(join(lab.git.project, 'checking')));
    const second = answer.run_ids[1] ?? '';
    await lab.rowWhen(second, 'the second to be queued', ({ reason }) => reason === 'concurrency');
    expect(await lab.row(second)).toMatchObject({ state: 'queued' });
    expect(existsSync(join(lab.git.project, 'second'))).toBe(false);
    writeFileSync(join(lab.git.project, 'go'), '');
    expect((await lab.ended(answer)).status).toBe('completed');
  });
});
