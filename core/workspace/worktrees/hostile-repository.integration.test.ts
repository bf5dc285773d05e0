import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { applyWorktree } from './apply-worktree.ts';
import { diffOf } from './diff-worktree.ts';
import { discardWorktree } from './discard-worktree.ts';
import { finishWorktree } from './finish-worktree.ts';
import { GitFixture, value } from './git-fixture.ts';
import { keepAsBranch } from './keep-branch.ts';
import { prepareWorktree } from './prepare-worktree.ts';

let fixture: GitFixture;
let pwned: string;
let run: string;

beforeEach(() => {
  fixture = GitFixture.withCommit();
  pwned = join(fixture.root, 'PWNED');
  run = `touch '${pwned}'; cat`;
  fixture.write('.gitattributes', '*.txt filter=x diff=x merge=x\nfolder/b.txt filter=y\n');
  fixture.write('merged.txt', 'one\n');
  fixture.commit('attributes');
});
afterEach(() => {
  fixture.remove();
});

/** Everything in a repository that starts a program, each of which leaves a trace. */
function makeHostile(): void {
  const config = {
    'core.fsmonitor': run,
    'core.pager': run,
    'core.editor': run,
    'core.sshCommand': run,
    'core.askPass': run,
    'core.alternateRefsCommand': run,
    'diff.external': run,
    'diff.x.command': run,
    'diff.x.textconv': run,
    'diff.trustExitCode': 'true',
    'filter.x.smudge': run,
    'filter.x.clean': run,
    'filter.x.process': run,
    'filter.x.required': 'true',
    'merge.x.driver': run,
    'gpg.program': run,
    'commit.gpgSign': 'true',
    'log.showSignature': 'true',
    'credential.helper': `!${run}`,
    'gc.auto': '1',
    'submodule.x.update': `!${run}`,
    'protocol.ext.allow': 'always',
    'extensions.partialClone': 'origin',
    'remote.origin.url': `ext::sh -c touch% ${pwned}`,
    'remote.origin.promisor': 'true',
    'hook.x.event': 'post-checkout',
    'hook.x.command': run,
    'core.gitProxy': run,
    'core.worktree': fixture.project,
    'include.path': join(fixture.root, 'more.config'),
    'alias.status': `!${run}`,
    'pager.status': run,
  };
  // What an included file brings counts as the repository's own.
  writeFileSync(join(fixture.root, 'more.config'), `[filter "y"]\n\tsmudge = ${run}\n\tclean = ${run}\n`);
  for (const [key, value] of Object.entries(config)) fixture.git(['config', key, value]);
  fixture.git(['config', 'core.repositoryFormatVersion', '1']);
  const hooks = [
    'post-checkout',
    'reference-transaction',
    'post-index-change',
    'post-merge',
    'pre-commit',
    'fsmonitor-watchman',
  ];
  for (const hook of [...hooks, 'post-commit', 'post-rewrite', 'pre-auto-gc', 'pre-merge-commit', 'commit-msg']) {
    const path = join(fixture.project, '.git', 'hooks', hook);
    writeFileSync(path, `#!/bin/sh\ntouch '${pwned}'\n`);
    chmodSync(path, 0o755);
  }
}

test('the traps work: git itself springs them', () => {
  makeHostile();
  expect(() => fixture.git(['status', '--porcelain'])).toThrow();
  expect(existsSync(pwned)).toBe(true);
});

test('nothing that a repository configures runs, from the first call to the last (W5, B41)', async () => {
  makeHostile();
  const access = { environment: fixture.environment, dataFolder: fixture.data };
  const worktree = await fixture.worktree();
  expect(worktree.notes).toEqual(
    ['x', 'y'].map((name) => `Files with the filter "${name}" are here as they are stored: the filter was not run.`),
  );
  writeFileSync(join(worktree.path, 'a.txt'), 'work\n');
  writeFileSync(join(worktree.path, 'merged.txt'), 'one\ntheirs\n');
  writeFileSync(join(worktree.path, 'new.txt'), 'new\n');
  expect(await finishWorktree(worktree, access)).toMatchObject({ dirty: true, kept: true });
  const diff = value(await diffOf(worktree, access));
  expect(diff.files.map(({ path }) => path)).toEqual(['a.txt', 'merged.txt', 'new.txt']);
  for (const mode of ['squash', 'merge', 'cherry-pick'] as const) {
    const applied = await applyWorktree(worktree, { ...access, mode, message: mode });
    expect([mode, applied.ok || applied.error.code]).toEqual([mode, mode === 'squash' ? true : 'nothing_to_apply']);
  }
  value(await keepAsBranch(worktree, access));
  const other = await fixture.worktree();
  writeFileSync(join(other.path, 'a.txt'), 'other\n');
  value(await discardWorktree(other, access));
  const clean = await fixture.worktree();
  expect(await finishWorktree(clean, access)).toMatchObject({ kept: false });
  expect(existsSync(pwned)).toBe(false);
});

test('a merge driver of the repository is replaced by git’s own merge: both sides meet, or the conflict is shown', async () => {
  const access = { environment: fixture.environment, dataFolder: fixture.data };
  fixture.write('lines.txt', 'one\ntwo\nthree\nfour\nfive\n');
  fixture.commit('lines');
  const [clean, clash] = [await fixture.worktree(), await fixture.worktree()];
  fixture.write('lines.txt', 'one\ntwo\nthree\nfour\nFIVE\n', clean.path);
  fixture.write('lines.txt', '1\ntwo\nthree\nfour\nfive\n', clash.path);
  fixture.write('lines.txt', 'ONE\ntwo\nthree\nfour\nfive\n');
  fixture.commit('mine');
  makeHostile();
  value(await applyWorktree(clean, { ...access, mode: 'merge' }));
  expect(await applyWorktree(clash, { ...access, mode: 'merge' })).toMatchObject({
    ok: false,
    error: { code: 'conflict', paths: ['lines.txt'] },
  });
  expect(existsSync(pwned)).toBe(false);
});

test('overrides of git in the environment do not count (K5)', async () => {
  const environment = {
    ...fixture.environment,
    GIT_DIR: '/nowhere',
    GIT_WORK_TREE: '/nowhere',
    GIT_INDEX_FILE: '/nowhere/index',
    GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${pwned}'`,
    GIT_EXTERNAL_DIFF: run,
    GIT_EXEC_PATH: '/nowhere',
  };
  const worktree = await fixture.worktree({ environment });
  value(await diffOf(worktree, { environment, dataFolder: fixture.data }));
  expect(existsSync(pwned)).toBe(false);
});

test('a checkout that the configuration puts above the project is refused: nothing would be written where nobody attached', async () => {
  for (const [where, code] of [
    [fixture.root, 'git_failed'],
    ['/', 'git_failed'],
    [join(fixture.root, 'home'), 'not_a_repository'],
  ]) {
    fixture.git(['config', 'core.worktree', where ?? '']);
    const made = await prepareWorktree(fixture.request());
    expect(made).toMatchObject({ ok: false, error: { code } });
    expect(fixture.git(['for-each-ref', 'refs/heads/espalier'])).toBe('');
  }
  fixture.git(['config', '--unset', 'core.worktree']);
  const worktree = await fixture.worktree();
  fixture.write('new.txt', 'new\n', worktree.path);
  fixture.git(['config', 'core.worktree', fixture.root]);
  const access = { environment: fixture.environment, dataFolder: fixture.data };
  expect(await applyWorktree(worktree, { ...access, mode: 'squash' })).toMatchObject({ ok: false });
  expect(existsSync(join(fixture.root, 'new.txt'))).toBe(false);
  expect(await finishWorktree(worktree, access)).toMatchObject({
    kept: true,
    inspection_failed: { probe: 'repository' },
  });
});
