import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clearUnused } from './clear-unused.ts';
import { GitFixture, value } from './git-fixture.ts';
import { lockWorktree } from './lock-worktree.ts';
import { finishWorktree } from './finish-worktree.ts';

let fixture: GitFixture;
beforeEach(() => {
  fixture = GitFixture.withCommit();
});
afterEach(() => {
  fixture.remove();
});

const clear = (run_id: string, dataFolder = fixture.data) =>
  clearUnused({ run_id, project: fixture.project, dataFolder, environment: fixture.environment });

test('W1: what was begun for the run goes with its branch, half made too; what others have stays', async () => {
  const whole = await fixture.worktree({ run_id: 'run_000000000001' });
  const half = await fixture.worktree({ run_id: 'run_000000000001' });
  const other = await fixture.worktree({ run_id: 'run_000000000002' });
  rmSync(half.path, { recursive: true });
  expect(value(await clear('run_000000000001'))).toBe(2);
  expect(existsSync(whole.path)).toBe(false);
  expect(existsSync(other.path)).toBe(true);
  expect(fixture.branches()).toEqual([other.branch]);
  expect(fixture.git(['worktree', 'list', '--porcelain'])).not.toContain('run_000000000001');
});

test('W1: what was claimed and never became a worktree goes; what another run has claimed keeps its branch', async () => {
  const claim = async (run_id: string, name: string) => {
    const made = await fixture.worktree({ run_id, slugSource: name });
    fixture.git(['worktree', 'remove', '--force', '--force', made.path]);
    mkdirSync(made.path);
    return made;
  };
  const ours = await claim('run_000000000001', 'Ours');
  const other = await claim('run_000000000002', 'Other');
  const bare = join(fixture.data, 'worktrees', 'fix-the-parser', 'only-the-folder');
  mkdirSync(bare);
  expect(value(await clear('run_000000000001'))).toBe(0);
  expect([ours.path, bare, other.path].map((path) => existsSync(path))).toEqual([false, false, true]);
  expect(fixture.branches()).toEqual([other.branch]);
});

test('W1: a worktree with that reason outside of our data folder is not ours', async () => {
  const foreign = join(fixture.root, 'foreign');
  fixture.git(['worktree', 'add', '--quiet', '--lock', '--reason', 'espalier run_000000000001', foreign]);
  expect(value(await clear('run_000000000001'))).toBe(0);
  expect(existsSync(foreign)).toBe(true);
});

test('W1: a branch that was moved meanwhile stays', async () => {
  const { path, branch } = await fixture.worktree({ run_id: 'run_000000000001' });
  fixture.write('work.txt', 'work', path);
  const commit = fixture.commit('work', path);
  fixture.git(['checkout', '--quiet', '--detach', 'HEAD~1'], path);
  expect(value(await clear('run_000000000001'))).toBe(1);
  expect(fixture.git(['rev-parse', branch])).toBe(commit);
});

test('C5: a kept worktree is locked again for the run that goes on in it; one that is gone is refused', async () => {
  const first = await fixture.worktree({ run_id: 'run_000000000001' });
  fixture.write('work.txt', 'work', first.path);
  await finishWorktree(first, fixture);
  expect(fixture.git(['worktree', 'list', '--porcelain'])).not.toContain('locked');
  const next = { ...first, run_id: 'run_000000000002', made_for: first.run_id };
  value(await lockWorktree(next, fixture));
  expect(fixture.git(['worktree', 'list', '--porcelain'])).toContain('locked espalier run_000000000002');
  rmSync(first.path, { recursive: true });
  expect(await lockWorktree(next, fixture)).toMatchObject({ ok: false, error: { code: 'git_failed' } });
});
