import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Worktree } from '../../protocol/worktree.ts';
import { applyWorktree } from './apply-worktree.ts';
import { clearUnused } from './clear-unused.ts';
import { diffOf } from './diff-worktree.ts';
import { discardWorktree } from './discard-worktree.ts';
import { finishChange } from './finish-change.ts';
import { finishWorktree } from './finish-worktree.ts';
import { GitFixture, value } from './git-fixture.ts';
import { keepAsBranch } from './keep-branch.ts';
import { lockWorktree } from './lock-worktree.ts';
import { removeUnneeded, whyUnneeded } from './merged-worktree.ts';
import { strayFault } from './stray-worktree.ts';

let fixture: GitFixture;
let other: GitFixture;
let worktree: Worktree;

beforeEach(async () => {
  [fixture, other] = [GitFixture.withCommit(), GitFixture.withCommit()];
  worktree = await fixture.worktree({ run_id: 'run_000000000001' });
  fixture.write('work.txt', 'work\n', worktree.path);
});
afterEach(() => {
  fixture.remove();
  other.remove();
});

/** As a person does it, in order, with git. */
function removedByHand(branchToo: boolean): void {
  fixture.git(['worktree', 'remove', '--force', '--force', worktree.path]);
  if (branchToo) fixture.git(['branch', '-D', worktree.branch]);
}

/** What has the place of the worktree by now; answers the repository that it is of. */
const STRANGERS: readonly (readonly [what: string, put: () => Promise<GitFixture>])[] = [
  [
    'another run of the same repository, with the same branch',
    async () => {
      removedByHand(true);
      const theirs = await fixture.worktree({ run_id: 'run_000000000002' });
      expect(theirs).toMatchObject({ path: worktree.path, branch: worktree.branch });
      return fixture;
    },
  ],
  [
    'a run of another project',
    async () => {
      removedByHand(true);
      const theirs = await other.worktree({ run_id: 'run_000000000002', dataFolder: fixture.data });
      expect(theirs.path).toBe(worktree.path);
      return other;
    },
  ],
  [
    'a worktree that a person made of the branch',
    () => {
      removedByHand(false);
      fixture.git(['worktree', 'add', '--quiet', '--lock', worktree.path, worktree.branch]);
      return Promise.resolve(fixture);
    },
  ],
  [
    'a repository of its own',
    () => {
      removedByHand(false);
      mkdirSync(worktree.path, { recursive: true });
      fixture.git(['init', '--quiet', '--initial-branch=main', worktree.path]);
      fixture.write('first.txt', 'first\n', worktree.path);
      fixture.commit('first', worktree.path);
      return Promise.resolve(fixture);
    },
  ],
];

describe.each(STRANGERS)('W1, W3, W4: %s has the place of a run’s worktree by now', (_, put) => {
  test('nothing that is done with the run’s worktree touches it', async () => {
    const repository = await put();
    fixture.write('theirs.txt', 'theirs\n', worktree.path);
    const state = () => [
      repository.fingerprint(worktree.path),
      repository.fingerprint(),
      repository.git(['worktree', 'list', '--porcelain']),
      fixture.git(['for-each-ref']),
    ];
    const before = state();
    expect(await finishWorktree(worktree, fixture)).toMatchObject({
      kept: true,
      inspection_failed: { probe: 'owner' },
    });
    const refused = { ok: false, error: { code: 'git_failed' } };
    expect(await diffOf(worktree, fixture)).toMatchObject(refused);
    expect(await applyWorktree(worktree, { ...fixture, mode: 'squash' })).toMatchObject(refused);
    expect(await keepAsBranch(worktree, fixture)).toMatchObject(refused);
    expect(await discardWorktree(worktree, { ...fixture, acceptLoss: true })).toMatchObject(refused);
    expect(await lockWorktree(worktree, fixture)).toMatchObject(refused);
    expect(await whyUnneeded(worktree, fixture)).toBeNull();
    expect(await removeUnneeded(worktree, fixture)).toMatchObject(refused);
    expect(await strayFault(worktree, fixture)).toContain('is left alone');
    expect(value(await clearUnused({ ...fixture, run_id: worktree.run_id, dataFolder: fixture.data }))).toBe(0);
    const removal = { type: 'removal', state: 'branch', branch_tip: null } as const;
    expect(await finishChange(worktree, removal, fixture)).toEqual({ ok: true, value: true });
    expect(state()).toEqual(before);
  });
});

test('W4: the data folder was moved → refused with the one command that has its worktrees found again; then each is applied, kept and discarded', async () => {
  const [second, third] = [await fixture.worktree({}), await fixture.worktree({})];
  for (const { path } of [second, third]) fixture.write('more.txt', 'more\n', path);
  const before = fixture.data;
  const moved = { ...fixture, dataFolder: join(fixture.root, "it's moved") };
  renameSync(before, moved.dataFolder);
  const refused = await applyWorktree(worktree, { ...moved, mode: 'squash' });
  const told = refused.ok ? '' : refused.error.message;
  expect(told).toContain(`its files are in ${join(moved.dataFolder, 'worktrees')}`);
  const [command = ''] = /ln -s [^;]*/.exec(told) ?? [];
  execFileSync('sh', ['-c', command]);
  value(await applyWorktree(worktree, { ...moved, mode: 'squash' }));
  expect(readFileSync(join(fixture.project, 'work.txt'), 'utf8')).toBe('work\n');
  fixture.git(['stash', '--quiet', '--include-untracked']);
  value(await keepAsBranch(second, moved));
  value(await discardWorktree(third, moved));
  expect(fixture.git(['show', `${second.branch}:more.txt`])).toBe('more');
  expect(fixture.branches()).toEqual(expect.arrayContaining([second.branch]));
  expect(fixture.branches()).not.toContain(third.branch);
  expect([second, third].map(({ path }) => existsSync(path))).toEqual([false, false]);
});

test('W1, W4: the worktree of another data folder, of which this one is a copy, is left alone', async () => {
  const copied = { ...fixture, dataFolder: join(fixture.root, 'copy') };
  const before = [fixture.fingerprint(worktree.path), fixture.git(['worktree', 'list', '--porcelain'])];
  for (const act of [keepAsBranch, discardWorktree, lockWorktree, removeUnneeded])
    expect(await act(worktree, copied)).toMatchObject({ ok: false });
  expect(await applyWorktree(worktree, { ...copied, mode: 'merge' })).toMatchObject({
    error: { message: expect.stringContaining(`of which this one is a copy; open that one`) },
  });
  const tip = fixture.git(['rev-parse', worktree.branch]);
  const removal = { type: 'removal', state: 'discarded', branch_tip: tip } as const;
  expect(await finishChange(worktree, removal, copied)).toEqual({ ok: true, value: false });
  expect([fixture.fingerprint(worktree.path), fixture.git(['worktree', 'list', '--porcelain'])]).toEqual(before);
});

test('W1: what was begun for a run is cleared up; another project’s worktree in its place is not', async () => {
  rmSync(worktree.path, { recursive: true });
  const theirs = await other.worktree({ run_id: 'run_000000000002', dataFolder: fixture.data });
  expect(theirs.path).toBe(worktree.path);
  const before = other.fingerprint(theirs.path);
  value(await clearUnused({ ...fixture, run_id: worktree.run_id, dataFolder: fixture.data }));
  expect(other.fingerprint(theirs.path)).toBe(before);
});

test('C5, W1: a worktree stays known when another run goes on in it, is linked by a relative path, or its run works on another branch', async () => {
  const next = { ...worktree, run_id: 'run_000000000003', made_for: worktree.run_id };
  value(await lockWorktree(next, fixture));
  const link = join(worktree.path, '.git');
  const [, target = ''] = /^gitdir: (.*)$/m.exec(readFileSync(link, 'utf8')) ?? [];
  writeFileSync(link, `gitdir: ${relative(worktree.path, target)}\n`);
  fixture.git(['checkout', '--quiet', '-b', 'of-the-agent'], worktree.path);
  const { ref } = value(await discardWorktree(next, fixture));
  expect(fixture.git(['show', `${ref}:work.txt`])).toBe('work');
  expect(existsSync(worktree.path)).toBe(false);
  expect(fixture.branches()).toEqual([]);
});

test('W4: a removal that was ended half-way is brought to its end although the link to git is gone; files of others in its place stay', async () => {
  const removal = { type: 'removal', state: 'branch', branch_tip: null } as const;
  rmSync(join(worktree.path, '.git'));
  expect(await finishChange(worktree, removal, fixture)).toEqual({ ok: true, value: true });
  expect(existsSync(worktree.path)).toBe(false);
  expect(fixture.git(['worktree', 'list']).split('\n')).toHaveLength(1);
  mkdirSync(worktree.path, { recursive: true });
  writeFileSync(join(worktree.path, 'mine.txt'), 'mine');
  expect(await finishChange(worktree, removal, fixture)).toEqual({ ok: true, value: true });
  expect(readFileSync(join(worktree.path, 'mine.txt'), 'utf8')).toBe('mine');
});

describe('W4: the branch alone is left of a worktree', () => {
  beforeEach(async () => {
    value(await keepAsBranch(worktree, fixture));
  });

  test('it goes with its run; a removal that is taken up again takes it away where it was, and only there', async () => {
    const tip = fixture.git(['rev-parse', worktree.branch]);
    const removal = { type: 'removal', state: 'discarded', branch_tip: tip } as const;
    const { ref } = value(await discardWorktree(worktree, fixture));
    expect(fixture.git(['show', `${ref}:work.txt`])).toBe('work');
    expect(fixture.branches()).toEqual([]);
    fixture.git(['branch', worktree.branch, tip]);
    expect(await finishChange(worktree, removal, fixture)).toEqual({ ok: true, value: true });
    expect(fixture.branches()).toEqual([worktree.branch]);
  });

  test('a branch of that name that somebody else made is not shown as the run’s, and stays', async () => {
    fixture.git(['branch', '-D', worktree.branch]);
    fixture.git(['branch', worktree.branch, 'main']);
    expect(await discardWorktree(worktree, fixture)).toMatchObject({
      error: { message: expect.stringContaining('is not the one that the run had') },
    });
    expect(await diffOf(worktree, fixture)).toMatchObject({ error: { code: 'nothing_to_apply' } });
    expect(fixture.branches()).toEqual([worktree.branch]);
  });

  test('one that somebody has checked out stays, and can be applied', async () => {
    fixture.git(['worktree', 'add', '--quiet', join(fixture.root, 'look'), worktree.branch]);
    expect(await discardWorktree(worktree, fixture)).toMatchObject({
      error: { message: expect.stringContaining(`is checked out at ${join(fixture.root, 'look')}`) },
    });
    value(await applyWorktree(worktree, { ...fixture, mode: 'squash' }));
    expect(fixture.branches()).toEqual([worktree.branch]);
  });

  test('one whose log has expired can be applied; it is not deleted, and what to do is said', async () => {
    fixture.git(['reflog', 'expire', '--expire=all', '--expire-unreachable=all', '--all']);
    expect(await discardWorktree(worktree, fixture)).toMatchObject({
      error: { message: expect.stringContaining(`git branch -D ${worktree.branch}`) },
    });
    value(await applyWorktree(worktree, { ...fixture, mode: 'squash' }));
    expect(readFileSync(join(fixture.project, 'work.txt'), 'utf8')).toBe('work\n');
  });
});

test('W4: the log of the branch of a kept worktree has expired → it is discarded all the same: it is checked out in it', async () => {
  fixture.git(['reflog', 'expire', '--expire=all', '--expire-unreachable=all', '--all']);
  value(await discardWorktree(worktree, fixture));
  expect(fixture.branches()).toEqual([]);
});
