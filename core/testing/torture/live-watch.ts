import { hostProcesses } from '../../kit/process-tree/host-processes.ts';
import type { AttemptRecord } from '../../registry/store/records.ts';
import type { Findings } from './findings.ts';
import type { LiveFacts, StoredProject } from './stored-facts.ts';
import type { TorturedCore } from './tortured-core.ts';

const LOOK_EVERY_MS = 500;

/** The grace of a worker that does not come (6 s here), its restart, and a slow machine. */
const SHOWN_TOO_LONG_MS = 20_000;

/** Looks again and again, while a core is up, whether what is shown live has a process. */
export class LiveWatch {
  readonly #project: Pick<StoredProject, 'live'>;
  readonly #core: Pick<TorturedCore, 'isUp' | 'since'>;
  readonly #tooLongMs: number;
  readonly #findings: Findings;
  /** Since when a run has been without a process. */
  readonly #since = new Map<string, number>();
  readonly #told = new Set<string>();
  #timer: NodeJS.Timeout | null = null;

  constructor(
    project: Pick<StoredProject, 'live'>,
    core: Pick<TorturedCore, 'isUp' | 'since'>,
    findings: Findings,
    tooLongMs = SHOWN_TOO_LONG_MS,
  ) {
    this.#tooLongMs = tooLongMs;
    this.#project = project;
    this.#core = core;
    this.#findings = findings;
    this.#next();
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #next(): void {
    this.#timer = setTimeout(() => void this.#look().finally(() => this.#next()), LOOK_EVERY_MS);
  }

  async #look(): Promise<void> {
    if (!this.#core.isUp) return;
    const live = this.#project.live();
    if (live === null) return;
    const without = await runsWithoutProcess(live);
    for (const id of this.#since.keys()) if (!without.has(id)) this.#since.delete(id);
    for (const [id, words] of without) {
      const since = Math.max(this.#since.get(id) ?? Date.now(), this.#core.since);
      this.#since.set(id, since);
      if (Date.now() - since < this.#tooLongMs || this.#told.has(id)) continue;
      this.#told.add(id);
      this.#findings.add('runs shown live without a process', words);
    }
  }
}

/** Runs that are shown at work whose worker is not there, with words for each. */
async function runsWithoutProcess({ runs, attempts }: LiveFacts): Promise<Map<string, string>> {
  const alive = await aliveOf(attempts);
  const byRun = new Map(attempts.map((attempt) => [attempt.run_id, attempt]));
  const found = new Map<string, string>();
  for (const { row, closing } of runs) {
    if (closing || row.state === 'queued') continue;
    const attempt = byRun.get(row.run_id);
    if (attempt === undefined && row.state === 'waiting') continue;
    if (attempt !== undefined && alive.has(attempt.attempt_id)) continue;
    found.set(row.run_id, `${row.run_id} is ${row.words}, its process is ${attempt?.pid ?? 'unknown'}`);
  }
  return found;
}

async function aliveOf(attempts: readonly AttemptRecord[]): Promise<Set<string>> {
  const identities = attempts.flatMap(({ attempt_id, pid, pid_started }) =>
    pid === null || pid_started === null ? [] : [{ attempt_id, pid, startTime: pid_started }],
  );
  const living = new Set((await hostProcesses().living(identities)).map(({ pid }) => pid));
  return new Set(identities.flatMap(({ attempt_id, pid }) => (living.has(pid) ? [attempt_id] : [])));
}
