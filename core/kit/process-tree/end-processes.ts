import { delay, type Clock } from '../clock.ts';
import { isRunning } from './process-entry.ts';
import type { ProcessEntry, ProcessIdentity, ProcessRef, ProcessSource } from './process-entry.ts';
import { processTable, type ProcessTable } from './process-table.ts';

/** What became of processes that were to be ended. */
export interface EndedProcesses {
  /** Ended by this, with what they had started. */
  readonly ended: readonly ProcessRef[];
  /** Were not there any more, or another program has their pid now: left alone (case 40). */
  readonly gone: readonly ProcessRef[];
  /** Still run, in spite of SIGKILL. */
  readonly survivors: readonly ProcessRef[];
  /** Named without a start time: nobody can tell whether they are still the same, so they are left alone. */
  readonly untouched: readonly ProcessRef[];
}

/** Options of {@link endProcesses}. */
export interface EndOptions {
  readonly source: ProcessSource;
  readonly clock: Clock;
  /** Milliseconds from SIGTERM to SIGKILL. */
  readonly graceMs: number;
}

/** After SIGKILL only a process that sleeps uninterruptibly stays. */
const KILL_LIMIT_MS = 3000;

interface Target extends ProcessIdentity, ProcessRef {
  readonly started: string;
}

/** Ends named processes and what descends from them: SIGTERM, SIGKILL after the grace. Only identities are signalled (case 40). */
export async function endProcesses(refs: readonly ProcessRef[], options: EndOptions): Promise<EndedProcesses> {
  const { source, clock, graceMs } = options;
  const untouched = refs.filter(({ started }) => started === undefined);
  const named = refs.flatMap(({ pid, command, started }) =>
    started === undefined ? [] : { pid, command, started, startTime: started },
  );
  const there = await stillThere(source, named);
  const targets = withDescendants(there, processTable(await source.list(), 0), source.ownPid);
  let left = targets;
  for (const [signal, limitMs] of [
    ['SIGTERM', graceMs],
    ['SIGKILL', KILL_LIMIT_MS],
  ] as const) {
    if (left.length === 0) break;
    await source.signal({ signal, processes: left, groups: [] });
    left = await untilGone(source, clock, left, limitMs);
  }
  const survives = new Set(left.map(({ pid }) => pid));
  const wasThere = new Set(there.map(({ pid }) => pid));
  return {
    ended: targets.filter(({ pid }) => !survives.has(pid)).map(refOf),
    gone: named.filter(({ pid }) => !wasThere.has(pid)).map(refOf),
    survivors: left.map(refOf),
    untouched,
  };
}

const refOf = ({ pid, command, started }: Target): ProcessRef => ({ pid, command, started });

async function stillThere(source: ProcessSource, targets: readonly Target[]): Promise<readonly Target[]> {
  const living = new Set((await source.living(targets)).map(({ pid }) => pid));
  return targets.filter(({ pid }) => living.has(pid));
}

/** What a survivor has started belongs to it, however late it began; our own process never does. */
function withDescendants(roots: readonly Target[], table: ProcessTable, ownPid: number): readonly Target[] {
  const found = new Map(roots.map((root) => [root.pid, root]));
  const add = (entry: ProcessEntry): void => {
    if (found.has(entry.pid) || entry.pid === ownPid || !isRunning(entry)) return;
    const { pid, startTime, command, commandLine } = entry;
    found.set(pid, { pid, startTime, started: startTime, command: commandLine ?? command });
    table.byParent.get(pid)?.forEach(add);
  };
  for (const { pid } of roots) table.byParent.get(pid)?.forEach(add);
  return [...found.values()];
}

async function untilGone(
  source: ProcessSource,
  clock: Clock,
  targets: readonly Target[],
  limitMs: number,
): Promise<readonly Target[]> {
  const until = clock.monotonic() + limitMs;
  for (let step = 5; ; step = Math.min(step * 1.5, 100)) {
    const left = await stillThere(source, targets);
    const rest = until - clock.monotonic();
    if (left.length === 0 || rest <= 0) return left;
    await delay(clock, Math.min(step, rest));
  }
}
