import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadInstructions } from './load-instructions.ts';

let outer: string;
let root: string;
beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'instructions-'));
  root = join(outer, 'project');
  mkdirSync(join(root, 'packages/web'), { recursive: true });
});
afterEach(() => rmSync(outer, { recursive: true, force: true }));

test('K1: the AGENTS.md chain goes from the project root down to the folder, never above it', async () => {
  writeFileSync(join(outer, 'AGENTS.md'), 'from outside');
  writeFileSync(join(root, 'AGENTS.md'), 'root rules\n');
  writeFileSync(join(root, 'CLAUDE.md'), 'not used');
  writeFileSync(join(root, 'packages/web/AGENTS.md'), 'web rules\n');
  expect(await loadInstructions(root, { folder: join(root, 'packages/web') })).toEqual({
    text: '# AGENTS.md\n\nroot rules\n\n# packages/web/AGENTS.md\n\nweb rules',
    sources: ['AGENTS.md', 'packages/web/AGENTS.md'],
    skipped: [],
    truncated: false,
  });
  expect((await loadInstructions(root)).sources).toEqual(['AGENTS.md']);
  expect((await loadInstructions(root, { folder: outer })).sources).toEqual(['AGENTS.md']);
});

test('K1: without an AGENTS.md, CLAUDE.md is used; without any, the text is empty', async () => {
  expect(await loadInstructions(root)).toEqual({ text: '', sources: [], skipped: [], truncated: false });
  writeFileSync(join(root, 'AGENTS.md'), '  \n');
  writeFileSync(join(root, 'CLAUDE.md'), '\uFEFFclaude rules');
  expect(await loadInstructions(root)).toMatchObject({ text: '# CLAUDE.md\n\nclaude rules', sources: ['CLAUDE.md'] });
});

test('K1: a link inside the project is followed, one that leads out is skipped and named', async () => {
  writeFileSync(join(outer, 'secret.md'), 'secret');
  symlinkSync(join(outer, 'secret.md'), join(root, 'AGENTS.md'));
  writeFileSync(join(root, 'real.md'), 'real rules');
  symlinkSync('real.md', join(root, 'CLAUDE.md'));
  const loaded = await loadInstructions(root);
  expect(loaded.text).toBe('# CLAUDE.md\n\nreal rules');
  expect(loaded.skipped).toEqual([
    { path: 'AGENTS.md', reason: expect.stringContaining('outside of the workspace') as string },
  ]);
});

test('K1: a huge file is cut head and tail within the limit, without its escapes', async () => {
  writeFileSync(join(root, 'AGENTS.md'), `\x1b[31mfirst line\x1b[0m\n${'filler line\n'.repeat(1_000_000)}last line\n`);
  const loaded = await loadInstructions(root);
  expect(loaded.truncated).toBe(true);
  expect(loaded.text.length).toBeLessThanOrEqual(32 * 1024);
  expect(loaded.text.startsWith('# AGENTS.md\n\nfirst line\nfiller line\n')).toBe(true);
  expect(loaded.text.endsWith('last line')).toBe(true);
});

test('K1: a folder or a named pipe in place of the file is skipped without waiting', async () => {
  mkdirSync(join(root, 'AGENTS.md'));
  execFileSync('mkfifo', [join(root, 'CLAUDE.md')]);
  expect((await loadInstructions(root)).skipped).toEqual([
    { path: 'AGENTS.md', reason: '"AGENTS.md" is a folder, not a file.' },
    { path: 'CLAUDE.md', reason: '"CLAUDE.md" is a named pipe, not a file.' },
  ]);
});
