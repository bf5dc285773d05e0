import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { until } from '../../testing/process-trees.ts';
import { GitFixture } from './git-fixture.ts';
import { prepareWorktree } from './prepare-worktree.ts';

let fixture: GitFixture;
afterEach(() => {
  fixture.remove();
});

test('a run gets a worktree and branch of its own outside the repository, locked while it lives (W1)', async () => {
  fixture = GitFixture.withCommit();
  const before = fixture.fingerprint();
  const worktree = await fixture.worktree();
  expect(worktree).toEqual({
    run_id: 'run_0123456789ab',
    path: join(fixture.data, 'worktrees', 'fix-the-parser', 'mend-it'),
    folder: join(fixture.data, 'worktrees', 'fix-the-parser', 'mend-it'),
    branch: 'espalier/fix-the-parser/mend-it',
    base_commit: fixture.git(['rev-parse', 'HEAD']),
    repository: fixture.project,
    notes: [],
  });
  expect(readFileSync(join(worktree.path, 'folder', 'b.txt'), 'utf8')).toBe('b\n');
  expect(fixture.git(['status', '--porcelain', '--branch'], worktree.path)).toBe('## espalier/fix-the-parser/mend-it');
  expect(fixture.git(['worktree', 'list', '--porcelain'])).toContain('locked espalier run_0123456789ab');
  expect(statSync(worktree.path).mode & 0o777).toBe(0o700);
  expect(fixture.fingerprint()).toBe(before);
});

test('W1: a name that a run has had is passed over', async () => {
  fixture = GitFixture.withCommit();
  const given: string[] = [];
  const wasGiven = (branch: string): boolean => given.push(branch) === 1;
  expect((await fixture.worktree({ wasGiven })).branch).toBe(given[1]);
  expect(given).toEqual(['espalier/fix-the-parser/mend-it', expect.stringMatching(/mend-it-[0-9a-f]{4}$/)]);
});

test('case 47: 20 equal tasks at once, twice, get 40 worktrees and branches; the first are not touched', async () => {
  fixture = GitFixture.withCommit();
  const before = fixture.fingerprint();
  const batch = async (): Promise<string[]> => {
    const made = await Promise.all(Array.from({ length: 20 }, () => fixture.worktree()));
    for (const [at, { path }] of made.entries()) writeFileSync(join(path, 'marker.txt'), `${String(at)}`);
    return made.map(({ path }) => path);
  };
  const first = await batch();
  const marks = first.map((path) => fixture.fingerprint(path));
  const second = await batch();
  expect(new Set([...first, ...second]).size).toBe(40);
  expect(new Set(fixture.branches()).size).toBe(40);
  expect(fixture.git(['worktree', 'list']).split('\n')).toHaveLength(41);
  expect(first.map((path) => fixture.fingerprint(path))).toEqual(marks);
  for (const [at, path] of first.entries()) expect(readFileSync(join(path, 'marker.txt'), 'utf8')).toBe(String(at));
  expect(fixture.fingerprint()).toBe(before);
});

test.each([
  'Fix Parser',
  'fix/parser',
  '../../../escape',
  'main~1',
  'x.lock',
  '🎉 party',
  'y'.repeat(300),
  '--force',
  'a "quoted" \'name\' $(touch x)',
  'HEAD',
])('a task called %j gets a branch and a folder (B27)', async (slugSource) => {
  fixture = GitFixture.withCommit();
  const worktree = await fixture.worktree({ slugSource, conversationSlug: slugSource });
  expect(worktree.path.startsWith(`${join(fixture.data, 'worktrees')}/`)).toBe(true);
  expect(fixture.branches()).toEqual([worktree.branch]);
  expect(existsSync(join(worktree.path, 'a.txt'))).toBe(true);
});

test('a branch, or branches below it, of that name exist already → another name, theirs are not touched (B27)', async () => {
  fixture = GitFixture.withCommit();
  fixture.git(['branch', 'espalier/fix-the-parser/mend-it']);
  fixture.git(['branch', 'espalier/other/mend-it/deeper']);
  const first = await fixture.worktree();
  const second = await fixture.worktree({ conversationSlug: 'other' });
  expect(first.branch).toMatch(/^espalier\/fix-the-parser\/mend-it-[0-9a-f]{4}$/);
  expect(second.branch).toMatch(/^espalier\/other\/mend-it-[0-9a-f]{4}$/);
  expect(fixture.branches()).toHaveLength(4);
});

test('a branch stands in the place of the conversation → the conversation gets another name (B27)', async () => {
  fixture = GitFixture.withCommit();
  fixture.git(['branch', 'espalier/fix-the-parser']);
  const { branch } = await fixture.worktree();
  expect(branch).toMatch(/^espalier\/fix-the-parser-[0-9a-f]{4}\/mend-it/);
});

test('a tag of the branch’s name is not taken for it', async () => {
  fixture = GitFixture.withCommit();
  const first = fixture.git(['rev-parse', 'HEAD']);
  fixture.git(['tag', 'espalier/fix-the-parser/mend-it']);
  fixture.write('a.txt', 'changed\n');
  const second = fixture.commit('second');
  const made = await prepareWorktree(fixture.request());
  if (made.ok) expect(fixture.git(['rev-parse', 'HEAD'], made.value.path)).toBe(second);
  else expect(fixture.branches()).toEqual([]);
  expect(fixture.git(['rev-parse', 'refs/tags/espalier/fix-the-parser/mend-it'])).toBe(first);
});

test('an old worktree that is locked does not stand in the way (B27)', async () => {
  fixture = GitFixture.withCommit();
  const old = await fixture.worktree();
  const next = await fixture.worktree({ run_id: 'run_ba9876543210' });
  expect(next.path).not.toBe(old.path);
  expect(fixture.git(['worktree', 'list', '--porcelain'])).toContain('locked espalier run_0123456789ab');
});

test('detached HEAD → the worktree starts from that very commit (B24)', async () => {
  fixture = GitFixture.withCommit();
  const first = fixture.git(['rev-parse', 'HEAD']);
  fixture.write('a.txt', 'later\n');
  fixture.commit('second');
  fixture.git(['checkout', '--quiet', '--detach', first]);
  const worktree = await fixture.worktree();
  expect(worktree.base_commit).toBe(first);
  expect(fixture.git(['rev-parse', 'HEAD'], worktree.path)).toBe(first);
});

test('a named base is taken instead of what is checked out', async () => {
  fixture = GitFixture.withCommit();
  const first = fixture.git(['rev-parse', 'HEAD']);
  fixture.git(['branch', 'old']);
  fixture.write('a.txt', 'later\n');
  fixture.commit('second');
  expect((await fixture.worktree({ baseRef: 'old' })).base_commit).toBe(first);
  const none = await prepareWorktree(fixture.request({ baseRef: '--help' }));
  expect(none).toMatchObject({ ok: false, error: { code: 'unknown_base' } });
});

test('a rebase in progress is said, and does not hinder (B24)', async () => {
  fixture = GitFixture.withCommit();
  mkdirSync(join(fixture.project, '.git', 'rebase-merge'));
  expect((await fixture.worktree()).notes).toEqual([
    'In the project a rebase is in progress; the worktree starts from its current commit.',
  ]);
});

test('a project that is a folder of a repository works in that folder of the worktree', async () => {
  fixture = GitFixture.withCommit();
  const worktree = await fixture.worktree({ project: join(fixture.project, 'folder') });
  expect(readFileSync(join(worktree.folder, 'b.txt'), 'utf8')).toBe('b\n');
  mkdirSync(join(fixture.project, 'new'));
  const refused = await prepareWorktree(fixture.request({ project: join(fixture.project, 'new') }));
  expect(refused).toMatchObject({ ok: false, error: { code: 'folder_not_committed' } });
});

test('case 46: no commits → no worktree, and the message names the way out (W2)', async () => {
  fixture = new GitFixture();
  fixture.git(['init', '--quiet', '-b', 'main']);
  fixture.write('a.txt', 'x');
  const refused = await prepareWorktree(fixture.request());
  expect(refused).toMatchObject({ ok: false, error: { code: 'no_commits' } });
  expect(refused.ok ? '' : refused.error.message).toContain('Make a first commit, or run the task with isolation none');
  expect(existsSync(join(fixture.data, 'worktrees'))).toBe(false);
  expect(fixture.git(['status', '--porcelain'])).toBe('?? a.txt');
});

test('case 46: bare → no worktree', async () => {
  fixture = new GitFixture();
  fixture.git(['init', '--quiet', '--bare']);
  expect(await prepareWorktree(fixture.request())).toMatchObject({ ok: false, error: { code: 'bare_repository' } });
});

test('case 46: not a repository, or the inside of one → no worktree', async () => {
  fixture = new GitFixture();
  expect(await prepareWorktree(fixture.request())).toMatchObject({ ok: false, error: { code: 'not_a_repository' } });
  fixture.git(['init', '--quiet']);
  const inside = fixture.request({ project: join(fixture.project, '.git') });
  expect(await prepareWorktree(inside)).toMatchObject({ ok: false, error: { code: 'not_a_repository' } });
});

test('case 46: git is missing → no worktree', async () => {
  fixture = GitFixture.withCommit();
  const refused = await prepareWorktree(fixture.request({ environment: { PATH: join(fixture.root, 'empty') } }));
  expect(refused).toMatchObject({ ok: false, error: { code: 'git_missing' } });
});

test('a git that is planted in the repository is never run, wherever the PATH puts it (B41)', async () => {
  fixture = GitFixture.withCommit();
  const planted = join(fixture.project, 'bin', 'git');
  fixture.write('bin/git', `#!/bin/sh\ntouch '${join(fixture.root, 'PWNED')}'\n`);
  chmodSync(planted, 0o755);
  const outside = join(fixture.root, 'linked');
  mkdirSync(outside);
  symlinkSync(planted, join(outside, 'git'));
  symlinkSync(join(fixture.project, 'bin'), join(fixture.root, 'bin-link'));
  const path = [
    '.',
    'bin',
    join(fixture.project, 'bin'),
    outside,
    join(fixture.root, 'bin-link'),
    '',
    process.env['PATH'],
  ];
  const worktree = await fixture.worktree({ environment: { ...fixture.environment, PATH: path.join(':') } });
  expect(existsSync(worktree.path)).toBe(true);
  expect(existsSync(join(fixture.root, 'PWNED'))).toBe(false);
});

test('a data folder inside the repository is refused: its files would be files of the project', async () => {
  fixture = GitFixture.withCommit();
  const refused = await prepareWorktree(fixture.request({ dataFolder: join(fixture.project, 'x', 'data') }));
  expect(refused).toMatchObject({ ok: false, error: { code: 'data_folder_inside_repository' } });
  expect(fixture.git(['status', '--porcelain'])).toBe('');
});

test('a branch called espalier is in the way → refused by name, nothing is left (W2)', async () => {
  fixture = GitFixture.withCommit();
  fixture.git(['branch', 'espalier']);
  const refused = await prepareWorktree(fixture.request());
  expect(refused).toMatchObject({ ok: false, error: { code: 'branch_blocked' } });
  expect(existsSync(join(fixture.data, 'worktrees', 'fix-the-parser', 'mend-it'))).toBe(false);
});

test('paths too long for the system → refused, nothing is left (W2, B24)', async () => {
  fixture = GitFixture.withCommit();
  const deep = join(fixture.data, ...Array.from({ length: 20 }, () => 'd'.repeat(200)));
  const refused = await prepareWorktree(fixture.request({ dataFolder: deep }));
  expect(refused).toMatchObject({ ok: false, error: { code: 'path_too_long' } });
  const deeper = await prepareWorktree(fixture.request({ dataFolder: join(deep, 'e'.repeat(300)) }));
  expect(deeper).toMatchObject({ ok: false, error: { code: 'path_too_long' } });
  expect(fixture.branches()).toEqual([]);
});

test('a repository at a path of 200 characters, with spaces and an emoji, works (B24)', async () => {
  fixture = GitFixture.withCommit();
  const far = join(fixture.root, 'p'.repeat(180), 'my project 🌳');
  mkdirSync(far, { recursive: true });
  fixture.git(['clone', '--quiet', fixture.project, '.'], far);
  const worktree = await fixture.worktree({ project: far });
  expect(worktree.repository).toBe(far);
  expect(existsSync(join(worktree.path, 'a.txt'))).toBe(true);
});

test('a user without name and email gets a worktree (B24)', async () => {
  fixture = GitFixture.withCommit();
  fixture.git(['config', '--unset', 'user.email']);
  fixture.git(['config', '--unset', 'user.name']);
  expect(existsSync((await fixture.worktree()).path)).toBe(true);
});

test('stopped before it began → an error, nothing is left', async () => {
  fixture = GitFixture.withCommit();
  const refused = await prepareWorktree(fixture.request({ signal: AbortSignal.abort() }));
  expect(refused.ok).toBe(false);
  expect(fixture.branches()).toEqual([]);
  expect(fixture.git(['worktree', 'list']).split('\n')).toHaveLength(1);
});

test.each(['update-ref --create-reflog', 'worktree add'])(
  'case 33: stopped in the moment in which git has done its "%s" and has not said so → nothing is left',
  async (at) => {
    fixture = GitFixture.withCommit();
    const bin = join(fixture.root, 'bin');
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    mkdirSync(bin);
    const hold = `'${real}' "$@"; touch '${bin}/done'; until [ -e '${bin}/go' ]; do sleep 0.02; done; exit 0`;
    writeFileSync(join(bin, 'git'), `#!/bin/sh\ncase "$*" in *"${at}"*) ${hold};; esac\nexec '${real}' "$@"\n`, {
      mode: 0o755,
    });
    const environment = { ...fixture.environment, PATH: `${bin}:${fixture.environment['PATH'] ?? ''}` };
    const stop = new AbortController();
    const made = prepareWorktree(fixture.request({ environment, signal: stop.signal }));
    await until('git to have done it', () => existsSync(join(bin, 'done')));
    stop.abort();
    writeFileSync(join(bin, 'go'), '');
    expect(await made).toMatchObject({ ok: false, error: { code: 'aborted' } });
    expect(fixture.branches()).toEqual([]);
    expect(fixture.git(['worktree', 'list'])).not.toContain('espalier/');
    expect(
      readdirSync(join(fixture.data, 'worktrees')).flatMap((name) =>
        readdirSync(join(fixture.data, 'worktrees', name)),
      ),
    ).toEqual([]);
  },
);

test('files that cannot be written → an error, no branch, folder or entry is left (W2)', async () => {
  fixture = GitFixture.withCommit();
  const blob = fixture.git(['rev-parse', 'HEAD:a.txt']);
  const object = join(fixture.project, '.git', 'objects', blob.slice(0, 2), blob.slice(2));
  chmodSync(object, 0o644);
  writeFileSync(object, 'damaged');
  const refused = await prepareWorktree(fixture.request());
  expect(refused).toMatchObject({ ok: false, error: { code: 'git_failed' } });
  expect(fixture.branches()).toEqual([]);
  expect(fixture.git(['worktree', 'list']).split('\n')).toHaveLength(1);
  expect(existsSync(join(fixture.data, 'worktrees', 'fix-the-parser', 'mend-it'))).toBe(false);
});

test('.worktreeinclude: listed ignored files are copied with their mode, nothing else (W1)', async () => {
  fixture = GitFixture.withCommit();
  fixture.write('.gitignore', '.env*\nbuild/\nsecret\nlink\n');
  fixture.write('.worktreeinclude', '.env*\nbuild/keep me.txt\nuntracked.txt\nlink\n!.env.example\n');
  fixture.commit('lists');
  fixture.write('.env', 'A=1\n');
  chmodSync(join(fixture.project, '.env'), 0o600);
  fixture.write('.env.example', 'A=\n');
  fixture.write('build/keep me.txt', 'kept\n');
  fixture.write('build/big.bin', 'x');
  fixture.write('untracked.txt', 'work of the user');
  fixture.write('secret', 'secret');
  symlinkSync('/etc/passwd', join(fixture.project, 'link'));
  const { path, notes } = await fixture.worktree();
  expect(readFileSync(join(path, '.env'), 'utf8')).toBe('A=1\n');
  expect(statSync(join(path, '.env')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(path, 'build', 'keep me.txt'), 'utf8')).toBe('kept\n');
  for (const name of ['.env.example', 'build/big.bin', 'untracked.txt', 'secret', 'link']) {
    expect(existsSync(join(path, name))).toBe(false);
  }
  expect(notes).toEqual(['Not copied by .worktreeinclude: link.']);
  expect(fixture.git(['status', '--porcelain'], path)).toBe('');
});

test('.worktreeinclude: a list that is a link, and files behind a linked folder, are not followed (W1)', async () => {
  fixture = GitFixture.withCommit();
  fixture.write('.gitignore', 'cache\n');
  fixture.commit('ignore');
  fixture.write('elsewhere/secret.txt', 'secret', fixture.root);
  symlinkSync(join(fixture.root, 'elsewhere'), join(fixture.project, 'cache'));
  fixture.write('list', 'cache/**\ncache\n', fixture.root);
  symlinkSync(join(fixture.root, 'list'), join(fixture.project, '.worktreeinclude'));
  const first = await fixture.worktree();
  expect(first.notes).toEqual(['.worktreeinclude is not a regular file; nothing was copied by it.']);
  fixture.git(['clean', '--quiet', '--force', '.worktreeinclude']);
  fixture.write('.worktreeinclude', 'cache/**\ncache\n');
  const second = await fixture.worktree();
  expect(existsSync(join(second.path, 'cache'))).toBe(false);
});

test('files kept in LFS are pointer files with a note, also without git-lfs (B26)', async () => {
  fixture = GitFixture.withCommit();
  fixture.write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
  fixture.write('big.bin', 'version https://git-lfs.github.com/spec/v1\n');
  fixture.commit('pointer');
  fixture.git(['config', '--global', 'filter.lfs.smudge', 'git-lfs-that-is-missing smudge -- %f']);
  fixture.git(['config', '--global', 'filter.lfs.process', 'git-lfs-that-is-missing filter-process']);
  fixture.git(['config', '--global', 'filter.lfs.required', 'true']);
  const { path, notes } = await fixture.worktree();
  expect(readFileSync(join(path, 'big.bin'), 'utf8')).toContain('git-lfs');
  expect(notes).toEqual(['Files kept in Git LFS are pointer files here.']);
});
