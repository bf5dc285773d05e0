import { assertNever } from '../kit/assert-never.ts';
import type { AgentDefinition } from '../protocol/agents.ts';
import type { Task } from '../protocol/batch.ts';
import type { DomainEvent } from '../protocol/events.ts';
import type { IdPrefix } from '../protocol/ids.ts';
import type { RunReport } from '../protocol/report.ts';
import type { RunRow } from '../protocol/rows.ts';
import type { Limits } from '../protocol/settings.ts';
import type { Price } from '../protocol/usage.ts';
import type { Worktree } from '../protocol/worktree.ts';
import type { Closing } from '../runs/closing.ts';
import type { Effect } from './effects.ts';
import type { DayFigures } from './budget.ts';
import { applyEvent, applyQueued, setAnswered, setReport, setClosing, setWorktree } from './apply-event.ts';
import { addUsage } from './day-usage.ts';
import { runsFrom, setsAbove } from './spent.ts';
import { callKey, runsOfSet, type ConversationTree } from './tree.ts';

/** What decisions may look at beside the tree; plain data and injected sources. */
export interface DecisionContext {
  /** Epoch milliseconds of this decision. */
  readonly now: number;
  /** A new id of the kind. */
  newId(prefix: IdPrefix): string;
  readonly limits: Limits;
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  /** Names of all tools that a run can have. */
  readonly toolNames: readonly string[];
  /** New starts are held (R9). */
  readonly paused: boolean;
  /** The price of a model, by `<provider id>/<model>`, as it is now; null is unknown. */
  priceOf(model: string): Price | null;
  /** Where the whole text of a run's answer is kept when it is told in part (P5). */
  summaryPath(projectId: string, runId: string): string;
  /** The local calendar day of `now`: `2026-07-31`. */
  readonly day: string;
  /** What all projects have used today, and what runs at work hold (R5). Asked for only while a day is limited. */
  today(): DayFigures;
  /** Transcript entries that a run has so far, also those that are not committed yet. */
  entryCount(runId: string): number;
}

/** Rows that a step changed and that its transaction must write. */
export interface Dirty {
  readonly runs: Set<string>;
  readonly sets: Set<string>;
  readonly steers: Set<string>;
  readonly asks: Set<string>;
  readonly calls: Set<string>;
  readonly deliveries: Set<string>;
  /** Runs whose hold has changed. */
  readonly holds: Set<string>;
  /** Days whose usage has changed. */
  readonly usage: Set<string>;
}

/**
 * One decision on one conversation. Decisions are functions over a step: each event they emit is applied to the tree at
 * once, so that what follows sees it, and is recorded for the transaction; effects are recorded for after the commit.
 */
export class Step {
  readonly tree: ConversationTree;
  readonly context: DecisionContext;
  readonly events: DomainEvent[] = [];
  readonly effects: Effect[] = [];
  readonly dirty: Dirty = {
    runs: new Set(),
    sets: new Set(),
    steers: new Set(),
    asks: new Set(),
    calls: new Set(),
    deliveries: new Set(),
    holds: new Set(),
    usage: new Set(),
  };

  constructor(tree: ConversationTree, context: DecisionContext) {
    this.tree = tree;
    this.context = context;
  }

  /** Applies and records an event. */
  emit(event: DomainEvent): void {
    const before = 'run_id' in event ? this.tree.runs.get(event.run_id) : undefined;
    applyEvent(this.tree, event, this.context.now);
    if (before !== undefined) this.#count(before);
    this.events.push(event);
    this.#mark(event);
  }

  /** Queues a new run with its task. */
  queue(run: RunRow, task: Task, once = false): void {
    applyQueued(this.tree, run, task, once, this.context.now);
    this.events.push({ type: 'run_queued', v: 1, run });
    this.dirty.runs.add(run.run_id);
    // A retry or continued run takes the place of an ended one in its set's count.
    if (run.retry_of !== null || run.continues !== null) this.#markSetsOf(run.run_id);
  }

  /** Whether it changed anything that a transaction must write. */
  get isEmpty(): boolean {
    return this.events.length === 0 && Object.values(this.dirty).every((keys) => keys.size === 0);
  }

  /** Takes back what it would have written and done. Only for a tree that nobody has seen yet: that is not changed back. */
  withdraw(): void {
    this.events.length = 0;
    this.effects.length = 0;
    for (const keys of Object.values(this.dirty)) keys.clear();
  }

  effect(effect: Effect): void {
    this.effects.push(effect);
  }

  /** Stores the worker's terminal report; it is no event of its own, the end of the run is. */
  report(runId: string, report: RunReport | null, session: unknown): void {
    setReport(this.tree, runId, report, session);
    this.dirty.runs.add(runId);
  }

  /** Stores what a lead has answered, and its session. */
  answered(runId: string, session: unknown, report: RunReport | null): void {
    setAnswered(this.tree, runId, session, report);
    this.dirty.runs.add(runId);
  }

  /** Stores the worktree that was made for a run. */
  worktree(runId: string, worktree: Worktree): void {
    setWorktree(this.tree, runId, worktree);
    this.dirty.runs.add(runId);
  }

  /** Stores what is still to be looked at before a run ends. */
  closing(runId: string, closing: Closing): void {
    setClosing(this.tree, runId, closing);
    this.dirty.runs.add(runId);
  }

  /** Changes what the row says of the latest activity; not worth an event. */
  activity(runId: string, text: string): void {
    const run = this.tree.runs.get(runId);
    if (run === undefined || run.activity === text) return;
    this.tree.runs.set(runId, { ...run, activity: text, last_activity_at: this.context.now });
    this.dirty.runs.add(runId);
  }

  /** Notes that a run was stopped after its last word: it ends as that says, but nothing follows, also after a crash (C3). */
  stopAsked(runId: string): void {
    const run = this.tree.runs.get(runId);
    if (run === undefined) return;
    this.tree.runs.set(runId, { ...run, stop_asked: true });
    this.dirty.runs.add(runId);
  }

  /** Remembers what the event has changed, so that its rows are written. The conversation's row always is. */
  #mark(event: DomainEvent): void {
    const { dirty } = this;
    switch (event.type) {
      case 'hold_taken':
      case 'hold_released':
        dirty.holds.add(event.run_id);
        return;
      case 'attempt_ended':
        dirty.holds.add(event.run_id);
        dirty.runs.add(event.run_id);
        return this.#markAbove(event.run_id);
      case 'run_moved':
      case 'survivors_ended':
      case 'attempt_connected':
      case 'run_idle':
      case 'run_retried':
      case 'worktree_changed':
      case 'run_continued':
      case 'run_paused':
      case 'run_seen':
        dirty.runs.add(event.run_id);
        return;
      case 'attempt_started':
      case 'run_progressed':
      case 'run_ended':
        dirty.runs.add(event.run_id);
        return this.#markAbove(event.run_id);
      case 'set_dispatched':
      case 'set_ended':
      case 'set_paused':
        return this.#markSet(event);
      case 'steer_sent':
        dirty.steers.add(event.row.steer_id);
        return;
      case 'steer_moved':
        dirty.steers.add(event.steer_id);
        return;
      case 'ask_opened':
      case 'ask_settled':
        dirty.asks.add(event.type === 'ask_opened' ? event.row.ask_id : event.ask_id);
        return;
      case 'call_opened':
      case 'call_answered':
        dirty.calls.add(callKey(event.run_id, event.call_id));
        return;
      case 'delivery_queued':
      case 'delivery_done':
        dirty.deliveries.add(event.delivery_id);
        return;
      case 'conversation_created':
      case 'conversation_changed':
      case 'conversation_removed':
      case 'run_queued':
      case 'project_attached':
        return;
      default:
        assertNever(event);
    }
  }

  #markSet(event: Extract<DomainEvent, { type: 'set_dispatched' | 'set_ended' | 'set_paused' }>): void {
    const { dirty, tree } = this;
    const id = event.type === 'set_dispatched' ? event.set.delegation_id : event.delegation_id;
    dirty.sets.add(id);
    if (event.type === 'set_paused') return;
    const { parent_run_id = null, parent_call_id = null } = tree.sets.get(id) ?? {};
    if (event.type === 'set_ended') {
      for (const above of runsFrom(tree, parent_run_id)) dirty.runs.add(above);
      return;
    }
    // Of one that has grown all tags have changed.
    for (const run of runsOfSet(tree, id)) dirty.runs.add(run.run_id);
    if (parent_run_id !== null && parent_call_id !== null) dirty.calls.add(callKey(parent_run_id, parent_call_id));
  }

  /** What the event has used counts on this day. */
  #count(before: RunRow): void {
    const after = this.tree.runs.get(before.run_id);
    if (after === undefined || !addUsage(this.tree, this.context.day, before, after)) return;
    this.dirty.usage.add(this.context.day);
  }

  /** The sets around a run and the runs above it say what it has used (R6). */
  #markAbove(runId: string): void {
    this.#markSetsOf(runId);
    for (const id of runsFrom(this.tree, runId)) this.dirty.runs.add(id);
  }

  #markSetsOf(runId: string): void {
    const run = this.tree.runs.get(runId);
    if (run !== undefined) for (const id of setsAbove(this.tree, run)) this.dirty.sets.add(id);
  }
}
