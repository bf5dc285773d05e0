import { describe, expect, test } from 'vitest';
import type { Clock } from '../clock.ts';
import { ProcessScanner } from './process-scanner.ts';
import { stopTree } from './stop-tree.ts';
import { trackTree } from './tree-tracker.ts';
import { WindowsProcesses } from './windows-processes.ts';

interface Row {
  ProcessId: number;
  ParentProcessId: number;
  Name: string;
  CommandLine: string | null;
  Started: string | null;
}

const at = (second: number): string => `2025-06-10T10:00:${String(second).padStart(2, '0')}.0000000Z`;
const row = (pid: number, parent: number, second: number): Row => ({
  ProcessId: pid,
  ParentProcessId: parent,
  Name: `p${String(pid)}.exe`,
  CommandLine: `p${String(pid)}.exe --work`,
  Started: at(second),
});

/** A machine that answers as CIM and `taskkill` do; without force only windows close, so that programs without one stay. */
class Machine {
  rows: Row[];
  readonly killed: number[] = [];
  readonly stubborn = new Set<number>();
  broken = false;

  constructor(rows: Row[]) {
    this.rows = rows;
  }

  readonly run = (command: string, args: readonly string[]): Promise<string> => {
    if (this.broken) return Promise.reject(new Error('powershell.exe was not found'));
    if (command !== 'taskkill') return Promise.resolve(JSON.stringify(this.rows));
    const asked = args.flatMap((arg, n) => (args[n - 1] === '/PID' ? [Number(arg)] : []));
    for (const pid of args.includes('/F') ? asked.filter((each) => !this.stubborn.has(each)) : []) {
      this.rows = this.rows.filter(({ ProcessId }) => ProcessId !== pid);
      this.killed.push(pid);
    }
    return Promise.resolve('');
  };
}

/** Time that passes only by waiting. */
function waitingClock(): Clock {
  let time = 0;
  return {
    now: () => time,
    monotonic: () => time,
    after(ms, run) {
      if (ms >= 500) return () => undefined; // the scanner's own rhythm
      const timer = setImmediate(() => {
        time += ms;
        run();
      });
      return () => clearImmediate(timer);
    },
    every: () => () => undefined,
  };
}

function tracked(machine: Machine) {
  const clock = waitingClock();
  const source = new WindowsProcesses(machine.run, 50);
  const scanner = new ProcessScanner({ source, clock });
  const root = { pid: 100, startTime: at(10) };
  return { clock, tracker: trackTree({ scanner, root, marker: 'run_1', leads: true, evidence: { sealed: true } }) };
}

describe('a tree on Windows (C3, C4)', () => {
  test('what was asked first and stayed is ended by force, deep ones and recorded orphans too; the proof says by what', async () => {
    const machine = new Machine([row(50, 4, 1), row(100, 50, 10), row(101, 100, 11), row(102, 101, 12)]);
    const { clock, tracker } = tracked(machine);
    await tracker.refresh();
    machine.rows = machine.rows.filter(({ ProcessId }) => ProcessId !== 101); // 102 has lost its parent.
    const receipt = await stopTree(tracker, { graceMs: 1000, clock });
    expect(machine.killed.sort()).toEqual([100, 102]);
    expect(receipt).toMatchObject({ survivors: [], proof: { method: 'observed', how: 'descendants' } });
    expect(machine.rows.map(({ ProcessId }) => ProcessId)).toEqual([50]);
  });

  test('case 40: a child of an earlier owner of our number is older than we are, and is left alone', async () => {
    const machine = new Machine([row(50, 4, 1), row(77, 100, 5), row(100, 50, 10), row(101, 100, 11)]);
    const { clock, tracker } = tracked(machine);
    const receipt = await stopTree(tracker, { graceMs: 1000, clock });
    expect(receipt.ended.map(({ pid }) => pid).sort()).toEqual([100, 101]);
    expect(machine.rows.map(({ ProcessId }) => ProcessId)).toEqual([50, 77]);
  });

  test('case 40: the number of a dead root that another program has is not ended', async () => {
    const machine = new Machine([row(50, 4, 1), row(100, 4, 30), row(101, 100, 31)]);
    const { clock, tracker } = tracked(machine);
    const receipt = await stopTree(tracker, { graceMs: 1000, clock });
    expect(receipt).toMatchObject({ ended: [], survivors: [], proof: { method: 'observed' } });
    expect(machine.killed).toEqual([]);
  });

  test('one that cannot be ended is a survivor by name', async () => {
    const machine = new Machine([row(50, 4, 1), row(100, 50, 10), row(101, 100, 11)]);
    machine.stubborn.add(101);
    const { clock, tracker } = tracked(machine);
    const receipt = await stopTree(tracker, { graceMs: 1000, clock });
    expect(receipt).toMatchObject({
      survivors: [{ pid: 101, command: 'p101.exe --work' }],
      proof: { method: 'survivors' },
    });
  });

  test('without the means to look the end is unknown, with the reason', async () => {
    const machine = new Machine([row(100, 50, 10)]);
    machine.broken = true;
    const { clock, tracker } = tracked(machine);
    const { proof } = await stopTree(tracker, { graceMs: 1000, clock });
    expect(proof).toEqual({
      method: 'unknown',
      reason: 'the processes could not be listed: powershell.exe was not found',
    });
  });
});
