import type { ProcessUse, SurvivorsReceipt } from '../../../core/protocol/processes.ts';
import { inspectStrings } from '../../shared/inspect-strings.ts';

const words = inspectStrings.process;

/** A process with its place in the tree; the root has level 1. */
export interface ProcessLine {
  readonly use: ProcessUse;
  readonly level: number;
}

/** The processes as a tree, each below the one that started it, the earliest first. One whose parent is not among them is a root. */
export function processLines(processes: readonly ProcessUse[]): readonly ProcessLine[] {
  const known = new Set(processes.map(({ pid }) => pid));
  const sorted = [...processes].sort((a, b) => a.started_at - b.started_at || a.pid - b.pid);
  const lines: ProcessLine[] = [];
  const placed = new Set<number>();
  const add = (use: ProcessUse, level: number): void => {
    if (placed.has(use.pid)) return;
    placed.add(use.pid);
    lines.push({ use, level });
    for (const child of sorted) if (child.ppid === use.pid) add(child, level + 1);
  };
  for (const use of sorted) if (!known.has(use.ppid) || use.ppid === use.pid) add(use, 1);
  // Two that name each other as parent: never seen, and shown all the same.
  for (const use of sorted) add(use, 1);
  return lines;
}

/** A command without the folders of its program: there is room for what tells it from others. */
export function shortCommand(command: string): string {
  const [program = '', ...rest] = command.split(' ');
  return [program.replace(/^.*[/\\](?=[^/\\])/, ''), ...rest].join(' ');
}

/** What a process takes: its own share of memory where that can be read. */
export const memoryOf = ({ pss_bytes, rss_bytes }: ProcessUse): number => pss_bytes ?? rss_bytes;

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `840 kB`, `33 MB`, `1.2 GB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(value < 10 && unit > 2 ? 1 : 0)} ${UNITS[unit] ?? ''}`;
}

/** One measurement, to tell how busy a process was until the next. */
export interface Measured {
  readonly at: number;
  readonly processes: readonly ProcessUse[];
}

/** Per cent of one processor that each process used between two measurements; none for one that is new. */
export function cpuShares(before: Measured | null, now: Measured): ReadonlyMap<number, number> {
  const shares = new Map<number, number>();
  const seconds = before === null ? 0 : (now.at - before.at) / 1000;
  if (before === null || seconds <= 0) return shares;
  const earlier = new Map(before.processes.map((use) => [use.pid, use]));
  for (const { pid, cpu_seconds, started_at } of now.processes) {
    const was = earlier.get(pid);
    // Another program may have the pid by now; start times are only good to about a second.
    if (was === undefined || Math.abs(was.started_at - started_at) > 2000) continue;
    shares.set(pid, Math.max(0, Math.round(((cpu_seconds - was.cpu_seconds) / seconds) * 100)));
  }
  return shares;
}

/** What became of survivors, in one sentence. */
export function receiptWords({ ended, gone, survivors, untouched }: SurvivorsReceipt): string {
  const parts = [
    ended.length > 0 ? words.ended(ended.length) : '',
    gone.length > 0 ? words.wereGone(gone.length) : '',
    survivors.length > 0 ? words.stillRun(survivors.length) : '',
    untouched.length > 0 ? words.untouched(untouched.length) : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? words.nothing : `${parts.join(', ')}.`;
}
