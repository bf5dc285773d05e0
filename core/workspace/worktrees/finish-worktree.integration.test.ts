import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { finishWorktree } from './finish-worktree.ts';
import { GitFixture } from './git-fixture.ts';
import { inspectWorktree } from './inspect-worktree.ts';
import type { Worktree } from '../../protocol/worktree.ts';

let fixture: GitFixture;
let worktree: Worktree;

beforeEach(async () => {
  fixture = GitFixture.withCommit();
  worktree = await fixture.worktree();
});
afterEach(() => {
  fixture.remove();
});

const finish = () => finishWorktree(worktree, fixture);
const inTree = (...names: string[]): string => join(worktree.path, ...names);

test('case 45: clean and no commit → removed, with its branch and entry; the project is as before', async () => {
  const before = fixture.fingerprint();
  const { path, branch, base_commit } = worktree;
  expect(await finish()).toEqual({ path, branch, base_commit, commits: 0, dirty: false, kept: false });
  expect(existsSync(path)).toBe(false);
  expect(fixture.branches()).toEqual([]);
  expect(fixture.git(['worktree', 'list']).split('\n')).toHaveLength(1);
  expect(fixture.fingerprint()).toBe(before);
});

test('case 45: untracked only, with status.showUntrackedFiles=no → kept, dirty (W3)', async () => {
  fixture.git(['config', 'status.showUntrackedFiles', 'no']);
  writeFileSync(inTree('new file.txt'), 'work');
  expect(await finish()).toMatchObject({ commits: 0, dirty: true, kept: true });
  expect(readFileSync(inTree('new file.txt'), 'utf8')).toBe('work');
  expect(fixture.git(['worktree', 'list', '--porcelain'])).not.toContain('locked');
});

test('case 45: one commit → kept, commits 1', async () => {
  writeFileSync(inTree('a.txt'), 'work');
  fixture.commit('work', worktree.path);
  expect(await finish()).toMatchObject({ commits: 1, dirty: false, kept: true });
  expect(fixture.branches()).toEqual([worktree.branch]);
});

test.each<[name: string, work: () => void]>([
  ['a changed file', () => writeFileSync(inTree('a.txt'), 'x')],
  ['a staged file', () => (writeFileSync(inTree('s.txt'), 'x'), fixture.git(['add', 's.txt'], worktree.path))],
  ['a removed file', () => rmSync(inTree('a.txt'))],
  ['a file in a new folder', () => fixture.write('deep/er/x.txt', 'x', worktree.path)],
  ['a repository inside', () => fixture.git(['init', '--quiet', 'inner'], worktree.path)],
  ['a change that git was told not to look at', () => hide('--assume-unchanged')],
  ['a change that git was told to skip', () => hide('--skip-worktree')],
  ['a new ignore rule that hides the work', () => fixture.write('.gitignore', '*.log\n', worktree.path)],
])('%s → kept, dirty (W3)', async (_, work) => {
  work();
  expect(await finish()).toMatchObject({ dirty: true, kept: true });
  expect(existsSync(worktree.path)).toBe(true);
});

function hide(flag: string): void {
  fixture.git(['update-index', flag, 'a.txt'], worktree.path);
  writeFileSync(inTree('a.txt'), 'hidden work');
}

test('ignored files alone are nothing: the worktree is removed', async () => {
  fixture.write('.git/info/exclude', 'build/\n');
  fixture.write('build/out.o', 'x', worktree.path);
  expect(await finish()).toMatchObject({ dirty: false, kept: false });
});

test('commits on a branch that the run made itself are counted and kept (W3)', async () => {
  fixture.git(['checkout', '--quiet', '-b', 'mine'], worktree.path);
  writeFileSync(inTree('a.txt'), 'work');
  fixture.commit('work', worktree.path);
  expect(await finish()).toMatchObject({ commits: 1, kept: true });
});

test('commits on the branch count although the run has checked out something else (W3)', async () => {
  writeFileSync(inTree('a.txt'), 'work');
  fixture.commit('work', worktree.path);
  fixture.git(['checkout', '--quiet', '--detach', worktree.base_commit], worktree.path);
  expect(await finish()).toMatchObject({ commits: 1, dirty: false, kept: true });
});

test('commits that a reset took off the branch → kept, and said (W3)', async () => {
  writeFileSync(inTree('a.txt'), 'work');
  fixture.commit('work', worktree.path);
  fixture.git(['reset', '--quiet', '--hard', worktree.base_commit], worktree.path);
  const result = await finish();
  expect(result).toMatchObject({ commits: 0, dirty: false, kept: true, note: '1 commits are on no branch any more.' });
});

test('a damaged index → kept, inspection_failed with probe, exit code and git’s words (W3)', async () => {
  writeFileSync(inTree('work.txt'), 'work');
  const index = fixture.git(['rev-parse', '--path-format=absolute', '--git-path', 'index'], worktree.path);
  writeFileSync(index, 'damaged');
  const result = await finish();
  expect(result).toMatchObject({ commits: 0, dirty: null, kept: true });
  expect(result.inspection_failed).toMatchObject({ probe: 'status', exit_code: 128 });
  expect(result.inspection_failed?.stderr).toContain('index file');
  expect(readFileSync(inTree('work.txt'), 'utf8')).toBe('work');
});

test('a branch that starts from nothing → kept, inspection_failed', async () => {
  fixture.git(['checkout', '--quiet', '--orphan', 'fresh'], worktree.path);
  expect(await finish()).toMatchObject({ commits: null, kept: true, inspection_failed: { probe: 'rev-list' } });
});

test('git is missing at the end → kept, inspection_failed', async () => {
  const result = await finishWorktree(worktree, { ...fixture, environment: { PATH: '/nowhere' } });
  expect(result).toMatchObject({ commits: null, dirty: null, kept: true, inspection_failed: { probe: 'repository' } });
  expect(existsSync(worktree.path)).toBe(true);
});

test('the .git file leads to another repository → kept, nothing of either is touched', async () => {
  const other = join(fixture.root, 'other');
  mkdirSync(other);
  fixture.git(['init', '--quiet'], other);
  writeFileSync(inTree('.git'), `gitdir: ${join(other, '.git')}\n`);
  expect(await finish()).toMatchObject({ kept: true, inspection_failed: { probe: 'owner' } });
  expect(existsSync(inTree('a.txt'))).toBe(true);
});

test('the folder became a link to the project → the project is not removed', async () => {
  const before = fixture.fingerprint();
  rmSync(worktree.path, { recursive: true });
  symlinkSync(fixture.project, worktree.path);
  expect(await finish()).toMatchObject({ kept: true, inspection_failed: { probe: 'owner' } });
  expect(fixture.fingerprint()).toBe(before);
});

test('the folder is gone: without commits entry and branch go, with commits the branch stays', async () => {
  rmSync(worktree.path, { recursive: true });
  const result = await finish();
  expect(result).toMatchObject({ commits: 0, dirty: false, kept: false });
  expect(result.note).toContain('was not there any more');
  expect(fixture.branches()).toEqual([]);
  expect(fixture.git(['worktree', 'list']).split('\n')).toHaveLength(1);
  worktree = await fixture.worktree();
  writeFileSync(inTree('a.txt'), 'work');
  fixture.commit('work', worktree.path);
  rmSync(worktree.path, { recursive: true });
  expect(await finish()).toMatchObject({ commits: 1, kept: true });
  expect(fixture.branches()).toEqual([worktree.branch]);
});

test('looking takes no lock and changes nothing in the worktree', async () => {
  const lock = fixture.git(['rev-parse', '--path-format=absolute', '--git-path', 'index.lock'], worktree.path);
  writeFileSync(lock, '');
  writeFileSync(inTree('a.txt'), 'x');
  const found = await inspectWorktree(worktree, fixture);
  expect(found).toMatchObject({ commits: 0, dirty: true });
  expect(found.inspection_failed).toBeUndefined();
});
