import type { FeedMessage } from '../../protocol/feed.ts';
import { isEnded, needsPerson } from '../../protocol/lifecycle.ts';
import { FailureReason, Outcome } from '../../protocol/outcome.ts';
import type { RunRow, SetRow } from '../../protocol/rows.ts';
import { oneLine } from '../../delegation/lines/one-line.ts';
import { endLine, setHeader, startLine, taskName } from '../../delegation/lines/set-lines.ts';

interface Told {
  started: boolean;
  ended: boolean;
  /** What the run waits for, as last told. */
  wait: string | null;
}

/**
 * Turns the feed of a conversation into lines for people who watch it on a terminal (L4, L5): each set's header once,
 * each run's start and end once, and what it waits for. A snapshot after a lost line repeats nothing.
 */
export class ProgressLines {
  readonly #sets = new Map<string, SetRow>();
  readonly #told = new Map<string, Told>();
  /** Runs whose set has not arrived yet. */
  readonly #early = new Map<string, RunRow>();

  /** The lines that a message of the feed adds. */
  take(message: FeedMessage): string[] {
    if (message.type === 'hello') return [];
    if (message.type === 'snapshot') {
      const { sets, runs } = message.snapshot;
      const ordered = [...runs].sort(
        (a, b) => (a.set ?? 0) - (b.set ?? 0) || (a.task_index ?? 0) - (b.task_index ?? 0),
      );
      return this.#takeRows(sets, ordered);
    }
    return message.changes.flatMap((change) => {
      if (change.type === 'set') return this.#takeRows([change.row], []);
      return change.type === 'run' ? this.#takeRows([], [change.row]) : [];
    });
  }

  #takeRows(sets: readonly SetRow[], runs: readonly RunRow[]): string[] {
    const lines: string[] = [];
    for (const set of sets) {
      const header = this.#sets.has(set.delegation_id) ? null : setHeader(set.set, set.count);
      this.#sets.set(set.delegation_id, set);
      if (header !== null) lines.push(header);
    }
    for (const run of runs) this.#early.set(run.run_id, run);
    for (const run of [...this.#early.values()]) {
      if (run.delegation_id !== null && !this.#sets.has(run.delegation_id)) continue;
      this.#early.delete(run.run_id);
      lines.push(...this.#linesOf(run));
    }
    return lines;
  }

  #linesOf(run: RunRow): string[] {
    const told = this.#told.get(run.run_id) ?? { started: false, ended: false, wait: null };
    this.#told.set(run.run_id, told);
    if (told.ended) return [];
    const lines: string[] = [];
    const place = this.#placeOf(run);
    if (!told.started && run.state !== 'queued') {
      told.started = true;
      // What ended before it began (a dependency, a refusal) has only its end.
      if (place !== null && run.started_at !== null) lines.push(startLine({ ...run, ...place }));
    }
    if (isEnded(run.state)) {
      told.ended = true;
      return [...lines, ...this.#endOf(run, place)];
    }
    const wait = waitOf(run);
    if (wait !== null && wait !== told.wait) lines.push(`… ${nameOf(run)}: ${wait}`);
    told.wait = wait;
    return lines;
  }

  #placeOf(run: RunRow): { set: number; index: number; count: number } | null {
    const set = run.delegation_id === null ? undefined : this.#sets.get(run.delegation_id);
    return set === undefined ? null : { set: set.set, index: run.task_index ?? 0, count: set.count };
  }

  #endOf(run: RunRow, place: { set: number; index: number; count: number } | null): string[] {
    const outcome = Outcome.safeParse(run.outcome).data;
    const advice = run.advice === null ? [] : [`  → ${oneLine(run.advice)}`];
    if (place === null) return run.failure_line === null ? [] : [`✗ ${oneLine(run.failure_line)}`];
    // A word of a newer build is shown as itself (T7).
    if (outcome === undefined) return [`? ${nameOf(run)}: ${oneLine(run.words)}`];
    const line = endLine({
      ...place,
      label: run.label,
      goal: run.goal,
      outcome,
      caveat: run.caveats.length > 0,
      failure_reason: FailureReason.safeParse(run.failure_reason).data ?? null,
      error: run.error,
      duration_seconds: run.active_seconds,
    });
    // T4: the sign alone does not say which caveat it is.
    const caveat = outcome === 'completed' && run.caveats.length > 0 ? [`  → ${oneLine(run.words)}`] : [];
    return [line, ...caveat, ...advice];
  }
}

function nameOf(run: RunRow): string {
  return `${run.tag} ${taskName(run, 40)}`.trim();
}

/** What is worth a line of its own: waits that a person can end, or that take long without it. */
function waitOf(run: RunRow): string | null {
  if (run.state !== 'waiting') return null;
  if (run.reason === 'rate_limit') {
    const until = run.until === null ? '' : ` until ${new Date(run.until).toTimeString().slice(0, 5)}`;
    return `${run.words}${until}`;
  }
  return needsPerson(run.state, run.reason) || run.reason === 'storage' ? run.words : null;
}
