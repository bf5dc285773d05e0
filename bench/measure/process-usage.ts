import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** `USER_HZ`, the unit in which the kernel shows processor time; 100 on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Processor seconds of a process. The kernel counts in nanoseconds and rounds only what it shows, so that sums over many ended children lose nothing. */
export interface CpuSeconds {
  readonly own: number;
  /** Of its ended children, with what these had waited for. */
  readonly reaped: number;
}

/** What a process has used so far; null when it is gone. */
export function cpuOf(pid: number): CpuSeconds | null {
  const stat = statOf(pid);
  if (stat === null) return null;
  const seconds = (first: number): number => (field(stat, first) + field(stat, first + 1)) / TICKS_PER_SECOND;
  return { own: seconds(14), reaped: seconds(16) };
}

/** Processes whose parent is `pid`; those that wait to be reaped are left out. */
export function childrenOf(pid: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((each) => {
    const stat = statOf(each);
    return stat !== null && field(stat, 4) === pid && stat[0] !== 'Z';
  });
}

/** Bytes of memory, shared pages divided among their users (PSS); null when the process is gone. */
export function pssOf(pid: number): number | null {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

/** Path of the file that a process has as its standard output. */
export function outputOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/1`);
  } catch {
    return ''; // It has just ended.
  }
}

/** The fields of `/proc/<pid>/stat` from the third on, see proc_pid_stat(5). */
function statOf(pid: number): string[] | null {
  const text = read(`/proc/${pid}/stat`);
  return text === '' ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function field(stat: readonly string[], number: number): number {
  return Number(stat[number - 3]);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // It has just ended.
  }
}
