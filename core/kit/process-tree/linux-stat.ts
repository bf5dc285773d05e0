/** The fields of `/proc/<pid>/stat` that supervision needs (proc_pid_stat(5)). */
export interface LinuxStat {
  readonly pid: number;
  readonly command: string;
  readonly state: string;
  readonly ppid: number;
  readonly pgid: number;
  readonly session: number;
  readonly terminal: boolean;
  /** Clock ticks of user and system time, of itself and of the children it has waited for. */
  readonly cpuTicks: number;
  /** Clock ticks after boot. */
  readonly startTicks: number;
  readonly rssPages: number;
}

/** `USER_HZ`: the unit of ticks that the kernel shows to programs; 100 on every architecture Node runs on. */
export const TICKS_PER_SECOND = 100;

/** Parses one line of `/proc/<pid>/stat`; the command may hold spaces and parentheses. null: not such a line. */
export function parseLinuxStat(text: string): LinuxStat | null {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open < 1 || close < open) return null;
  const rest = text.slice(close + 2).split(' ');
  if (rest.length < 22) return null;
  const field = (index: number): number => Number(rest[index - 3]);
  return {
    pid: Number(text.slice(0, open)),
    command: text.slice(open + 1, close),
    state: rest[0] ?? '?',
    ppid: field(4),
    pgid: field(5),
    session: field(6),
    terminal: field(7) !== 0,
    cpuTicks: field(14) + field(15) + field(16) + field(17),
    startTicks: field(22),
    rssPages: field(24),
  };
}
