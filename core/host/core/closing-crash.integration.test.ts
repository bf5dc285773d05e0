import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CoreLab, isAlive } from '../../testing/core-lab.ts';
import { until } from '../../testing/process-trees.ts';
import { SlowGit } from '../../testing/slow-git.ts';

function worktrees(lab: CoreLab): number {
  return lab.git.git(['worktree', 'list', '--porcelain']).match(/^worktree /gm)?.length ?? 0;
}

function lines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
}

describe('a core that goes while a worktree is made (W1)', () => {
  test('killed: what was begun is removed, the run starts anew and gets one worktree', async () => {
    await using lab = new CoreLab();
    const git = new SlowGit(lab, 'reset --hard');
    const elsewhere = await lab.dispatchElsewhere(['echo once >> work.txt'], git.environment);
    await git.reached();
    await elsewhere.kill();
    await git.release();
    expect(worktrees(lab)).toBe(2);
    await lab.host();
    await lab.project();
    const result = await lab.result(elsewhere.answer);
    expect(result).toMatchObject({ status: 'completed', worktree: { kept: true, dirty: true, commits: 0 } });
    expect(lines(join(result.worktree?.path ?? '', 'work.txt'))).toEqual(['once']);
    expect(worktrees(lab)).toBe(2);
    expect(lab.git.branches()).toEqual([result.worktree?.branch]);
    expect(await lab.row(result.run_id)).toMatchObject({ attempts: 2 });
    expect(await lab.count('run_ended', result.run_id)).toBe(1);
  });

  test('closed: nothing is left of it, and the next core starts the run', async () => {
    await using lab = new CoreLab();
    const git = new SlowGit(lab, 'reset --hard');
    await lab.host({ environment: git.environment });
    const answer = await lab.dispatch(['echo once >> work.txt']);
    await git.reached();
    await lab.leave();
    expect(worktrees(lab)).toBe(1);
    expect(lab.git.branches()).toEqual([]);
    await lab.host();
    const result = await lab.result(answer);
    expect(lines(join(result.worktree?.path ?? '', 'work.txt'))).toEqual(['once']);
    expect(lab.git.branches()).toHaveLength(1);
  });

  test('closed with everything that is at work: the run was stopped, and nothing is left', async () => {
    await using lab = new CoreLab();
    const git = new SlowGit(lab, 'reset --hard');
    await lab.host({ environment: git.environment });
    const answer = await lab.dispatch(['touch started']);
    await git.reached();
    await lab.leave({ endAll: true });
    expect(worktrees(lab)).toBe(1);
    await lab.host();
    expect(await lab.result(answer)).toMatchObject({ status: 'stopped', worktree: null });
  });

  test('case 33: stopped meanwhile → nothing is left, and the model or program is never started', async () => {
    await using lab = new CoreLab();
    const git = new SlowGit(lab, 'reset --hard');
    await lab.host({ environment: git.environment });
    const answer = await lab.dispatch(['touch started']);
    await git.reached();
    const [run = ''] = answer.run_ids;
    const tells = await lab.rowWhen(run, 'the row to tell', ({ activity }) => activity === 'Creating a worktree');
    expect(tells).toMatchObject({ state: 'starting' });
    await lab.stop(answer.delegation_id);
    expect(await lab.result(answer)).toMatchObject({ status: 'stopped', worktree: null });
    expect(worktrees(lab)).toBe(1);
    expect(lab.git.branches()).toEqual([]);
    const root = join(lab.git.data, 'worktrees');
    expect(readdirSync(root).flatMap((folder) => readdirSync(join(root, folder)))).toEqual([]);
  });
});

describe('a core that goes after the work of a run and before its end', () => {
  const CHECK = 'echo check >> "$CHECKS"; echo $$ > "$CHECKS.pid"; while [ ! -f "$CHECKS.go" ]; do sleep 0.05; done';

  test.each(['killed', 'closed'])(
    'T4: %s while verify commands run → run again by the next core; the run ends once',
    async (how) => {
      await using lab = new CoreLab();
      const checks = join(lab.git.root, 'checks');
      const environment = { ...lab.git.environment, CHECKS: checks };
      const task = { goal: 'echo once >> work.txt', acceptance: { verify: [{ command: CHECK }] } };
      let answer;
      let go = lab.leave.bind(lab);
      if (how === 'killed') {
        const elsewhere = await lab.dispatchElsewhere([task], environment);
        ({ answer } = elsewhere);
        go = elsewhere.kill;
      } else {
        await lab.host({ environment });
        answer = await lab.dispatch([task]);
      }
      await until('the first check', () => existsSync(`${checks}.pid`));
      const first = Number(readFileSync(`${checks}.pid`, 'utf8'));
      rmSync(`${checks}.pid`);
      await go();
      await lab.host({ environment });
      await lab.project();
      await until('the second check', () => existsSync(`${checks}.pid`));
      // Two of them at once would be at each other's throat.
      expect(await isAlive(first)).toBe(false);
      writeFileSync(`${checks}.go`, '');
      const result = await lab.result(answer);
      expect(result).toMatchObject({
        status: 'completed',
        acceptance: { status: 'passed' },
        worktree: { dirty: true },
      });
      expect(lines(join(result.worktree?.path ?? '', 'work.txt'))).toEqual(['once']);
      expect(lines(checks)).toHaveLength(2);
      expect(await lab.count('run_ended', result.run_id)).toBe(1);
      expect(await lab.row(result.run_id)).toMatchObject({ attempts: 1, state: 'ended' });
    },
  );

  test('T4, W1: another worktree has the place of the run’s when the next core comes → nothing is run in it, measured or unlocked', async () => {
    await using lab = new CoreLab();
    const checks = join(lab.git.root, 'checks');
    const environment = { ...lab.git.environment, CHECKS: checks };
    const task = { goal: 'echo once >> work.txt', acceptance: { verify: [{ command: CHECK }] } };
    const elsewhere = await lab.dispatchElsewhere([task], environment);
    await until('the first check', () => existsSync(`${checks}.pid`));
    await elsewhere.kill();
    writeFileSync(`${checks}.go`, '');
    const [, path = ''] = /^worktree (.*worktrees.*)$/m.exec(lab.git.git(['worktree', 'list', '--porcelain'])) ?? [];
    lab.git.git(['worktree', 'remove', '--force', '--force', path]);
    lab.git.git(['worktree', 'add', '--quiet', '--lock', '--reason', 'mine', '-b', 'theirs', path]);
    const before = lab.git.fingerprint(path);
    await lab.host({ environment });
    await lab.project();
    const result = await lab.result(elsewhere.answer);
    expect(result).toMatchObject({
      status: 'completed',
      acceptance: { status: 'failed' },
      worktree: { kept: true, dirty: null },
    });
    expect(result.worktree?.inspection_failed?.stderr).toContain("not the run's own");
    expect(lines(checks)).toHaveLength(1);
    expect(lab.git.fingerprint(path)).toBe(before);
    expect(lab.git.git(['worktree', 'list', '--porcelain'])).toContain('locked mine');
  });

  test('W3: killed while the worktree is measured → measured by the next core, once', async () => {
    await using lab = new CoreLab();
    const git = new SlowGit(lab, 'worktree unlock');
    const elsewhere = await lab.dispatchElsewhere(['echo once >> work.txt'], git.environment);
    await git.reached();
    await elsewhere.kill();
    await git.release();
    await lab.host();
    await lab.project();
    const result = await lab.result(elsewhere.answer);
    expect(result).toMatchObject({ status: 'completed', worktree: { kept: true, dirty: true } });
    expect(result.worktree).not.toHaveProperty('inspection_failed');
    expect(lines(join(result.worktree?.path ?? '', 'work.txt'))).toEqual(['once']);
    expect(await lab.count('run_ended', result.run_id)).toBe(1);
  });

  test('W3: killed after an empty worktree was removed → the run still ends, with the same result', async () => {
    await using lab = new CoreLab();
    const git = new SlowGit(lab, 'update-ref -d refs/heads/espalier');
    const elsewhere = await lab.dispatchElsewhere(['exit 4'], git.environment);
    await git.reached();
    await elsewhere.kill();
    await git.release();
    await lab.host();
    await lab.project();
    const result = await lab.result(elsewhere.answer);
    expect(result).toMatchObject({
      status: 'failed',
      failure_reason: 'exit_status',
      worktree: { kept: false, commits: 0 },
    });
    expect(lab.git.branches()).toEqual([]);
  });
});
