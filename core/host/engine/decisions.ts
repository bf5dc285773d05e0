import { decideCall } from '../../delegation/decide-call.ts';
import { decideRefined } from '../../delegation/decide-refined.ts';
import { decideWorkerEvent } from '../../delegation/decide-worker-event.ts';
import { Step, type DecisionContext } from '../../delegation/step.ts';
import type { ConversationTree } from '../../delegation/tree.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { isEnded } from '../../protocol/lifecycle.ts';
import type { ConversationRow } from '../../protocol/rows.ts';
import { countEntries } from '../../registry/store/entries.ts';
import type { AttemptRecord } from '../../registry/store/records.ts';
import { readReceipt } from '../../registry/store/read-rows.ts';
import type { Flush } from './flush.ts';
import type { EventItem } from './items.ts';
import { isTranscriptEvent, type TranscriptEvent, type Transcripts } from './transcripts.ts';
import type { Trees } from './trees.ts';

/** What decisions need of their core. */
export interface DecisionDeps {
  /** What decisions of a project go by. The moment is the flush's: all that one commit writes was decided at it. */
  context(projectId: string): Omit<DecisionContext, 'entryCount' | 'now'>;
  /** The row of an attempt that a decision began at that moment; its start token stays in memory. */
  newAttempt(runId: string, attemptId: string, n: number, at: number): AttemptRecord;
}

export type Decide<T> = (step: Step, flush: Flush) => T;

/** One command on a conversation. */
export interface CommandOptions {
  /** The client's token: the same command again gets the first answer (S7). */
  readonly token?: string;
  /** Begins the conversation with this row when it does not exist yet, at the moment of the decision. */
  readonly create?: ConversationRow;
}

/** Decides on what an engine takes in, one after the other, on its trees in memory; what follows from it is gathered in the flush. */
export class Decisions {
  readonly #projectId: string;
  readonly #trees: Trees;
  readonly #transcripts: Transcripts;
  readonly #deps: DecisionDeps;

  constructor(projectId: string, trees: Trees, transcripts: Transcripts, deps: DecisionDeps) {
    this.#projectId = projectId;
    this.#trees = trees;
    this.#transcripts = transcripts;
    this.#deps = deps;
  }

  /** Decides on what has happened in a conversation, if there is one. */
  fact(conversationId: string, decide: Decide<void>, flush: Flush): void {
    const tree = this.#trees.get(conversationId);
    if (tree !== null) this.#stepOn(tree, flush, decide);
  }

  /** Decides on a command. A refusal changes nothing; the same token again gets the first answer (S7). */
  command<T>(
    conversationId: string,
    decide: Decide<Result<T, ApiError>>,
    { token, create }: CommandOptions,
    flush: Flush,
  ): Result<T, ApiError> {
    const before = token === undefined ? undefined : this.#receipt(token, flush);
    if (before !== undefined) return ok(before as T);
    const known = this.#trees.get(conversationId);
    if (known === null && create === undefined) {
      return err({ code: 'not_found', message: `There is no conversation ${conversationId}.` });
    }
    const begun = { ...(create as ConversationRow), created_at: flush.at, updated_at: flush.at };
    const tree = known ?? this.#trees.create(begun);
    const decided = this.#stepOn(tree, flush, (step) => {
      if (known === null) step.emit({ type: 'conversation_created', v: 1, row: tree.conversation });
      const answer = decide(step, flush);
      // A conversation that would begin with a refusal does not begin.
      if (known === null && !answer.ok) step.withdraw();
      return answer;
    });
    if (!decided.ok && known === null) this.#trees.forget(conversationId);
    if (!decided.ok) return decided;
    if (token !== undefined) flush.receipts.push({ client_token: token, answer: decided.value });
    flush.full = true;
    return decided;
  }

  #receipt(token: string, flush: Flush): unknown {
    const fresh = flush.receipts.find((receipt) => receipt.client_token === token);
    return fresh === undefined ? this.#trees.read((db) => readReceipt(db, token)) : fresh.answer;
  }

  /**
   * A late or doubled word of an attempt that is not the run's any more changes nothing (T7); it is acknowledged like all. Of a run that was lost
   * the last word, and what comes before it, are taken in late.
   */
  event({ event, run_id, attempt_id, seq, conversation_id }: EventItem, flush: Flush): void {
    flush.committed.set(attempt_id, Math.max(seq, flush.committed.get(attempt_id) ?? 0));
    const tree = this.#trees.get(conversation_id);
    if (tree === null) return;
    const isLate = isLost(tree, run_id);
    if (!isLate && !isOfAttempt(tree, run_id, attempt_id)) return;
    if (isTranscriptEvent(event)) {
      const first = tree.facts.get(run_id)?.carried?.first_entry ?? 0;
      this.#trees.noteHome(run_id, conversation_id);
      return this.#transcripts.apply(run_id, renumbered(event, first));
    }
    // Nothing follows: what is open closes with the same flush.
    if (event.type === 'ended') this.#transcripts.closeRun(run_id);
    this.#stepOn(tree, flush, (step) => {
      if (isLate) return event.type === 'ended' ? decideRefined(step, run_id, event) : undefined;
      if (event.type === 'call') decideCall(step, run_id, event);
      else decideWorkerEvent(step, run_id, event);
    });
  }

  #stepOn<T>(tree: ConversationTree, flush: Flush, decide: Decide<T>): T {
    const entryCount = (runId: string): number =>
      Math.max(
        this.#transcripts.nextEntry(runId),
        this.#trees.read((db) => countEntries(db, runId)),
      );
    const step = new Step(tree, { ...this.#deps.context(this.#projectId), now: flush.at, entryCount });
    const decided = decide(step, flush);
    flush.add(step);
    for (const effect of step.effects) {
      if (effect.type !== 'start_attempt') continue;
      const n = tree.runs.get(effect.run_id)?.attempts ?? 1;
      flush.attempts.set(effect.attempt_id, this.#deps.newAttempt(effect.run_id, effect.attempt_id, n, flush.at));
    }
    return decided;
  }
}

/** Its last words can still come (T7). */
function isLost(tree: ConversationTree, runId: string): boolean {
  return tree.runs.get(runId)?.outcome === 'lost';
}

function isOfAttempt(tree: ConversationTree, runId: string, attemptId: string): boolean {
  const run = tree.runs.get(runId);
  return run !== undefined && !isEnded(run.state) && tree.facts.get(runId)?.attempt_id === attemptId;
}

/** A worker counts its entries from 0; its run goes on from where earlier attempts have left it. */
function renumbered(event: TranscriptEvent, first: number): TranscriptEvent {
  return first === 0 ? event : { ...event, entry: event.entry + first };
}
