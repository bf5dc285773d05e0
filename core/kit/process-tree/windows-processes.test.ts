import { describe, expect, test } from 'vitest';
import { WindowsProcesses } from './windows-processes.ts';

const ROWS = [
  { ProcessId: 4, ParentProcessId: 0, Name: 'System', CommandLine: null, Started: null },
  {
    ProcessId: 900,
    ParentProcessId: 4,
    Name: 'node.exe',
    CommandLine: '"C:\\Program Files\\node.exe"  worker.js',
    Started: '2025-06-10T10:34:56.1234567Z',
  },
];

function windows(rows: unknown, calls: string[][] = []): WindowsProcesses {
  return new WindowsProcesses((command, args) => {
    calls.push([command, ...args]);
    return Promise.resolve(command === 'taskkill' ? '' : JSON.stringify(rows));
  }, 77);
}

const WORKER = { pid: 900, startTime: '2025-06-10T10:34:56.1234567Z' };

describe('processes by CIM and taskkill (Windows)', () => {
  test('a listing gives parent, start and command line; one row alone is a listing too', async () => {
    expect((await windows(ROWS).list()).entries[1]).toMatchObject({
      ...WORKER,
      ppid: 4,
      command: 'node.exe',
      commandLine: '"C:\\Program Files\\node.exe" worker.js',
    });
    expect((await windows(ROWS[1]).list()).entries).toHaveLength(1);
  });

  test('case 40: taskkill gets only pids with the same start', async () => {
    const calls: string[][] = [];
    const processes = [WORKER, { pid: 4, startTime: 'another' }];
    await windows(ROWS, calls).signal({ signal: 'SIGKILL', processes, groups: [] });
    expect(calls.at(-1)).toEqual(['taskkill', '/F', '/PID', '900']);
  });

  test('SIGTERM asks without force, and nobody left means no taskkill', async () => {
    const calls: string[][] = [];
    await windows(ROWS, calls).signal({ signal: 'SIGTERM', processes: [WORKER], groups: [] });
    expect(calls.at(-1)).toEqual(['taskkill', '/PID', '900']);
    await windows([], calls).signal({ signal: 'SIGTERM', processes: [WORKER], groups: [] });
    expect(calls.filter(([command]) => command === 'taskkill')).toHaveLength(1);
  });
});
