import type { AgentDefinition } from '../protocol/agents.ts';
import type { Task } from '../protocol/batch.ts';
import type { DomainEvent } from '../protocol/events.ts';
import type { RunReport } from '../protocol/report.ts';
import type { RunRow } from '../protocol/rows.ts';
import type { Limits } from '../protocol/settings.ts';
import type { Effect } from './effects.ts';
import { applyEvent, applyQueued, setReport, setSession, type ConversationTree } from './tree.ts';

/** What decisions may look at beside the tree; plain data and injected sources. */
export interface DecisionContext {
  /** Epoch milliseconds of this decision. */
  readonly now: number;
  /** A new id of a prefix, `hex` characters long: `run_` + 12. */
  newId(prefix: 'run' | 'deleg' | 'att' | 'ask' | 'steer' | 'dlv', hex: number): string;
  readonly limits: Limits;
  readonly agents: ReadonlyMap<string, AgentDefinition>;
  /** New starts are held (R9). */
  readonly paused: boolean;
}

/** Rows that a step changed and that its transaction must write. */
export interface Dirty {
  readonly runs: Set<string>;
  readonly sets: Set<string>;
  readonly steers: Set<string>;
  readonly asks: Set<string>;
  readonly calls: Set<string>;
  readonly deliveries: Set<string>;
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
  };

  constructor(tree: ConversationTree, context: DecisionContext) {
    this.tree = tree;
    this.context = context;
  }

  /** Applies and records an event. */
  emit(event: DomainEvent): void {
    applyEvent(this.tree, event, this.context.now);
    this.events.push(event);
    this.#mark(event);
  }

  /** Queues a new run with its task. */
  queue(run: RunRow, task: Task, once = false): void {
    applyQueued(this.tree, run, task, once, this.context.now);
    this.events.push({ type: 'run_queued', v: 1, run });
    this.dirty.runs.add(run.run_id);
  }

  effect(effect: Effect): void {
    this.effects.push(effect);
  }

  /** Stores the worker's terminal report; it is no event of its own, the end of the run is. */
  report(runId: string, report: RunReport | null, session: unknown): void {
    setReport(this.tree, runId, report, session);
    this.dirty.runs.add(runId);
  }

  session(runId: string, session: unknown): void {
    setSession(this.tree, runId, session);
    this.dirty.runs.add(runId);
  }

  /** Changes what the row says of the latest activity; not worth an event. */
  activity(runId: string, text: string): void {
    const run = this.tree.runs.get(runId);
    if (run === undefined || run.activity === text) return;
    this.tree.runs.set(runId, { ...run, activity: text, last_activity_at: this.context.now });
    this.dirty.runs.add(runId);
  }

  #mark(event: DomainEvent): void {
    if ('run_id' in event) this.dirty.runs.add(event.run_id);
    switch (event.type) {
      case 'set_dispatched':
        this.dirty.sets.add(event.set.delegation_id);
        if (event.set.parent_call_id !== null)
          this.dirty.calls.add(`${event.set.parent_run_id}/${event.set.parent_call_id}`);
        return;
      case 'set_ended':
        this.dirty.sets.add(event.delegation_id);
        return;
      case 'run_ended': {
        const set = this.tree.runs.get(event.run_id)?.delegation_id;
        if (set) this.dirty.sets.add(set);
        return;
      }
      case 'steer_sent':
        this.dirty.steers.add(event.row.steer_id);
        return;
      case 'steer_moved':
        this.dirty.steers.add(event.steer_id);
        return;
      default:
        this.#markDialogue(event);
    }
  }

  #markDialogue(event: DomainEvent): void {
    if (event.type === 'ask_opened') this.dirty.asks.add(event.row.ask_id);
    if (event.type === 'ask_settled') this.dirty.asks.add(event.ask_id);
    if (event.type === 'call_opened' || event.type === 'call_answered') {
      this.dirty.calls.add(`${event.run_id}/${event.call_id}`);
    }
    if (event.type === 'delivery_queued' || event.type === 'delivery_done')
      this.dirty.deliveries.add(event.delivery_id);
  }
}
