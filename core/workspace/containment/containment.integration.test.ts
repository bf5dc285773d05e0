import { execFileSync } from 'node:child_process';
import {
  chmodSync, linkSync, mkdirSync, mkdtempSync, openSync, closeSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync,
} from 'node:fs'; // prettier-ignore
import { rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFolder } from './folder-handle.ts';
import { openInside } from './open-inside.ts';
import { isOpenInside } from './proof-of-place.ts';
import { resolveInside } from './resolve-inside.ts';
import { writeInside } from './write-inside.ts';

let outer: string;
let root: string;
beforeEach(() => {
  outer = realpathSync(mkdtempSync(join(tmpdir(), 'containment-')));
  root = join(outer, 'project');
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(join(outer, 'project-sibling'));
  writeFileSync(join(root, 'src/a.txt'), 'a');
  writeFileSync(join(outer, 'secret.txt'), 'secret');
});
afterEach(() => rmSync(outer, { recursive: true, force: true }));

const text = (words: string): Uint8Array => Buffer.from(words);
async function code(result: Promise<{ ok: true } | { ok: false; error: { code: string } }>): Promise<string> {
  const settled = await result;
  return settled.ok ? 'ok' : settled.error.code;
}
/** Every name below the project, to see that no temporary file is left. */
const names = (): string[] => readdirSync(root, { recursive: true }).map(String).sort();

test('A3: relative, absolute, dotted and not yet existing paths inside the workspace resolve', async () => {
  for (const path of ['src/a.txt', './src/../src/a.txt', join(root, 'src/a.txt'), '../project/src/a.txt']) {
    expect(await resolveInside(root, path)).toEqual({
      ok: true,
      value: { path: join(root, 'src/a.txt'), root, relative: 'src/a.txt', inWorkspace: true, exists: true },
    });
  }
  expect(await resolveInside(root, 'new/deep/b.txt')).toMatchObject({
    ok: true,
    value: { path: join(root, 'new/deep/b.txt'), exists: false },
  });
  expect(await resolveInside(root, '.')).toMatchObject({ ok: true, value: { relative: '.' } });
});

test('A3: what is outside is refused, also beside the workspace with the same beginning of its name', async () => {
  for (const path of ['..', '../secret.txt', '../project-sibling', '/etc/passwd', '/', '../not-there/x']) {
    expect(await code(resolveInside(root, path))).toBe('outside_workspace');
  }
});

test('A3: links that lead out are refused at any component, links that stay inside are followed', async () => {
  symlinkSync(outer, join(root, 'way-out'));
  symlinkSync('../secret.txt', join(root, 'last'));
  symlinkSync('src/a.txt', join(root, 'inner'));
  symlinkSync('src', join(root, 'inner-folder'));
  symlinkSync(join(outer, 'not-there.txt'), join(root, 'dangling'));
  symlinkSync('loop', join(root, 'loop'));
  expect(await code(resolveInside(root, 'way-out/secret.txt'))).toBe('outside_workspace');
  expect(await code(resolveInside(root, 'way-out/new.txt', { forWrite: true }))).toBe('outside_workspace');
  expect(await code(openInside(root, 'last'))).toBe('outside_workspace');
  expect(await code(resolveInside(root, 'dangling', { forWrite: true }))).toBe('link');
  expect(await code(resolveInside(root, 'loop'))).toBe('link');
  expect(await resolveInside(root, 'inner-folder/a.txt', { forWrite: true })).toMatchObject({
    ok: true,
    value: { relative: 'src/a.txt' },
  });
  expect(await resolveInside(root, 'inner')).toMatchObject({ ok: true, value: { relative: 'src/a.txt' } });
});

test('A3: a workspace that is itself reached through a link works by both names', async () => {
  symlinkSync(root, join(outer, 'alias'));
  const alias = join(outer, 'alias');
  expect(await resolveInside(alias, join(alias, 'src/a.txt'))).toMatchObject({
    ok: true,
    value: { path: join(root, 'src/a.txt') },
  });
  expect(await resolveInside(alias, join(root, 'src/a.txt'))).toMatchObject({
    ok: true,
    value: { relative: 'src/a.txt' },
  });
});

test('A3: a write never goes through a link, and says where the link points', async () => {
  symlinkSync('src/a.txt', join(root, 'inner'));
  symlinkSync(join(outer, 'created-by-link.txt'), join(root, 'dangling'));
  symlinkSync('../secret.txt', join(root, 'last'));
  const refused = await writeInside(root, 'inner', text('x'));
  expect(refused).toMatchObject({
    ok: false,
    error: { code: 'link', message: expect.stringContaining('"src/a.txt"') as string },
  });
  expect(await code(writeInside(root, 'dangling', text('x')))).toBe('link');
  expect(await code(writeInside(root, 'last', text('x')))).toBe('outside_workspace');
  expect(readFileSync(join(outer, 'secret.txt'), 'utf8')).toBe('secret');
  expect(readdirSync(outer).sort()).toEqual(['project', 'project-sibling', 'secret.txt']);
});

test('A3: a write creates missing folders, keeps the mode of an existing file and leaves no temporary file', async () => {
  chmodSync(join(root, 'src/a.txt'), 0o750);
  expect(await writeInside(root, 'src/a.txt', text('new'))).toMatchObject({
    ok: true,
    value: { created: false, bytes: 3 },
  });
  expect(await writeInside(root, 'x/y/z.txt', text('z'))).toMatchObject({
    ok: true,
    value: { created: true, relative: 'x/y/z.txt' },
  });
  expect(readFileSync(join(root, 'src/a.txt'), 'utf8')).toBe('new');
  expect(statSync(join(root, 'src/a.txt')).mode & 0o777).toBe(0o750);
  expect(names()).toEqual(['src', 'src/a.txt', 'x', 'x/y', 'x/y/z.txt']);
});

test('A3: writing replaces the name, so another hard link of the file keeps its text', async () => {
  linkSync(join(root, 'src/a.txt'), join(outer, 'hard'));
  expect(await code(writeInside(root, 'src/a.txt', text('new')))).toBe('ok');
  expect(readFileSync(join(outer, 'hard'), 'utf8')).toBe('a');
});

test('A3: folders, the workspace itself, files below files and .git are not written', async () => {
  mkdirSync(join(root, '.git/hooks'), { recursive: true });
  expect(await code(writeInside(root, 'src', text('x')))).toBe('not_a_file');
  expect(await code(writeInside(root, '.', text('x')))).toBe('not_a_file');
  expect(await code(writeInside(root, 'src/a.txt/b', text('x')))).toBe('not_a_folder');
  expect(await code(writeInside(root, '.git/hooks/pre-commit', text('x')))).toBe('denied');
  expect(names()).toEqual(['.git', '.git/hooks', 'src', 'src/a.txt']);
});

test('A3: an expected state is compared with what is there at the moment of the write', async () => {
  const opened = await openInside(root, 'src/a.txt');
  if (!opened.ok) throw new Error(opened.error.message);
  await opened.value.handle.close();
  writeFileSync(join(root, 'src/a.txt'), 'somebody else');
  expect(await code(writeInside(root, 'src/a.txt', text('mine'), { expected: opened.value.state }))).toBe('changed');
  expect(await code(writeInside(root, 'src/a.txt', text('mine'), { expected: 'absent' }))).toBe('exists');
  rmSync(join(root, 'src/a.txt'));
  expect(await code(writeInside(root, 'src/a.txt', text('mine'), { expected: opened.value.state }))).toBe('changed');
  expect(await code(writeInside(root, 'src/a.txt', text('mine'), { expected: 'absent' }))).toBe('ok');
});

test('A3: of many exclusive writes at once exactly one wins', async () => {
  const codes = await Promise.all(
    Array.from({ length: 20 }, (_, n) => code(writeInside(root, 'one.txt', text(String(n)), { expected: 'absent' }))),
  );
  expect(codes.filter((one) => one === 'ok')).toHaveLength(1);
  expect(codes.filter((one) => one === 'exists')).toHaveLength(19);
});

test('A3: pipes and folders are not opened as files, and nothing waits', async () => {
  execFileSync('mkfifo', [join(root, 'pipe')]);
  expect(await code(openInside(root, 'pipe'))).toBe('not_a_file');
  expect(await code(openInside(root, 'src'))).toBe('not_a_file');
  expect(await code(openInside(root, 'nothing'))).toBe('not_found');
  expect(await code(openInside(join(outer, 'gone'), 'x'))).toBe('not_found');
});

test('A3: a further readable folder is readable, but not writable', async () => {
  const spill = join(outer, 'spill');
  mkdirSync(spill);
  writeFileSync(join(spill, 'full.txt'), 'all');
  const opened = await openInside(root, join(spill, 'full.txt'), { alsoReadable: [spill] });
  if (!opened.ok) throw new Error(opened.error.message);
  await opened.value.handle.close();
  expect(await code(writeInside(root, join(spill, 'full.txt'), text('x')))).toBe('outside_workspace');
});

test('A3: an open file is proved to lie inside by itself, not by its path', () => {
  const outside = openSync(join(outer, 'secret.txt'), 'r');
  const inside = openSync(join(root, 'src/a.txt'), 'r');
  expect(isOpenInside(outside, join(root, 'src/a.txt'), root)).toBe(false);
  expect(isOpenInside(inside, join(root, 'src/a.txt'), root)).toBe(true);
  closeSync(outside);
  closeSync(inside);
});

test('A3: a folder replaced by a link while it is walked is not entered', async () => {
  symlinkSync(outer, join(root, 'swapped'));
  await expect(openFolder(root, ['swapped'])).rejects.toMatchObject({ code: 'ENOTDIR' });
});

test('A3: while a folder is swapped with a link that leads out, nothing is ever written outside', async () => {
  const target = join(outer, 'target');
  mkdirSync(target);
  mkdirSync(join(root, 'folder'));
  symlinkSync(target, join(root, 'trap'));
  let swapping = true;
  /** A write may create the folder in the moment in which it is not there: then that one makes place. */
  const move = async (from: string, to: string): Promise<void> => {
    while ((await rename(join(root, from), join(root, to)).catch((cause: unknown) => cause)) instanceof Error) {
      await rm(join(root, to), { recursive: true, force: true });
    }
  };
  const swap = async (): Promise<void> => {
    while (swapping) {
      await move('folder', 'parked');
      await move('trap', 'folder');
      await move('folder', 'trap');
      await move('parked', 'folder');
    }
  };
  const swapper = swap();
  const codes = new Set<string>();
  for (let round = 0; round < 150; round += 1)
    codes.add(await code(writeInside(root, 'folder/file.txt', text(String(round)))));
  swapping = false;
  await swapper;
  expect(readdirSync(target)).toEqual([]);
  expect(codes).toContain('ok');
});
