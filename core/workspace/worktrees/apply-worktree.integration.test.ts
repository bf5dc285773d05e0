import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyWorktree } from './apply-worktree.ts';
import { diffOf } from './diff-worktree.ts';
import { discardWorktree, expireDiscarded } from './discard-worktree.ts';
import { GitFixture, value } from './git-fixture.ts';
import { keepAsBranch } from './keep-branch.ts';
import type { ApplyMode } from '../../protocol/worktree.ts';
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

const access = () => ({ environment: fixture.environment, dataFolder: fixture.data });
const apply = (mode: ApplyMode, message?: string) =>
  applyWorktree(worktree, { ...access(), mode, ...(message === undefined ? {} : { message }) });
const subjects = (): string[] => fixture.git(['log', '--first-parent', '--format=%an: %s']).split('\n');

/** Two commits and an uncommitted, an untracked file. */
function work(): void {
  fixture.write('a.txt', 'ONE\ntwo\nthree\n', worktree.path);
  fixture.commit('first step', worktree.path);
  fixture.write('c.txt', 'c\n', worktree.path);
  fixture.commit('second step', worktree.path);
  fixture.write('folder/b.txt', 'B\n', worktree.path);
  fixture.write('new/d.txt', 'd\n', worktree.path);
}

function expectWork(): void {
  const read = (path: string): string => readFileSync(join(fixture.project, path), 'utf8');
  expect(['a.txt', 'c.txt', 'folder/b.txt', 'new/d.txt'].map(read)).toEqual(['ONE\ntwo\nthree\n', 'c\n', 'B\n', 'd\n']);
  expect(fixture.git(['status', '--porcelain'])).toBe('');
}

describe('apply (W4)', () => {
  test('merge: a project that did not move is where the run ended', async () => {
    work();
    const before = fixture.fingerprint(worktree.path);
    expect(await apply('merge')).toMatchObject({ ok: true, value: { from: worktree.base_commit } });
    expectWork();
    expect(subjects().slice(0, 3)).toEqual([
      `Ada: Work of ${worktree.branch}`,
      'Agent: second step',
      'Agent: first step',
    ]);
    expect(fixture.fingerprint(worktree.path)).toBe(before);
  });

  test('merge: a project that moved gets a merge commit', async () => {
    work();
    fixture.write('mine.txt', 'mine\n');
    fixture.commit('mine');
    value(await apply('merge', 'Take it over'));
    expectWork();
    expect(subjects()[0]).toBe('Ada: Take it over');
    expect(fixture.git(['rev-list', '--parents', '-1', 'HEAD']).split(' ')).toHaveLength(3);
  });

  test('squash: one commit with everything', async () => {
    work();
    fixture.write('mine.txt', 'mine\n');
    fixture.commit('mine');
    value(await apply('squash', 'One step'));
    expectWork();
    expect(subjects()).toEqual(['Ada: One step', 'Agent: mine', 'Agent: first']);
  });

  test('cherry-pick: each commit with its author and message, and one for what was not committed', async () => {
    work();
    fixture.write('mine.txt', 'mine\n');
    fixture.commit('mine');
    value(await apply('cherry-pick', 'The rest'));
    expectWork();
    expect(subjects()).toEqual([
      'Ada: The rest',
      'Agent: second step',
      'Agent: first step',
      'Agent: mine',
      'Agent: first',
    ]);
  });

  test('cherry-pick: merges are not picked', async () => {
    work();
    fixture.commit('rest', worktree.path);
    fixture.write('mine.txt', 'mine\n');
    fixture.commit('mine');
    fixture.git(['-c', 'user.name=A', '-c', 'user.email=a@b', 'merge', '--quiet', '--no-edit', 'main'], worktree.path);
    const before = fixture.fingerprint();
    expect(await apply('cherry-pick')).toMatchObject({ ok: false, error: { code: 'not_linear' } });
    expect(fixture.fingerprint()).toBe(before);
  });

  test.each(['merge', 'squash', 'cherry-pick'] as const)(
    'case 48: %s with a conflict → shown, the main checkout is byte for byte as before, nothing is half done',
    async (mode) => {
      work();
      fixture.write('a.txt', 'mine\ntwo\nthree\n');
      fixture.commit('mine');
      fixture.write('uncommitted.txt', 'kept\n');
      const before = fixture.fingerprint();
      const time = statSync(join(fixture.project, 'a.txt')).mtimeMs;
      expect(await apply(mode)).toMatchObject({ ok: false, error: { code: 'conflict', paths: ['a.txt'] } });
      expect(fixture.fingerprint()).toBe(before);
      expect(statSync(join(fixture.project, 'a.txt')).mtimeMs).toBe(time);
      for (const name of ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'index.lock']) {
        expect(existsSync(join(fixture.project, '.git', name))).toBe(false);
      }
    },
  );

  test.each<[what: string, path: string]>([
    ['a changed file', 'a.txt'],
    ['an untracked file', 'new/d.txt'],
    ['an untracked file of the same name', 'c.txt'],
  ])('%s of the project’s own is in the way → refused by name, nothing is changed', async (_, path) => {
    work();
    fixture.write(path, 'my own work\n');
    const before = fixture.fingerprint();
    expect(await apply('squash')).toMatchObject({ ok: false, error: { code: 'project_changed', paths: [path] } });
    expect(fixture.fingerprint()).toBe(before);
  });

  test('other changes of the project stay, staged or not', async () => {
    work();
    fixture.write('staged.txt', 'staged\n');
    fixture.git(['add', 'staged.txt']);
    fixture.write('loose.txt', 'loose\n');
    value(await apply('squash'));
    expect(fixture.git(['status', '--porcelain'])).toBe('A  staged.txt\n?? loose.txt');
  });

  test('a merge in progress → refused', async () => {
    work();
    writeFileSync(join(fixture.project, '.git', 'MERGE_HEAD'), `${worktree.base_commit}\n`);
    expect(await apply('merge')).toMatchObject({ ok: false, error: { code: 'busy' } });
  });

  test('nothing to apply is said, also the second time', async () => {
    expect(await apply('merge')).toMatchObject({ ok: false, error: { code: 'nothing_to_apply' } });
    work();
    value(await apply('squash'));
    const before = fixture.fingerprint();
    expect(await apply('squash')).toMatchObject({ ok: false, error: { code: 'nothing_to_apply' } });
    expect(fixture.fingerprint()).toBe(before);
  });

  test('a user without name and email can apply (B24)', async () => {
    work();
    fixture.git(['config', '--unset', 'user.email']);
    fixture.git(['config', '--unset', 'user.name']);
    fixture.git(['config', 'user.useConfigOnly', 'true']);
    value(await apply('squash', 'x'));
    expect(subjects()[0]).toBe('Espalier: x');
  });
});

describe('diff (W4)', () => {
  test('it shows committed, uncommitted and untracked work, and changes nothing', async () => {
    work();
    rmSync(join(worktree.path, 'c.txt'));
    const before = fixture.fingerprint(worktree.path);
    const diff = value(await diffOf(worktree, access()));
    expect(diff.files).toEqual([
      { path: 'a.txt', old_path: null, status: 'modified', additions: 1, deletions: 1 },
      { path: 'folder/b.txt', old_path: null, status: 'modified', additions: 1, deletions: 1 },
      { path: 'new/d.txt', old_path: null, status: 'added', additions: 1, deletions: 0 },
    ]);
    expect(diff.patch).toContain('-one\n+ONE\n');
    expect(fixture.fingerprint(worktree.path)).toBe(before);
    expect(fixture.branches()).toEqual([worktree.branch]);
  });

  test('changes of the same length right after a commit are in the diff', async () => {
    for (const letter of ['c', 'd', 'e']) {
      fixture.write('folder/b.txt', `${letter}\n`, worktree.path);
      fixture.commit(letter, worktree.path);
      fixture.write('folder/b.txt', `${letter.toUpperCase()}\n`, worktree.path);
      const diff = value(await diffOf(worktree, access()));
      expect(diff.patch).toContain(`+${letter.toUpperCase()}`);
    }
  });

  test('a long patch is cut and says so', async () => {
    fixture.write('big.txt', 'line\n'.repeat(10_000), worktree.path);
    const diff = value(await diffOf(worktree, access(), 1000));
    expect(diff.cut).toBe(true);
    expect(diff.patch).toHaveLength(1000);
  });

  test('work in files that git was told not to look at is in the diff', async () => {
    fixture.git(['update-index', '--assume-unchanged', 'a.txt'], worktree.path);
    fixture.write('a.txt', 'hidden work\n', worktree.path);
    const diff = value(await diffOf(worktree, access()));
    expect(diff.files.map(({ path }) => path)).toEqual(['a.txt']);
  });
});

describe('discard and keep (W4)', () => {
  test('discard: folder and branch go, a ref keeps all of it, the project is as before', async () => {
    work();
    fixture.git(['commit', '--quiet', '--amend', '-m', 'amended'], worktree.path);
    const before = fixture.fingerprint();
    const gone = value(await discardWorktree(worktree, access()));
    expect(gone.ref).toBe('refs/espalier/discarded/run_0123456789ab');
    expect(existsSync(worktree.path)).toBe(false);
    expect(fixture.branches()).toEqual([]);
    expect(fixture.git(['worktree', 'list']).split('\n')).toHaveLength(1);
    expect(fixture.git(['show', `${gone.ref}:new/d.txt`])).toBe('d');
    expect(fixture.git(['show', `${gone.ref}:folder/b.txt`])).toBe('B');
    const kept = fixture.git(['log', '--format=%s', gone.ref]).split('\n');
    expect(kept).toEqual(expect.arrayContaining(['first step', 'second step', 'amended']));
    expect(fixture.fingerprint()).toBe(before);
  });

  test('discard: a repository inside would be lost → refused by name, until the user accepts it', async () => {
    mkdirSync(join(worktree.path, 'inner'));
    fixture.git(['init', '--quiet', 'inner'], worktree.path);
    fixture.write('inner/x.txt', 'x', worktree.path);
    expect(await discardWorktree(worktree, access())).toMatchObject({
      ok: false,
      error: { code: 'would_lose', paths: ['inner/'] },
    });
    expect(existsSync(join(worktree.path, 'inner', 'x.txt'))).toBe(true);
    value(await discardWorktree(worktree, { ...access(), acceptLoss: true }));
    expect(existsSync(worktree.path)).toBe(false);
  });

  test('discard: what cannot be read is not removed', async () => {
    work();
    writeFileSync(
      fixture.git(['rev-parse', '--path-format=absolute', '--git-path', 'index'], worktree.path),
      'damaged',
    );
    expect(await discardWorktree(worktree, access())).toMatchObject({ ok: false, error: { code: 'git_failed' } });
    expect(existsSync(join(worktree.path, 'new', 'd.txt'))).toBe(true);
  });

  test('discarded work is let go only when its time is over', async () => {
    work();
    value(await discardWorktree(worktree, access()));
    expect(await expireDiscarded(fixture.project, access(), Date.now() - 60_000)).toEqual({ ok: true, value: 0 });
    expect(await expireDiscarded(fixture.project, access(), Date.now() + 60_000)).toEqual({ ok: true, value: 1 });
    expect(fixture.git(['for-each-ref', 'refs/espalier'])).toBe('');
  });

  test('keep as branch: the folder goes, the branch has everything', async () => {
    work();
    expect(value(await keepAsBranch(worktree, access())).branch).toBe(worktree.branch);
    expect(existsSync(worktree.path)).toBe(false);
    expect(fixture.git(['log', '--format=%s', worktree.branch]).split('\n')).toEqual([
      `Uncommitted work of ${worktree.branch}`,
      'second step',
      'first step',
      'first',
    ]);
    expect(fixture.git(['show', `${worktree.branch}:new/d.txt`])).toBe('d');
  });
});
