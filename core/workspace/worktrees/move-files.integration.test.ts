import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownMounts } from '../../testing/own-mounts.ts';
import { findGit } from './find-git.ts';
import { GitFixture, value } from './git-fixture.ts';
import { openGitFolder } from './git-folder.ts';
import { moveFiles } from './move-files.ts';

let fixture: GitFixture;

beforeEach(() => {
  fixture = GitFixture.withCommit();
});
afterEach(() => {
  fixture.remove();
});

/** A commit of what the project holds now; then the project is as before. */
function aside(): string {
  const head = fixture.git(['rev-parse', 'HEAD']);
  const commit = fixture.commit('aside');
  fixture.git(['reset', '--quiet', '--hard', head]);
  return commit;
}

async function move(to: string) {
  const git = value(await findGit(fixture.environment, fixture.project));
  const folder = value(await openGitFolder(git, fixture.project, 'own'));
  return moveFiles(folder, fixture.git(['rev-parse', 'HEAD']), to);
}

/** The files of `commit` in a tree with one that no file system can hold. */
function withLongName(commit: string): string {
  const blob = fixture.git(['rev-parse', `${commit}:a.txt`]);
  const input = `${fixture.git(['ls-tree', commit])}\n100644 blob ${blob}\t${'n'.repeat(300)}\n`;
  return execFileSync('git', ['mktree'], { cwd: fixture.project, input, encoding: 'utf8' }).trim();
}

test('W4: when one file cannot be written, all that git had written before goes back, and it can be tried again', async () => {
  fixture.write('gone.txt', 'gone\n');
  fixture.write('folder/turns/x.txt', 'x\n');
  fixture.write('file', 'file\n');
  fixture.commit('more');
  fixture.git(['rm', '--quiet', '-r', 'gone.txt', 'folder/turns', 'file']);
  fixture.write('a.txt', 'ONE\n');
  fixture.write('folder/turns', 'a file now\n');
  fixture.write('file/is/folder.txt', 'a folder now\n');
  fixture.write('new/deep/d.txt', 'd\n');
  const good = aside();
  fixture.write('folder/b.txt', 'my own change\n');
  fixture.write('staged.txt', 'staged\n');
  fixture.git(['add', 'staged.txt']);
  fixture.write('loose.txt', 'loose\n');
  const before = fixture.fingerprint();
  const failed = await move(withLongName(good));
  expect(failed).toMatchObject({ ok: false, error: { type: 'failed', isFull: false, left: [] } });
  expect(fixture.fingerprint()).toBe(before);
  expect(['new', 'file/is'].map((path) => existsSync(join(fixture.project, path)))).toEqual([false, false]);
  expect(await move(good)).toEqual({ ok: true, value: null });
  expect(readFileSync(join(fixture.project, 'file/is/folder.txt'), 'utf8')).toBe('a folder now\n');
  expect(readFileSync(join(fixture.project, 'folder/b.txt'), 'utf8')).toBe('my own change\n');
});

test('W4: what git did not begin with is not touched: an index that another git holds, a file of the user’s in the way', async () => {
  fixture.write('a.txt', 'ONE\n');
  fixture.write('new.txt', 'n\n');
  const to = aside();
  const lock = join(fixture.project, '.git', 'index.lock');
  writeFileSync(lock, '');
  fixture.write('a.txt', 'my own work\n');
  fixture.write('new.txt', 'mine as well\n');
  const before = fixture.fingerprint();
  expect(await move(to)).toMatchObject({ ok: false, error: { type: 'failed' } });
  expect(fixture.fingerprint()).toBe(before);
  execFileSync('rm', [lock]);
  expect(await move(to)).toMatchObject({ ok: false, error: { type: 'refused' } });
  expect(fixture.fingerprint()).toBe(before);
});

test('W4: a file that was only touched is no change of the user’s', async () => {
  fixture.write('a.txt', 'ONE\n');
  const to = aside();
  utimesSync(join(fixture.project, 'a.txt'), 1, 1);
  expect(await move(to)).toEqual({ ok: true, value: null });
});

// A folder that cannot be looked into when work begins to be applied, and can when git comes to it: a network that is away for a moment.
const AWAY = `
  const at = (path) => new URL(path, ${JSON.stringify(import.meta.url)}).href;
  const { chmodSync, mkdirSync, readFileSync, writeFileSync } = await import('node:fs');
  const { execFileSync } = await import('node:child_process');
  const { join } = await import('node:path');
  const { GitFixture } = await import(at('./git-fixture.ts'));
  const { applyWorktree } = await import(at('./apply-worktree.ts'));
  const fixture = GitFixture.withCommit();
  const worktree = await fixture.worktree();
  for (const path of ['a.txt', 'folder/b.txt', 'z.txt']) fixture.write(path, 'work', worktree.path);
  const bin = join(fixture.root, 'bin');
  mkdirSync(bin);
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const folder = join(fixture.project, 'folder');
  // It comes back, and the call that was to write the files fails half way.
  const script = \`#!/bin/sh
case "$*" in *'read-tree -m -u'*) chmod 700 '\${folder}'; '\${real}' "$@"; echo broken >&2; exit 128;; esac
exec '\${real}' "$@"
\`;
  writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
  const before = fixture.fingerprint();
  chmodSync(folder, 0);
  const access = { ...fixture, environment: { ...fixture.environment, PATH: bin + ':' + fixture.environment.PATH } };
  const answer = await applyWorktree(worktree, { ...access, mode: 'squash', message: 'x' });
  chmodSync(folder, 0o755);
  console.log(JSON.stringify({ answer, isAsBefore: fixture.fingerprint() === before }));
  fixture.remove();
`;

test('W4: a file that cannot be looked at is not one that is absent: nothing is begun, nothing lost, and the error names it', () => {
  // Modes bind root only without these.
  const command = process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : ['env'];
  const [program = '', ...first] = command;
  const args = [...first, process.execPath, '--input-type=module', '--eval', AWAY];
  const ran = spawnSync(program, args, { encoding: 'utf8' });
  expect(ran.stderr).toBe('');
  expect(JSON.parse(ran.stdout)).toMatchObject({
    isAsBefore: true,
    answer: {
      ok: false,
      error: {
        code: 'git_failed',
        message: expect.stringMatching(/folder\/b.txt cannot be read \(EACCES.* Nothing was changed/),
      },
    },
  });
});

// Runs in a mount namespace of its own, where the project is a file system of 4 MB.
const PROGRAM = `
  const [root, PATH] = process.argv.slice(1);
  const at = (path) => new URL(path, ${JSON.stringify(import.meta.url)}).href;
  const { rmSync, writeFileSync } = await import('node:fs');
  const { GitFixture, value } = await import(at('./git-fixture.ts'));
  const { applyWorktree } = await import(at('./apply-worktree.ts'));
  const { execFileSync } = await import('node:child_process');
  const fixture = new GitFixture();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', fixture.project]);
  fixture.git(['init', '--quiet', '--initial-branch=main']);
  for (const name of ['a', 'b', 'c']) fixture.write(name, name.repeat(100_000));
  fixture.commit('first');
  const worktree = await fixture.worktree();
  for (const name of ['a', 'b', 'c', 'd']) fixture.write(name, name.repeat(1_500_000), worktree.path);
  const before = fixture.fingerprint();
  const work = fixture.fingerprint(worktree.path);
  const apply = () => applyWorktree(worktree, { environment: fixture.environment, dataFolder: fixture.data, mode: 'squash', message: 'x' });
  const told = [];
  const tell = async (result) => told.push({
    code: result.error?.code ?? 'ok',
    message: result.error?.message,
    project: fixture.fingerprint() === before ? 'as before' : 'changed',
    work: fixture.fingerprint(worktree.path) === work ? 'kept' : 'changed',
  });
  await tell(await apply());
  let name = 0;
  for (const size of [65536, 4096, 1]) {
    for (;;) {
      try { writeFileSync(fixture.project + '/.git/fill' + (name += 1), Buffer.alloc(size), { flag: 'wx' }); } catch { break; }
      if (name > 20000) break;
    }
  }
  await tell(await apply());
  execFileSync('sh', ['-c', 'rm -f .git/fill*'], { cwd: fixture.project });
  execFileSync('mount', ['-o', 'remount,size=40m', fixture.project]);
  await tell(await apply());
  execFileSync('umount', ['-l', fixture.project]);
  fixture.remove();
  console.log(JSON.stringify(told));
`;

test('W4: the disk of the project full while work is applied → a clear error, nothing half done, and it can be applied when there is room', () => {
  const [command, ...mounts] = ownMounts();
  const args = [...mounts, process.execPath, '--input-type=module', '--eval', PROGRAM, fixture.root];
  const ran = spawnSync(command, args, { encoding: 'utf8' });
  expect(ran.stderr).toBe('');
  const asBefore = { code: 'git_failed', project: 'as before', work: 'kept' };
  expect(JSON.parse(ran.stdout)).toEqual([
    { ...asBefore, message: expect.stringMatching(/^The disk of the project is full, .* Nothing was changed/) },
    { ...asBefore, message: expect.stringContaining('Nothing was changed') },
    { code: 'ok', project: 'changed', work: 'kept' },
  ]);
});
