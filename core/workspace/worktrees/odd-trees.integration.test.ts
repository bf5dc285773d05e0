import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyWorktree } from './apply-worktree.ts';
import { discardWorktree } from './discard-worktree.ts';
import { finishWorktree } from './finish-worktree.ts';
import { GitFixture, value } from './git-fixture.ts';
import { keepAsBranch } from './keep-branch.ts';
import { prepareWorktree } from './prepare-worktree.ts';
import type { Worktree } from '../../protocol/worktree.ts';

let fixture: GitFixture;
const access = () => ({ environment: fixture.environment, dataFolder: fixture.data });

beforeEach(() => {
  fixture = GitFixture.withCommit();
});
afterEach(() => {
  fixture.remove();
});

/** One commit and one file that no commit has. */
function work({ path }: Worktree, name = 'new'): void {
  fixture.write(`${name}.txt`, `${name}\n`, path);
  fixture.commit(name, path);
  fixture.write(`${name}-loose.txt`, 'loose\n', path);
}

const entries = (): string[] =>
  fixture
    .git(['worktree', 'list', '--porcelain'])
    .split('\n')
    .filter((line) => line.startsWith('worktree '));

describe('signing and hooks of the user that fail', () => {
  beforeEach(() => {
    const hooks = join(fixture.root, 'hooks');
    mkdirSync(hooks);
    for (const hook of ['pre-commit', 'commit-msg', 'post-checkout', 'pre-merge-commit', 'reference-transaction']) {
      writeFileSync(join(hooks, hook), '#!/bin/sh\necho no >&2\nexit 1\n');
      chmodSync(join(hooks, hook), 0o755);
    }
    const lines = ['[commit]', 'gpgSign = true', '[tag]', 'gpgSign = true', '[gpg]', 'program = /bin/false'];
    const config = [...lines, '[core]', `hooksPath = ${hooks}`, 'pager = /bin/false', 'editor = /bin/false', ''];
    writeFileSync(join(fixture.environment['HOME'] ?? '', '.gitconfig'), config.join('\n'));
  });

  test('the traps work: the user’s own git is refused by them', () => {
    fixture.write('mine.txt', 'x');
    expect(() => fixture.commit('mine')).toThrow();
  });

  test.each(['merge', 'squash', 'cherry-pick'] as const)(
    'apply by %s makes its commits all the same (W4)',
    async (mode) => {
      const worktree = await fixture.worktree();
      fixture.write('new.txt', 'new\n', worktree.path);
      value(await applyWorktree(worktree, { ...access(), mode }));
      expect(readFileSync(join(fixture.project, 'new.txt'), 'utf8')).toBe('new\n');
      expect(fixture.git(['status', '--porcelain'])).toBe('');
    },
  );

  test('keep, discard and the end of a clean one go through (W3, W4)', async () => {
    const [kept, gone, clean] = [await fixture.worktree(), await fixture.worktree(), await fixture.worktree()];
    for (const { path } of [kept, gone]) fixture.write('new.txt', 'new\n', path);
    const { commit } = value(await keepAsBranch(kept, access()));
    expect(fixture.git(['show', `${commit}:new.txt`])).toBe('new');
    const discarded = value(await discardWorktree(gone, access()));
    expect(fixture.git(['show', `${discarded.ref}:new.txt`])).toBe('new');
    expect(await finishWorktree(clean, access())).toMatchObject({ kept: false });
    expect(entries()).toHaveLength(1);
  });
});

describe('worktrees that are half there (W3)', () => {
  test.each<[what: string, damage: (worktree: Worktree) => void]>([
    ['its .git file is gone', ({ path }) => rmSync(join(path, '.git'))],
    ['its .git file is cut off', ({ path }) => writeFileSync(join(path, '.git'), 'gitdi')],
    ['git’s entry of it is gone', ({ path }) => rmSync(entryOf(path), { recursive: true })],
    ['git’s entry has no HEAD', ({ path }) => rmSync(join(entryOf(path), 'HEAD'))],
    ['its HEAD is no ref', ({ path }) => writeFileSync(join(entryOf(path), 'HEAD'), 'nonsense\n')],
  ])('%s → kept and flagged; nothing removes it, and its files are as they were', async (_, damage) => {
    const worktree = await fixture.worktree();
    fixture.write('precious.txt', 'work\n', worktree.path);
    const before = fixture.fingerprint();
    damage(worktree);
    const result = await finishWorktree(worktree, access());
    expect(result).toMatchObject({ kept: true, inspection_failed: { probe: expect.any(String) as string } });
    for (const act of [discardWorktree, keepAsBranch])
      expect(await act(worktree, access())).toMatchObject({ ok: false });
    expect(await applyWorktree(worktree, { ...access(), mode: 'squash' })).toMatchObject({ ok: false });
    expect(readFileSync(join(worktree.path, 'precious.txt'), 'utf8')).toBe('work\n');
    expect(fixture.fingerprint()).toBe(before);
  });

  test.each([true, false])(
    'its removal was ended half-way, an empty folder is left (git’s entry too: %s) → removed with its branch',
    async (entry) => {
      const worktree = await fixture.worktree();
      const known = entryOf(worktree.path);
      for (const name of readdirSync(worktree.path)) rmSync(join(worktree.path, name), { recursive: true });
      if (!entry) rmSync(known, { recursive: true });
      expect(await finishWorktree(worktree, access())).toMatchObject({ kept: false, commits: 0, dirty: false });
      expect(existsSync(worktree.path)).toBe(false);
      expect(entries()).toHaveLength(1);
      expect(fixture.git(['branch', '--list', worktree.branch])).toBe('');
    },
  );

  test('an empty folder whose branch has commits → kept; discard keeps what was committed', async () => {
    const worktree = await fixture.worktree();
    work(worktree);
    for (const name of readdirSync(worktree.path)) rmSync(join(worktree.path, name), { recursive: true });
    expect(await finishWorktree(worktree, access())).toMatchObject({ commits: 1, kept: true });
    const { ref } = value(await discardWorktree(worktree, access()));
    expect(fixture.git(['show', `${ref}:new.txt`])).toBe('new');
    expect(entries()).toHaveLength(1);
  });

  test('all its files are gone → a change like any other; discard keeps what was committed', async () => {
    const worktree = await fixture.worktree();
    work(worktree);
    for (const name of ['a.txt', 'folder', 'new.txt', 'new-loose.txt'])
      rmSync(join(worktree.path, name), { recursive: true });
    expect(await finishWorktree(worktree, access())).toMatchObject({ commits: 1, dirty: true, kept: true });
    const { ref } = value(await discardWorktree(worktree, access()));
    expect(fixture.git(['show', `${ref}^:new.txt`])).toBe('new');
    expect(entries()).toHaveLength(1);
  });

  test('moved away and pruned by the user, then back: kept and flagged, its branch stays', async () => {
    const worktree = await fixture.worktree();
    work(worktree);
    const away = `${worktree.path}-away`;
    renameSync(worktree.path, away);
    fixture.git(['worktree', 'unlock', worktree.path]);
    fixture.git(['worktree', 'prune']);
    renameSync(away, worktree.path);
    expect(await finishWorktree(worktree, access())).toMatchObject({ kept: true });
    expect(existsSync(join(worktree.path, 'new-loose.txt'))).toBe(true);
    expect(fixture.branches()).toEqual([worktree.branch]);
  });

  test('a lock that a killed git left in it: measured, and kept with its work', async () => {
    const worktree = await fixture.worktree();
    work(worktree);
    writeFileSync(join(entryOf(worktree.path), 'index.lock'), '');
    expect(await finishWorktree(worktree, access())).toMatchObject({ commits: 1, dirty: true, kept: true });
    value(await discardWorktree(worktree, access()));
    expect(entries()).toHaveLength(1);
  });
});

/** The folder in which git keeps what it knows of a worktree. */
function entryOf(path: string): string {
  const [, folder = ''] = /^gitdir: (.*)$/m.exec(readFileSync(join(path, '.git'), 'utf8')) ?? [];
  return folder;
}

describe('a project that another git is just changing (W4)', () => {
  test.each(['index.lock', 'HEAD.lock', 'refs/heads/main.lock'])(
    'apply meets %s → an error, the checkout is byte for byte as before; once it is gone it goes through',
    async (lock) => {
      const worktree = await fixture.worktree();
      work(worktree);
      const before = fixture.fingerprint();
      const path = join(fixture.project, '.git', lock);
      writeFileSync(path, '');
      expect(await applyWorktree(worktree, { ...access(), mode: 'squash' })).toMatchObject({
        ok: false,
        error: { code: 'git_failed' },
      });
      expect(fixture.fingerprint()).toBe(before);
      rmSync(path);
      value(await applyWorktree(worktree, { ...access(), mode: 'squash' }));
    },
  );

  test('case 47: worktrees are made and removed while the user’s own git does the same; no two share anything', async () => {
    const goal = Array.from({ length: 8 }, (_, n) => n);
    let making = true;
    const users = (async () => {
      // These calls hold up the loop: a few are enough, and leave it time for ours.
      for (let n = 0; making && n < 6; n += 1) {
        const path = join(fixture.root, `own-${String(n)}`);
        fixture.git(['worktree', 'add', '--quiet', '--detach', path]);
        fixture.git(['worktree', 'prune']);
        fixture.git(['worktree', 'remove', '--force', path]);
        await new Promise(setImmediate);
      }
    })();
    const made = await Promise.all(goal.map((n) => fixture.worktree({ run_id: `run_${String(n)}` })));
    made.forEach((worktree, n) => fixture.write('mine.txt', String(n), worktree.path));
    expect(new Set(made.flatMap(({ path, branch }) => [path, branch])).size).toBe(16);
    const ends = await Promise.all(made.map((worktree) => finishWorktree(worktree, access())));
    making = false;
    await users;
    expect(ends.every(({ kept, dirty }) => kept && dirty === true)).toBe(true);
    made.forEach((worktree, n) => expect(readFileSync(join(worktree.path, 'mine.txt'), 'utf8')).toBe(String(n)));
  });

  test('names that cannot be told apart: a task that finds no free one fails rather than share', async () => {
    const random = { hex: (length: number) => 'a'.repeat(length) };
    const request = () => prepareWorktree(fixture.request({ random: { ...fixture.request().random, ...random } }));
    const made = [value(await request()), value(await request()), value(await request())];
    expect(new Set(made.map(({ path }) => path)).size).toBe(3);
    expect(await request()).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('No free branch') as string },
    });
    expect(entries()).toHaveLength(4);
  });
});

test('W3, W4: a project with a sparse checkout: work outside of it is work like any other, and what is not checked out stays', async () => {
  fixture.write('other/o.txt', 'o\n');
  fixture.commit('more');
  fixture.git(['sparse-checkout', 'set', '--cone', 'folder']);
  const [worktree, clean] = [await fixture.worktree(), await fixture.worktree()];
  fixture.write('folder/b.txt', 'B\n', worktree.path);
  fixture.write('new/n.txt', 'n\n', worktree.path);
  expect(await finishWorktree(clean, access())).toMatchObject({ kept: false });
  expect(await finishWorktree(worktree, access())).toMatchObject({ kept: true, dirty: true });
  value(await applyWorktree(worktree, { ...access(), mode: 'squash' }));
  expect(fixture.git(['status', '--porcelain'])).toBe('');
  expect(readFileSync(join(fixture.project, 'folder', 'b.txt'), 'utf8')).toBe('B\n');
  const files = ['a.txt', 'folder/b.txt', 'new/n.txt', 'other/o.txt'];
  expect(fixture.git(['ls-tree', '-r', '--name-only', 'HEAD']).split('\n')).toEqual(files);
  const { ref } = value(await discardWorktree(worktree, access()));
  expect(fixture.git(['ls-tree', '-r', '--name-only', ref]).split('\n')).toEqual(files);
});

test.each(['päth with späces 日本', 'quote\'s "and" $HOME %TEMP% & co', '-starts-with-a-hyphen', 'ends with dots...'])(
  'a project and a data folder called %s work from the first call to the last (B04, B24)',
  async (name) => {
    const [project, dataFolder] = [join(fixture.root, name, 'p'), join(fixture.root, 'data', name)];
    mkdirSync(dirname(project));
    renameSync(fixture.project, project);
    mkdirSync(dataFolder, { recursive: true });
    const worktree = await fixture.worktree({ project, dataFolder });
    expect(basename(dirname(dirname(dirname(worktree.path))))).toBe(name);
    const reach = { ...access(), dataFolder };
    work(worktree, name.replaceAll('/', '-'));
    expect(await finishWorktree(worktree, reach)).toMatchObject({ commits: 1, dirty: true, kept: true });
    value(await applyWorktree(worktree, { ...reach, mode: 'merge' }));
    expect(readFileSync(join(project, `${name}-loose.txt`), 'utf8')).toBe('loose\n');
    value(await discardWorktree(worktree, reach));
  },
);

test('a project whose path holds a line break is refused, not guessed at', async () => {
  const project = join(fixture.root, 'line\nbreak');
  renameSync(fixture.project, project);
  expect(await prepareWorktree(fixture.request({ project }))).toMatchObject({
    ok: false,
    error: { code: 'git_failed' },
  });
});
