import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { discardWorktree } from './discard-worktree.ts';
import { finishWorktree } from './finish-worktree.ts';
import { GitFixture, value } from './git-fixture.ts';
import { keepAsBranch } from './keep-branch.ts';
import type { Worktree } from '../../protocol/worktree.ts';

let fixture: GitFixture;
let modules: string;

beforeEach(() => {
  fixture = GitFixture.withCommit();
  const library = join(fixture.root, 'library');
  mkdirSync(library);
  fixture.git(['init', '--quiet', '--initial-branch=main'], library);
  fixture.write('lib.txt', 'lib\n', library);
  fixture.commit('library', library);
  fixture.git(['submodule', '--quiet', 'add', library, 'vendor/lib']);
  fixture.commit('submodule');
  // From here on the place that it came from cannot be reached.
  rmSync(library, { recursive: true });
  modules = join(fixture.project, '.git', 'modules', 'vendor', 'lib');
});
afterEach(() => {
  fixture.remove();
});

const access = () => ({ environment: fixture.environment, dataFolder: fixture.data });

/** One commit and one dirty file inside the submodule; answers the commit. */
function workInside({ path }: Worktree): string {
  fixture.write('vendor/lib/lib.txt', 'changed\n', path);
  const commit = fixture.commit('inside', join(path, 'vendor', 'lib'));
  fixture.write('vendor/lib/dirty.txt', 'dirty\n', path);
  return commit;
}

test('submodules are filled from what the project has, without the network (B26, W1)', async () => {
  const before = fixture.fingerprint();
  const worktree = await fixture.worktree();
  expect(worktree.notes).toEqual([]);
  expect(readFileSync(join(worktree.path, 'vendor', 'lib', 'lib.txt'), 'utf8')).toBe('lib\n');
  expect(fixture.git(['status', '--porcelain'], worktree.path)).toBe('');
  expect(fixture.fingerprint()).toBe(before);
});

test('a submodule that the project has not is empty, with a note (B26)', async () => {
  rmSync(modules, { recursive: true });
  const worktree = await fixture.worktree();
  expect(worktree.notes).toEqual([expect.stringContaining('The submodule vendor/lib is empty')]);
  expect(readdirSync(join(worktree.path, 'vendor', 'lib'))).toEqual([]);
  writeFileSync(join(worktree.path, 'vendor', 'lib', 'work.txt'), 'work');
  expect(await finishWorktree(worktree, access())).toMatchObject({ dirty: true, kept: true });
});

test('case 45: a clean worktree with submodules is removed, and leaves no entry in either repository', async () => {
  const worktree = await fixture.worktree();
  expect(await finishWorktree(worktree, access())).toMatchObject({ commits: 0, dirty: false, kept: false });
  expect(existsSync(worktree.path)).toBe(false);
  expect(fixture.git(['worktree', 'list']).split('\n')).toHaveLength(1);
  expect(fixture.git(['--git-dir', modules, 'worktree', 'list']).split('\n')).toHaveLength(1);
});

test('work inside a submodule keeps the worktree, and is named (B26, W3)', async () => {
  const worktree = await fixture.worktree();
  workInside(worktree);
  const result = await finishWorktree(worktree, access());
  expect(result).toMatchObject({ dirty: true, kept: true });
  expect(result.note).toContain('The submodule vendor/lib has 1 commits of its own.');
});

test('discard: commits and changes of the submodule are kept in the project’s own copy of it (B26, W4)', async () => {
  const worktree = await fixture.worktree();
  const commit = workInside(worktree);
  value(await discardWorktree(worktree, access()));
  expect(existsSync(worktree.path)).toBe(false);
  const ref = 'refs/espalier/discarded/run_0123456789ab';
  expect(fixture.git(['--git-dir', modules, 'rev-parse', `${ref}^`])).toBe(commit);
  expect(fixture.git(['--git-dir', modules, 'show', `${ref}:dirty.txt`])).toBe('dirty');
});

test('keep as branch: the submodule gets the branch too', async () => {
  const worktree = await fixture.worktree();
  const commit = workInside(worktree);
  value(await keepAsBranch(worktree, access()));
  expect(fixture.git(['--git-dir', modules, 'rev-parse', `${worktree.branch}^`])).toBe(commit);
});

test('a submodule whose name leads out of the folder of modules is left empty (B41)', async () => {
  fixture.write('.gitmodules', '[submodule "../../../../data/evil"]\n\tpath = vendor/lib\n\turl = x\n');
  fixture.git(['add', '.gitmodules']);
  fixture.git(['commit', '--quiet', '-m', 'hostile name']);
  const worktree = await fixture.worktree();
  expect(worktree.notes).toEqual([expect.stringContaining('The submodule vendor/lib is empty')]);
});
