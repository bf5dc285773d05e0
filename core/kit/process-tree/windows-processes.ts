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

const QUERY =
  'Get-CimInstance Win32_Process | Select-Object ProcessId,ParentProcessId,Name,CommandLine,' +
  "@{n='Started';e={if($_.CreationDate){$_.CreationDate.ToUniversalTime().ToString('o')}}} | ConvertTo-Json -Compress";

interface Row {
  ProcessId: number;
  ParentProcessId: number;
  Name: string;
  CommandLine: string | null;
  Started: string | null;
}

/**
 * Processes by CIM and `taskkill` (Windows). There are no sessions or groups in this sense and environments cannot be read, so that a
 * tree is what was recorded by parent while it ran; `proof` says so.
 */
export class WindowsProcesses implements ProcessSource {
  readonly ownPid: number;
  readonly proof = 'descendants';
  readonly #run: RunCommand;

  constructor(run: RunCommand, ownPid: number = process.pid) {
    this.#run = run;
    this.ownPid = ownPid;
  }

  async list(): Promise<ProcessListing> {
    return { entries: (await this.#rows()).map(entryOf), vanished: 0 };
  }

  async identify(pid: number): Promise<ProcessIdentity | null> {
    const row = (await this.#rows()).find((each) => each.ProcessId === pid);
    return row === undefined ? null : { pid, startTime: entryOf(row).startTime };
  }

  startedAt({ startTime }: ProcessIdentity): number | null {
    const at = Date.parse(startTime);
    return Number.isNaN(at) ? null : at;
  }

  async living(identities: readonly ProcessIdentity[]): Promise<ProcessIdentity[]> {
    if (identities.length === 0) return [];
    const found = new Map((await this.#rows()).map((row) => [row.ProcessId, entryOf(row).startTime]));
    return identities.filter(({ pid, startTime }) => found.get(pid) === startTime);
  }

  async inspect(identities: readonly ProcessIdentity[]): Promise<Map<number, ProcessDetails>> {
    const found = new Map<number, ProcessDetails>();
    for (const { pid } of await this.living(identities)) {
      found.set(pid, { uid: null, cgroup: null, tag: null, outputs: [], cwd: null, commandLine: null });
    }
    return found;
  }

  async signal(request: SignalRequest): Promise<void> {
    const same = await this.living(request.processes).catch(() => []);
    if (same.length === 0) return;
    const force = request.signal === 'SIGKILL' ? ['/F'] : [];
    const pids = same.flatMap(({ pid }) => ['/PID', String(pid)]);
    // Without `/T`: that goes by the numbers of parents, which may be re-used, so that it would end a stranger's children too.
    // What it says of single processes is not needed: the next listing tells what is still there.
    await this.#run('taskkill', [...force, ...pids]).catch(() => '');
  }

  async #rows(): Promise<Row[]> {
    const text = await this.#run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', QUERY]);
    const parsed = JSON.parse(text) as Row | Row[];
    return Array.isArray(parsed) ? parsed : [parsed];
  }
}

function entryOf(row: Row): ProcessEntry {
  const startTime = row.Started ?? '';
  return {
    pid: row.ProcessId,
    startTime,
    ppid: row.ParentProcessId,
    pgid: 0,
    session: 0,
    startedAt: startTime === '' ? 0 : Date.parse(startTime),
    state: 'R',
    command: row.Name,
    terminal: false,
    marker: null,
    commandLine: shortCommand(row.CommandLine ?? row.Name),
  };
}
