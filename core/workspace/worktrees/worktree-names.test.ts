import { expect, test } from 'vitest';
import { branchOf, slugOf, worktreeName } from './worktree-names.ts';

test.each([
  ['Fix the Parser!', 'fix-the-parser'],
  ['a/b', 'a-b'],
  ['../../etc/passwd', 'etc-passwd'],
  ['feature~1^{}', 'feature-1'],
  ['main.lock', 'main-lock'],
  ['Überprüfe Ärger', 'uberprufe-arger'],
  ['🎉🎉', 'task'],
  ['日本語', 'task'],
  ['', 'task'],
  ['   ', 'task'],
  ['-x --force', 'x-force'],
  ['@{-1}', '1'],
  ['line\nbreak\0', 'line-break'],
  ['CON', 'task-con'],
  ['com1', 'task-com1'],
])('the name of %j is %s', (text, slug) => {
  expect(slugOf(text, 'task')).toBe(slug);
});

test('a name of 300 characters is cut, and does not end in a hyphen', () => {
  expect(slugOf('x'.repeat(300), 'task')).toBe('x'.repeat(40));
  expect(slugOf(`${'x'.repeat(39)} y`, 'task')).toBe('x'.repeat(39));
});

test('the branch names conversation and task (W1)', () => {
  expect(branchOf(worktreeName('Fix it', 'Write tests', null))).toBe('espalier/fix-it/write-tests');
  expect(branchOf(worktreeName('', '', 'a1b2'))).toBe('espalier/conversation/task-a1b2');
});
