import { expect, test } from 'vitest';
import type { AcceptanceResult, ResultEntry, WorktreeResult } from '../../protocol/result-entry.ts';
import { acceptanceLines, worktreeLines } from './closed-lines.ts';

const entry = (change: Partial<ResultEntry>): ResultEntry => change as ResultEntry;
const check = (command: string, exit_code: number | null, output = ''): AcceptanceResult['commands'][number] => {
  return { command, exit_code, seconds: 1, output };
};

test('P4: failed verify commands are named with their output, passed ones are not', () => {
  const commands = [check('make', 0, 'fine'), check('npm test', 1, 'x is not y'), check('slow', null)];
  expect(acceptanceLines(entry({ acceptance: { status: 'failed', commands } }))).toEqual([
    'acceptance: failed',
    '- npm test → exit 1',
    'x is not y',
    '- slow → did not end by itself',
  ]);
  expect(acceptanceLines(entry({ acceptance: { status: 'passed', commands: [check('make', 0)] } }))).toEqual([
    'acceptance: passed',
  ]);
  expect(acceptanceLines(entry({ acceptance: { status: 'none', commands: [] } }))).toEqual(['acceptance: not checked']);
  expect(acceptanceLines(entry({}))).toEqual([]);
});

test('P4: where the work of an isolated task is', () => {
  const kept: WorktreeResult = { path: '/w', branch: 'b', base_commit: 'c', commits: 2, dirty: true, kept: true };
  expect(worktreeLines(entry({ worktree: kept }))).toEqual([
    'worktree: branch b in /w, 2 commits and changes that are not committed',
  ]);
  expect(worktreeLines(entry({ worktree: { ...kept, commits: 0, dirty: false, kept: false } }))).toEqual([
    'worktree: nothing was changed in it, so it was removed',
  ]);
  const inspection_failed = { probe: 'status', exit_code: 128, stderr: 'no index' };
  const unknown = { ...kept, commits: null, dirty: null, inspection_failed, note: 'Look at it.' };
  expect(worktreeLines(entry({ worktree: unknown }))).toEqual([
    'worktree: branch b in /w, it could not be measured (status: no index). Look at it.',
  ]);
  expect(worktreeLines(entry({ worktree: null }))).toEqual([]);
});
