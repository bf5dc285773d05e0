import { shortCommand } from './process-entry.ts';
import type {
  ProcessDetails,
  ProcessEntry,
  ProcessIdentity,
  ProcessListing,
  ProcessSource,
  SignalRequest,
} from './process-entry.ts';
import type { RunCommand } from './run-command.ts';
import { sendSignal } from './send-signal.ts';

const LISTING = 'pid=,ppid=,pgid=,uid=,stat=,tty=,lstart=,command=';

/** One line of `ps -o` {@link LISTING} in the C locale; `lstart` is five words. */
const LINE = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/;

/**
 * Processes by `ps` (macOS, and any system with a BSD or procps `ps`). Session ids are not told there (0), environments only of
 * programs that the system lets us see, and there is neither a cgroup nor an inherited tag: what left the tree
 * unseen is found by its working folder and descriptors (`lsof`).
 */
export class MacProcesses implements ProcessSource {
  readonly ownPid: number;
  readonly proof = 'session+marker+descendants';
  readonly #run: RunCommand;
  readonly #marker: RegExp;

  constructor(markerName: string, run: RunCommand, ownPid: number = process.pid) {
    this.#run = run;
    this.#marker = new RegExp(`(?:^|\\s)${markerName}=(\\S+)`);
    this.ownPid = ownPid;
  }

  async list(): Promise<ProcessListing> {
    const [listing, environments] = await Promise.all([
      this.#run('ps', ['-axwwo', LISTING]),
      // `-E` appends the environment to the command line.
      this.#run('ps', ['-axwwE', '-o', 'pid=,command=']),
    ]);
    const markers = new Map<number, string>();
    for (const line of environments.split('\n')) {
      const marker = this.#marker.exec(line)?.[1];
      if (marker !== undefined) markers.set(Number.parseInt(line, 10), marker);
    }
    const entries = parseListing(listing).map(({ entry }) => ({ ...entry, marker: markers.get(entry.pid) ?? null }));
    return { entries, vanished: 0 };
  }

  async identify(pid: number): Promise<ProcessIdentity | null> {
    const [found] = await this.#byPid([pid]);
    return found === undefined ? null : { pid, startTime: found.startTime };
  }

  startedAt({ startTime }: ProcessIdentity): number | null {
    const at = momentOf(startTime);
    return Number.isNaN(at) ? null : at;
  }

  async living(identities: readonly ProcessIdentity[]): Promise<ProcessIdentity[]> {
    if (identities.length === 0) return [];
    const found = new Map((await this.#byPid(identities.map(({ pid }) => pid))).map((entry) => [entry.pid, entry]));
    return identities.filter(({ pid, startTime }) => {
      const entry = found.get(pid);
      return entry?.startTime === startTime && !entry.state.startsWith('Z');
    });
  }

  async inspect(identities: readonly ProcessIdentity[]): Promise<Map<number, ProcessDetails>> {
    const found = new Map<number, ProcessDetails>();
    if (identities.length === 0) return found;
    const pids = identities.map(({ pid }) => pid).join(',');
    const [listing, files] = await Promise.all([
      this.#run('ps', ['-wwo', LISTING, '-p', pids]),
      this.#run('lsof', ['-a', '-p', pids, '-d', 'cwd,1,2', '-F', 'pfn']).catch(() => ''),
    ]);
    const links = parseLsof(files);
    const starts = new Map(identities.map(({ pid, startTime }) => [pid, startTime]));
    for (const { entry, uid } of parseListing(listing)) {
      if (starts.get(entry.pid) !== entry.startTime) continue;
      const link = (descriptor: string): string | null => links.get(`${entry.pid} ${descriptor}`) ?? null;
      found.set(entry.pid, {
        uid,
        cgroup: null,
        tag: null,
        outputs: [link('1'), link('2')].filter((each) => each !== null),
        cwd: link('cwd'),
        commandLine: entry.commandLine ?? null,
      });
    }
    return found;
  }

  async signal(request: SignalRequest): Promise<void> {
    const anchors = request.groups.map(({ anchor }) => anchor);
    const checked = await this.living([...anchors, ...request.processes]).catch(() => []);
    const same = new Set(checked.map(({ pid }) => pid));
    for (const { pgid, anchor } of request.groups) if (same.has(anchor.pid)) sendSignal(-pgid, request.signal);
    for (const { pid } of request.processes) {
      if (!same.has(pid)) continue;
      sendSignal(pid, request.signal);
      if (request.signal === 'SIGTERM') sendSignal(pid, 'SIGCONT');
    }
  }

  async #byPid(pids: readonly number[]): Promise<ProcessEntry[]> {
    const text = await this.#run('ps', ['-wwo', LISTING, '-p', pids.join(',')]);
    return parseListing(text).map(({ entry }) => entry);
  }
}

function parseListing(text: string): { entry: ProcessEntry; uid: number }[] {
  const found: { entry: ProcessEntry; uid: number }[] = [];
  for (const line of text.split('\n')) {
    const [, pid, ppid, pgid, uid, state, tty, start, command] = LINE.exec(line) ?? [];
    if (start === undefined || state === undefined || command === undefined) continue;
    const entry: ProcessEntry = {
      pid: Number(pid),
      startTime: start.replace(/\s+/g, ' '),
      ppid: Number(ppid),
      pgid: Number(pgid),
      session: 0,
      startedAt: momentOf(start),
      state,
      command: programName(command),
      commandLine: shortCommand(command),
      terminal: !/^\?+$|^-$/.test(tty ?? '?'),
      marker: null,
    };
    found.push({ entry, uid: Number(uid) });
  }
  return found;
}

/** The name in a command line: the last part of its first word. */
function programName(command: string): string {
  const [first = ''] = command.trim().split(/\s/);
  return first.slice(first.lastIndexOf('/') + 1);
}

/** `lsof -F pfn`: lines `p<pid>`, `f<descriptor>`, `n<name>`; gives names by "pid descriptor". */
function parseLsof(text: string): Map<string, string> {
  const links = new Map<string, string>();
  let pid = '';
  let descriptor = '';
  for (const line of text.split('\n')) {
    const rest = line.slice(1);
    if (line.startsWith('p')) pid = rest;
    else if (line.startsWith('f')) descriptor = rest;
    else if (line.startsWith('n')) links.set(`${pid} ${descriptor}`, rest);
  }
  return links;
}

/** `lstart` in the C locale and UTC, as a moment; NaN when it is none. */
function momentOf(lstart: string): number {
  return Date.parse(`${lstart} UTC`);
}
