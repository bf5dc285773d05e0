import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { finishChange } from './finish-change.ts';
import { GitFixture } from './git-fixture.ts';

const fixtures: GitFixture[] = [];
const withCommit = (): GitFixture => {
  const fixture = GitFixture.withCommit();
  fixtures.push(fixture);
  return fixture;
};
afterEach(() => {
  for (const fixture of fixtures.splice(0)) fixture.remove();
});

test('W1, W4: a removal that is taken up again leaves alone what another project has in that place since', async () => {
  const [ours, other] = [withCommit(), withCommit()];
  const worktree = await ours.worktree();
  const tip = ours.git(['rev-parse', worktree.branch]);
  const change = { type: 'removal', state: 'discarded', branch_tip: tip } as const;
  ours.git(['worktree', 'remove', '--force', '--force', worktree.path]);
  ours.git(['branch', '-D', worktree.branch]);
  mkdirSync(dirname(worktree.path), { recursive: true });
  other.git(['worktree', 'add', '--quiet', '-b', 'theirs', worktree.path]);
  other.write('new.txt', 'new', worktree.path);
  const access = ours;
  expect(await finishChange(worktree, change, access)).toEqual({ ok: true, value: true });
  expect(existsSync(`${worktree.path}/new.txt`)).toBe(true);
});

test('W4: a removal that is taken up again takes away what is left of ours, and its branch', async () => {
  const ours = withCommit();
  const worktree = await ours.worktree();
  const tip = ours.git(['rev-parse', worktree.branch]);
  const change = { type: 'removal', state: 'discarded', branch_tip: tip } as const;
  expect(await finishChange(worktree, change, ours)).toEqual({ ok: true, value: true });
  expect(existsSync(worktree.path)).toBe(false);
  expect(ours.branches()).toEqual([]);
});

test('W4: what cannot be told for ours stays: a repository of its own in that place is not taken away', async () => {
  const ours = withCommit();
  const worktree = await ours.worktree();
  const tip = ours.git(['rev-parse', worktree.branch]);
  const change = { type: 'removal', state: 'discarded', branch_tip: tip } as const;
  ours.git(['worktree', 'remove', '--force', '--force', worktree.path]);
  mkdirSync(worktree.path, { recursive: true });
  ours.git(['init', '--quiet', worktree.path]);
  expect(await finishChange(worktree, change, ours)).toEqual({ ok: true, value: true });
  expect(existsSync(`${worktree.path}/.git/HEAD`)).toBe(true);
});
