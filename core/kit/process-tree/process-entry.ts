/**
 * Who a process is: its pid together with the time at which the kernel says it started. A pid alone is re-used by the
 * system; the pair is not. `startTime` is opaque text in the platform's own form and compares by equality only.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

/** One process in a snapshot of the machine. */
export interface ProcessEntry extends ProcessIdentity {
  readonly ppid: number;
  readonly pgid: number;
  /** Session id, which is the pid of the session's leader; 0 where the platform does not tell. */
  readonly session: number;
  /** Milliseconds on a clock of the platform's choice; only for ordering processes of one snapshot. */
  readonly startedAt: number;
  /** One letter: R, S, D, T, Z … */
  readonly state: string;
  /** The program's short name. */
  readonly command: string;
  /** Has a controlling terminal. */
  readonly terminal: boolean;
  /** The value of the marker variable in its environment; null without one, or where it cannot be read. */
  readonly marker: string | null;
  /** Command line, shortened; undefined where a listing does not bring it and `inspect` is asked for it. */
  readonly commandLine?: string;
}

/** What a receipt names of a process. */
export interface ProcessRef {
  readonly pid: number;
  /** Command line, shortened. */
  readonly command: string;
  /** Its `startTime`, where it is named so that it can be found again: with the pid it says who it is (case 40). */
  readonly started?: string;
}

/** What is read only of few processes, since it costs more. null = cannot be read. */
export interface ProcessDetails {
  readonly uid: number | null;
  /** Control groups as one text, for equality. */
  readonly cgroup: string | null;
  /** Inherited tag (see `linux-tag.ts`). */
  readonly tag: number | null;
  /** Where standard output and standard error lead: `pipe:[…]`, `socket:[…]` or a path. */
  readonly outputs: readonly string[];
  readonly cwd: string | null;
  /** Command line, shortened; null for a process that has none. */
  readonly commandLine: string | null;
}

/** Whom to signal. A group is named with one of its members, whose identity is checked before the group is signalled. */
export interface SignalRequest {
  readonly signal: 'SIGTERM' | 'SIGKILL';
  readonly processes: readonly ProcessIdentity[];
  readonly groups: readonly { readonly pgid: number; readonly anchor: ProcessIdentity }[];
}

/** A listing of the machine's processes. */
export interface ProcessListing {
  readonly entries: readonly ProcessEntry[];
  /** How many pids were listed and gone before they could be read; what they forked last may be missing. */
  readonly vanished: number;
}

/** The platform's view of its processes. Methods reject only when the platform's own means fail (no `/proc`, no `ps`). */
export interface ProcessSource {
  readonly ownPid: number;
  /** What an empty tree is proved by on this platform when it has no cgroup of its own. */
  readonly proof: 'session+marker+descendants' | 'descendants';
  list(): Promise<ProcessListing>;
  /** null: no such process. */
  identify(pid: number): Promise<ProcessIdentity | null>;
  /** When a process of that identity started, on the clock of `startedAt` of entries; null when nobody can know. Costs nothing. */
  startedAt(identity: ProcessIdentity): number | null;
  /** Those of `identities` that are still there under the same identity and are not zombies. */
  living(identities: readonly ProcessIdentity[]): Promise<ProcessIdentity[]>;
  /** Details by pid; without those that are gone. */
  inspect(identities: readonly ProcessIdentity[]): Promise<Map<number, ProcessDetails>>;
  /** Signals those that still have the identity; everything else is left alone (case 40). Never rejects. */
  signal(request: SignalRequest): Promise<void>;
}

/** A zombie or a dead entry holds a pid but runs nothing. */
export function isRunning(entry: ProcessEntry): boolean {
  return !entry.state.startsWith('Z') && !entry.state.startsWith('X');
}

/** Cuts a command line to what a receipt shows. */
export function shortCommand(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 160 ? `${line.slice(0, 159)}…` : line;
}
