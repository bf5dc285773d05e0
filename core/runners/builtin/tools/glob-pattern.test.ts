import { expect, test } from 'vitest';
import { compileGlob } from './glob-pattern.ts';
import { isIgnored, parseIgnoreFile } from './ignore-rules.ts';

function matches(pattern: string, path: string): boolean {
  const compiled = compileGlob(pattern);
  if (!compiled.ok) throw new Error(compiled.error);
  return compiled.value.matches(path.split('/'));
}

test.each([
  ['*.ts', 'a.ts', true],
  ['*.ts', 'src/a.ts', false],
  ['**/*.ts', 'a.ts', true],
  ['**/*.ts', 'src/deep/a.ts', true],
  ['src/**', 'src/a/b', true],
  ['src/**', 'src', true],
  ['src/**/test/*.ts', 'src/a/test/b/test/c.ts', true],
  ['src/**/test/*.ts', 'src/a/b/c.ts', false],
  ['./src/*.{ts,tsx}', 'src/a.tsx', true],
  ['{src,lib}/{a,b{1,2}}.ts', 'lib/b2.ts', true],
  ['a{b}.ts', 'a{b}.ts', true],
  ['[a-c]?.txt', 'bx.txt', true],
  ['[!a-c]?.txt', 'bx.txt', false],
  ['[]].txt', '].txt', true],
  ['[ab.txt', '[ab.txt', true],
  ['\\*.ts', '*.ts', true],
  ['\\*.ts', 'a.ts', false],
  ['*', '.env', true],
  ['日本*', '日本語.md', true],
  ['?.md', '😀.md', true],
])('pattern %s on %s: %s', (pattern, path, expected) => {
  expect(matches(pattern, path)).toBe(expected);
});

test('a pattern made to be slow is answered at once', () => {
  expect(matches(`${'*a'.repeat(100)}b`, 'a'.repeat(250))).toBe(false);
  expect(matches(`${'**/a/'.repeat(50)}b`, 'a/'.repeat(200) + 'c')).toBe(false);
  expect(compileGlob('{a,b}'.repeat(20)).ok).toBe(false);
});

test.each([
  ['dist', 'packages/dist', true, true],
  ['dist/', 'dist', false, false],
  ['dist/', 'dist', true, true],
  ['/dist', 'packages/dist', true, false],
  ['docs/*.md', 'docs/a.md', false, true],
  ['docs/*.md', 'x/docs/a.md', false, false],
  ['*.log\n!keep.log', 'a/keep.log', false, false],
  ['*.log\n!keep.log', 'a/b.log', false, true],
  ['# comment\n\n*.tmp  ', 'x.tmp', false, true],
  ['\\#file', '#file', false, true],
  ['a/**/b', 'a/x/y/b', false, true],
])('.gitignore %j on %s (folder: %s): %s', (text, path, isFolder, expected) => {
  expect(isIgnored([parseIgnoreFile(text, [])], path.split('/'), isFolder)).toBe(expected);
});

test('a deeper .gitignore decides over a higher one', () => {
  const files = [parseIgnoreFile('*.log', []), parseIgnoreFile('!*.log', ['keep'])];
  expect(isIgnored(files, ['keep', 'a.log'], false)).toBe(false);
  expect(isIgnored(files.slice(0, 1), ['keep', 'a.log'], false)).toBe(true);
});
