import { readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import type { Clock } from '../clock.ts';
import { parseLinuxStat, TICKS_PER_SECOND } from './linux-stat.ts';
import type { TreeTracker } from './tree-tracker.ts';

/** What one process uses. */
export interface ProcessUsage {
  readonly pid: number;
  readonly ppid: number;
  readonly command: string;
  /** Resident bytes, shared pages counted in full. */
  readonly rssBytes: number;
  /** Proportional bytes (shared pages divided among their users); null where it cannot be read. */
  readonly pssBytes: number | null;
  /** Processor seconds of itself and of the children it has waited for. */
  readonly cpuSeconds: number;
  /** Epoch milliseconds, to about a second. */
  readonly startedAt: number;
}

/** What a tree uses at one moment. */
export interface TreeUsage {
  /** Wall-clock milliseconds. */
  readonly at: number;
  readonly processes: readonly ProcessUsage[];
  readonly rssBytes: number;
  /** null as soon as one process does not tell. */
  readonly pssBytes: number | null;
  readonly cpuSeconds: number;
}

/** The kernel's page size on the Linux platforms that we ship for. */
const PAGE_BYTES = 4096;

/**
 * Samples the processes that the last listing showed. `pss` walks page tables (milliseconds for a large process) and is for a view
 * that is open, not for a timer over all runs. Linux only; elsewhere the list is empty.
 */
export async function sampleTreeUsage(
  tracker: TreeTracker,
  options: { readonly clock: Clock; readonly pss: boolean },
): Promise<TreeUsage> {
  const samples = await Promise.all(
    tracker.living.map(({ pid, ppid, command }) => sampleProcess(pid, ppid, command, options.pss)),
  );
  const bootAt = options.clock.now() - uptime() * 1000;
  const processes = samples
    .filter((sample) => sample !== null)
    .map(({ startTicks, ...sample }) => ({ ...sample, startedAt: bootAt + (startTicks / TICKS_PER_SECOND) * 1000 }));
  const sum = (of: (usage: ProcessUsage) => number): number => processes.reduce((total, each) => total + of(each), 0);
  return {
    at: options.clock.now(),
    processes,
    rssBytes: sum((each) => each.rssBytes),
    pssBytes: processes.some((each) => each.pssBytes === null) ? null : sum((each) => each.pssBytes ?? 0),
    cpuSeconds: sum((each) => each.cpuSeconds),
  };
}

type Sample = Omit<ProcessUsage, 'startedAt'> & { readonly startTicks: number };

async function sampleProcess(pid: number, ppid: number, command: string, pss: boolean): Promise<Sample | null> {
  const read = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  const [statText, rollup] = await Promise.all([read('stat'), pss ? read('smaps_rollup') : '']);
  const stat = parseLinuxStat(statText);
  if (stat === null) return null;
  const pssKilobytes = /^Pss:\s+(\d+) kB/m.exec(rollup)?.[1];
  return {
    pid,
    ppid,
    command,
    rssBytes: stat.rssPages * PAGE_BYTES,
    pssBytes: pssKilobytes === undefined ? null : Number(pssKilobytes) * 1024,
    cpuSeconds: stat.cpuTicks / TICKS_PER_SECOND,
    startTicks: stat.startTicks,
  };
}
