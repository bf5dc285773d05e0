import type { FeedMessage } from '../../protocol/feed.ts';
import { isEnded, needsPerson } from '../../protocol/lifecycle.ts';
import { FailureReason, Outcome } from '../../protocol/outcome.ts';
import { closedGates } from '../../protocol/pause.ts';
import type { ConversationRow, RunRow, SetRow, SteerRow } from '../../protocol/rows.ts';
import { cutGraphemes } from '../../delegation/lines/graphemes.ts';
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
 * each run's start and end once, what it waits for, what holds it and how to undo that (R9), and where each message to it stands (C2). A snapshot
 * after a lost line repeats nothing.
 */
export class ProgressLines {
  readonly #sets = new Map<string, SetRow>();
  readonly #told = new Map<string, Told>();
  /** Runs whose set has not arrived yet. */
  readonly #early = new Map<string, RunRow>();
  readonly #runs = new Map<string, RunRow>();
  /** Sets of which something waits for the end of a pause before its start, by what is to be resumed. */
  readonly #held = new Map<string, string>();
  readonly #steers = new Map<string, SteerRow['state']>();
  #conversation: ConversationRow | null = null;

  /** The lines that a message of the feed adds. */
  take(message: FeedMessage): string[] {
    if (message.type === 'hello') return [];
    if (message.type === 'snapshot') {
      const { sets, runs, steers = [], conversations = [] } = message.snapshot;
      this.#conversation = conversations[0] ?? this.#conversation;
      const ordered = [...runs].sort(
        (a, b) => (a.set ?? 0) - (b.set ?? 0) || (a.task_index ?? 0) - (b.task_index ?? 0),
      );
      return [...this.#takeRows(sets, ordered), ...steers.flatMap((row) => this.#steerLine(row))];
    }
    // What holds a run stands in rows beside its own, which may come after it.
    for (const change of message.changes) if (change.type === 'conversation') this.#conversation = change.row;
    const sets = message.changes.flatMap((change) => (change.type === 'set' ? [change.row] : []));
    const first = this.#takeRows(sets, []);
    const others = message.changes.flatMap((change) => {
      if (change.type === 'steer') return this.#steerLine(change.row);
      return change.type === 'run' ? this.#takeRows([], [change.row]) : [];
    });
    return [...first, ...others];
  }

  #takeRows(sets: readonly SetRow[], runs: readonly RunRow[]): string[] {
    const lines: string[] = [];
    for (const set of sets) {
      const header = this.#sets.has(set.delegation_id) ? null : setHeader(set.set, set.count);
      this.#sets.set(set.delegation_id, set);
      if (header !== null) lines.push(header);
    }
    for (const run of runs) {
      this.#early.set(run.run_id, run);
      this.#runs.set(run.run_id, run);
    }
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
    return [...lines, ...(run.state === 'queued' ? this.#heldLine(run, place) : this.#waitLine(run, told))];
  }

  /** What a run that has begun waits for, when that is news. */
  #waitLine(run: RunRow, told: Told): string[] {
    const wait = run.reason === 'paused' ? `${run.words}; ${this.#resume(run)}` : waitOf(run);
    const isNews = wait !== null && wait !== told.wait;
    told.wait = wait;
    return isNews ? [`… ${nameOf(run)}: ${wait}`] : [];
  }

  /** Before its start a run waits with others of its set: one line for all of them. */
  #heldLine(run: RunRow, place: { readonly set: number } | null): string[] {
    const group = run.delegation_id ?? run.run_id;
    const name = place === null ? nameOf(run) : `[set ${place.set}]`;
    const why = run.reason === 'paused' ? `paused; ${this.#resume(run)}` : run.reason === 'budget' ? run.words : null;
    if (why === null) this.#held.delete(group);
    if (why === null || this.#held.get(group) === why) return [];
    this.#held.set(group, why);
    return [`… ${name}: ${why}`];
  }

  /** How to undo the pause that holds the run. */
  #resume(run: RunRow): string {
    const [gate] = closedGates(run, {
      app: false,
      conversation: this.#conversation ?? { conversation_id: '', paused: false },
      set: (id) => this.#sets.get(id),
      run: (id) => this.#runs.get(id),
    });
    return `espalier resume ${gate?.id ?? '--all'} undoes it`;
  }

  #steerLine({ steer_id, run_id, state, text }: SteerRow): string[] {
    const before = this.#steers.get(steer_id);
    this.#steers.set(steer_id, state);
    const words = Object.hasOwn(STEER_WORDS, state) ? STEER_WORDS[state] : state;
    if (before === state || words === null) return [];
    const run = this.#runs.get(run_id);
    return [`→ ${run === undefined ? run_id : nameOf(run)}: message ${words}: ${cutGraphemes(oneLine(text), 60)}`];
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
    // A task that never began for a reason of others: its line has no room for it (L4).
    const why = run.exit_reason === 'dependency' && run.error !== null ? [`  → ${oneLine(run.error)}`] : [];
    return [line, ...caveat, ...why, ...advice];
  }
}

/** Where a message stands (C2); what is on its way is no news. */
const STEER_WORDS: Readonly<Record<string, string | null>> = {
  accepted: 'sent',
  queued: null,
  delivered: 'delivered',
  handed_over: 'handed over, whether it was read is not known',
  missed: 'missed',
};

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
  const lasting = ['storage', 'budget', 'restart'].includes(run.reason ?? '');
  return needsPerson(run.state, run.reason) || lasting ? run.words : null;
}
