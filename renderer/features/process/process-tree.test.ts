import { describe, expect, test } from 'vitest';
import type { ProcessUse } from '../../../core/protocol/processes.ts';
import { cpuShares, formatBytes, memoryOf, processLines, receiptWords, shortCommand } from './process-tree.ts';

const use = (pid: number, ppid: number, part: Partial<ProcessUse> = {}): ProcessUse => ({
  pid,
  ppid,
  command: `p${pid}`,
  rss_bytes: 1000,
  pss_bytes: null,
  cpu_seconds: 0,
  started_at: pid,
  ...part,
});

describe('the tree of processes', () => {
  test('each stands below the one that started it, in order of start; one without a known parent is a root', () => {
    const lines = processLines([use(5, 2), use(2, 1), use(3, 2), use(4, 3), use(9, 77)]);
    expect(lines.map(({ use: { pid }, level }) => [pid, level])).toEqual([
      [2, 1],
      [3, 2],
      [4, 3],
      [5, 2],
      [9, 1],
    ]);
  });

  test('parents in a circle lose no process', () => {
    expect(processLines([use(2, 3), use(3, 2)])).toHaveLength(2);
    expect(processLines([use(2, 2)])).toHaveLength(1);
  });
});

test.each([
  ['/opt/node/bin/node /srv/worker.mjs --run a/b', 'node /srv/worker.mjs --run a/b'],
  ['C:\\tools\\node.exe x', 'node.exe x'],
  ['sleep 5', 'sleep 5'],
  ['/', '/'],
])('the command %s is shown as %s', (command, shown) => {
  expect(shortCommand(command)).toBe(shown);
});

test('processor time between two measurements; a new process, or another under its pid, has none yet', () => {
  const before = { at: 1000, processes: [use(1, 0, { cpu_seconds: 1 }), use(2, 1, { started_at: 0 })] };
  const now = {
    at: 3000,
    processes: [use(1, 0, { cpu_seconds: 2 }), use(2, 1, { started_at: 60_000, cpu_seconds: 9 }), use(3, 1)],
  };
  expect([...cpuShares(before, now)]).toEqual([[1, 50]]);
  expect(cpuShares(null, now).size).toBe(0);
});

test('memory is the proportional share where it is known, in units of a thousand', () => {
  expect(memoryOf(use(1, 0, { pss_bytes: 5 }))).toBe(5);
  expect(memoryOf(use(1, 0))).toBe(1000);
  expect([950, 840_000, 33_400_000, 1_240_000_000].map(formatBytes)).toEqual(['950 B', '840 kB', '33 MB', '1.2 GB']);
});

test('C3: a receipt says what ended, what was gone, what runs on and what was left alone', () => {
  const one = [{ pid: 1, command: 'x' }];
  const none = { ended: [], gone: [], survivors: [], untouched: [] };
  expect(receiptWords({ ...none, ended: one, gone: one })).toBe('1 process ended, 1 not there any more.');
  expect(receiptWords({ ...none, survivors: one, untouched: one })).toMatch(/SIGKILL, 1 left alone/);
  expect(receiptWords(none)).toBe('Nothing was left to end.');
});
