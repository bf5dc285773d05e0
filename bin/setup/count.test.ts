import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countPlaywright, countVitest } from './count.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-count-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function report(content: unknown): string {
  const path = join(folder, 'report.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
}

test('a vitest report → its passed and failed tests', () => {
  expect(countVitest(report({ numPassedTests: 7, numFailedTests: 2 }), 1)).toEqual({ passed: 7, failed: 2 });
});

test('a failed run without a failing test counts as one failure', () => {
  expect(countVitest(report({ numPassedTests: 7, numFailedTests: 0 }), 1)).toEqual({ passed: 7, failed: 1 });
});

test('a run that wrote no report counts as one failure', () => {
  expect(countVitest(join(folder, 'none.json'), 1)).toEqual({ passed: 0, failed: 1 });
});

test('a Playwright report → expected and flaky passed, unexpected failed', () => {
  const stats = { expected: 3, flaky: 1, unexpected: 2, skipped: 0 };
  expect(countPlaywright(report({ stats }), 1)).toEqual({ passed: 4, failed: 2 });
});
