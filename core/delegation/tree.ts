import type { Task } from '../protocol/batch.ts';
import type { DomainEvent } from '../protocol/events.ts';
import { holdsPlace, isEnded, needsPerson } from '../protocol/lifecycle.ts';
import type { RunReport } from '../protocol/report.ts';
import type { ResultEntry } from '../protocol/result-entry.ts';
import type { AskRow, ConversationRow, RunRow, SetRow, SteerRow } from '../protocol/rows.ts';
import { totalTokens } from '../protocol/usage.ts';
import { foldRun } from '../runs/fold-run.ts';

/** A call of a run to the core (P7). */
export interface CallRecord {
  readonly run_id: string;
  readonly call_id: string;
  readonly tool: string;
  readonly arguments: unknown;
  readonly delegation_id: string | null;
  readonly answer: { readonly is_error: boolean; readonly text: string } | null;
  /** The answer was handed to the worker; after a restart of the core the worker says what it still misses. */
  readonly sent: boolean;
}

/** A set's result that waits for its owner, or was handed over (P2). */
export interface DeliveryRecord {
  readonly delivery_id: string;
  readonly delegation_id: string;
  readonly to_run_id: string;
  readonly text: string;
  readonly done: boolean;
}

/** An ask with the worker's own name for it. */
export interface AskRecord {
  readonly key: string;
  readonly row: AskRow;
}

/** What is known of a run beside its row. */
export interface RunFacts {
  readonly task: Task;
  readonly result: ResultEntry | null;
  /** Terminal report of the current attempt, stored before its process has ended. */
  readonly report: RunReport | null;
  readonly attempt_id: string | null;
  readonly session: unknown;
  /** A lead that ends after its answer when no delegation is open (T1, `espalier prompt`). */
  readonly once: boolean;
}

/** One conversation in memory: plain data with the indexes that decisions need. Changed only by {@link applyEvent}. */
export interface ConversationTree {
  conversation: ConversationRow;
  readonly sets: Map<string, SetRow>;
  readonly runs: Map<string, RunRow>;
  readonly facts: Map<string, RunFacts>;
  /** Latest run of each task slot, by delegation id. */
  readonly slots: Map<string, string[]>;
  /** Sets that a run made, in order. */
  readonly childSets: Map<string, string[]>;
  /** Runs started by runs, per root run (R3). */
  readonly fanOut: Map<string, number>;
  readonly steers: Map<string, SteerRow>;
  readonly asks: Map<string, AskRecord>;
  readonly calls: Map<string, CallRecord>;
  readonly deliveries: Map<string, DeliveryRecord>;
  /** Runs that a run has started in its present turn (R3). */
  readonly turnFanOut: Map<string, { readonly turn: number; readonly used: number }>;
}

/** A tree that holds nothing but its conversation. */
export function emptyTree(conversation: ConversationRow): ConversationTree {
  return {
    conversation,
    sets: new Map(),
    runs: new Map(),
    facts: new Map(),
    slots: new Map(),
    childSets: new Map(),
    fanOut: new Map(),
    steers: new Map(),
    asks: new Map(),
    calls: new Map(),
    deliveries: new Map(),
    turnFanOut: new Map(),
  };
}

/** Key of a call in {@link ConversationTree.calls}. */
export function callKey(runId: string, callId: string): string {
  return `${runId}/${callId}`;
}

/** Puts a stored or new run with its facts into the indexes. */
export function addRun(tree: ConversationTree, run: RunRow, facts: RunFacts): void {
  tree.runs.set(run.run_id, run);
  tree.facts.set(run.run_id, facts);
  if (run.delegation_id !== null && run.task_index !== null) {
    const slots = tree.slots.get(run.delegation_id) ?? [];
    const held = slots[run.task_index];
    const current = held === undefined ? undefined : tree.runs.get(held);
    if (current === undefined || run.queued_at >= current.queued_at) slots[run.task_index] = run.run_id;
    tree.slots.set(run.delegation_id, slots);
  }
  const takesFanOut = run.parent_run_id !== null && run.retry_of === null && run.continues === null;
  if (takesFanOut) tree.fanOut.set(run.root_run_id, (tree.fanOut.get(run.root_run_id) ?? 0) + 1);
}

/** Puts a stored or new set into the indexes. */
export function addSet(tree: ConversationTree, set: SetRow): void {
  const known = tree.sets.has(set.delegation_id);
  tree.sets.set(set.delegation_id, set);
  if (!known && set.parent_run_id !== null) {
    const list = tree.childSets.get(set.parent_run_id) ?? [];
    list.push(set.delegation_id);
    tree.childSets.set(set.parent_run_id, list);
  }
}

/** The latest run of every slot of a set, by task index. */
export function slotRuns(tree: ConversationTree, delegationId: string): RunRow[] {
  return (tree.slots.get(delegationId) ?? []).flatMap((id) => tree.runs.get(id) ?? []);
}

interface Counts {
  readonly runs: number;
  readonly ended: number;
  readonly working: number;
  readonly needs_you: number;
  readonly unseen_failures: number;
  readonly tokens: number;
  readonly cost: number;
}

const NOTHING: Counts = { runs: 0, ended: 0, working: 0, needs_you: 0, unseen_failures: 0, tokens: 0, cost: 0 };

function countsOf(run: RunRow | undefined): Counts {
  if (run === undefined) return NOTHING;
  return {
    runs: 1,
    ended: Number(isEnded(run.state)),
    working: Number(holdsPlace(run.state, run.reason)),
    needs_you: Number(needsPerson(run.state, run.reason)),
    unseen_failures: Number(isEnded(run.state) && !run.seen),
    tokens: totalTokens(run.tokens),
    cost: run.cost_usd ?? 0,
  };
}

/** Keeps the conversation's counts right without walking its runs. */
function recount(tree: ConversationTree, before: RunRow | undefined, after: RunRow, at: number): void {
  const a = countsOf(before);
  const b = countsOf(after);
  const row = tree.conversation;
  tree.conversation = {
    ...row,
    updated_at: at,
    runs: row.runs + b.runs - a.runs,
    ended: row.ended + b.ended - a.ended,
    working: row.working + b.working - a.working,
    needs_you: row.needs_you + b.needs_you - a.needs_you,
    unseen_failures: row.unseen_failures + b.unseen_failures - a.unseen_failures,
    tokens: row.tokens + b.tokens - a.tokens,
    cost_usd:
      after.cost_status === 'unknown' && after.tokens.output > 0 ? null : addCost(row.cost_usd, b.cost - a.cost),
  };
}

function addCost(cost: number | null, more: number): number | null {
  return cost === null ? null : Math.round((cost + more) * 1e6) / 1e6;
}

function setRun(tree: ConversationTree, run: RunRow, at: number): void {
  recount(tree, tree.runs.get(run.run_id), run, at);
  tree.runs.set(run.run_id, run);
}

function patchFacts(tree: ConversationTree, runId: string, patch: Partial<RunFacts>): void {
  const facts = tree.facts.get(runId);
  if (facts !== undefined) tree.facts.set(runId, { ...facts, ...patch });
}

/** Stores the worker's terminal report, which becomes the result once the process has ended. */
export function setReport(tree: ConversationTree, runId: string, report: RunReport | null, session: unknown): void {
  patchFacts(tree, runId, { report, session });
}

/** Stores what a later attempt of the run needs to go on. */
export function setSession(tree: ConversationTree, runId: string, session: unknown): void {
  patchFacts(tree, runId, { session });
}

/** Queues a new run with its task. */
export function applyQueued(tree: ConversationTree, run: RunRow, task: Task, once: boolean, at: number): void {
  recount(tree, undefined, run, at);
  addRun(tree, run, { task, result: null, report: null, attempt_id: null, session: null, once });
}

/** Applies an event to the tree. `run_queued` has its own function, because the task comes with it. */
export function applyEvent(tree: ConversationTree, event: DomainEvent, at: number): void {
  switch (event.type) {
    case 'run_moved':
    case 'attempt_started':
    case 'attempt_connected':
    case 'attempt_ended':
    case 'run_progressed':
    case 'run_ended':
    case 'run_retried':
    case 'run_seen':
      return applyRunEvent(tree, event, at);
    case 'set_dispatched':
    case 'set_ended':
      return applySetEvent(tree, event, at);
    case 'steer_sent':
    case 'steer_moved':
    case 'ask_opened':
    case 'ask_settled':
      return applyDialogueEvent(tree, event, at);
    case 'call_opened':
    case 'call_answered':
    case 'delivery_queued':
    case 'delivery_done':
      return applyDeliveryEvent(tree, event);
    case 'conversation_created':
    case 'conversation_removed':
    case 'project_attached':
    case 'run_queued':
      return;
    case 'conversation_changed':
      tree.conversation = {
        ...tree.conversation,
        updated_at: at,
        title: event.title ?? tree.conversation.title,
        archived: event.archived ?? tree.conversation.archived,
        lead_run_id: event.lead_run_id ?? tree.conversation.lead_run_id,
        scripted: event.scripted ?? tree.conversation.scripted,
      };
  }
}

type Picked<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

function applyRunEvent(tree: ConversationTree, event: Parameters<typeof foldRun>[1], at: number): void {
  const run = tree.runs.get(event.run_id);
  if (run === undefined) return;
  setRun(tree, foldRun(run, event, at), at);
  if (event.type === 'attempt_started') patchFacts(tree, run.run_id, { attempt_id: event.attempt_id, report: null });
  if (event.type === 'attempt_ended') patchFacts(tree, run.run_id, { attempt_id: null });
  if (event.type !== 'run_ended') return;
  patchFacts(tree, run.run_id, { result: event.result });
  const set = run.delegation_id === null ? undefined : tree.sets.get(run.delegation_id);
  if (set === undefined) return;
  const ended = slotRuns(tree, set.delegation_id).filter((other) => isEnded(other.state)).length;
  tree.sets.set(set.delegation_id, { ...set, ended });
}

function applySetEvent(tree: ConversationTree, event: Picked<'set_dispatched' | 'set_ended'>, at: number): void {
  if (event.type === 'set_dispatched') {
    const known = tree.sets.has(event.set.delegation_id);
    addSet(tree, event.set);
    bindCall(tree, event.set);
    if (!known) tree.conversation = { ...tree.conversation, sets: tree.conversation.sets + 1, updated_at: at };
    return;
  }
  const set = tree.sets.get(event.delegation_id);
  if (set === undefined) return;
  tree.sets.set(set.delegation_id, { ...set, status: event.status, totals: event.totals, ended_at: at });
}

/** A call that began a delegation is remembered with it, so that the same call never makes a second one (P7). */
function bindCall(tree: ConversationTree, set: SetRow): void {
  if (set.parent_run_id === null || set.parent_call_id === null) return;
  const key = callKey(set.parent_run_id, set.parent_call_id);
  const call = tree.calls.get(key);
  if (call) tree.calls.set(key, { ...call, delegation_id: set.delegation_id });
}

function applyDialogueEvent(
  tree: ConversationTree,
  event: Picked<'steer_sent' | 'steer_moved' | 'ask_opened' | 'ask_settled'>,
  at: number,
): void {
  switch (event.type) {
    case 'steer_sent':
      tree.steers.set(event.row.steer_id, event.row);
      return;
    case 'steer_moved': {
      const steer = tree.steers.get(event.steer_id);
      if (steer) tree.steers.set(steer.steer_id, { ...steer, state: event.state, changed_at: at });
      return;
    }
    case 'ask_opened':
      tree.asks.set(event.row.ask_id, { key: event.key, row: event.row });
      return;
    case 'ask_settled': {
      const ask = tree.asks.get(event.ask_id);
      if (!ask) return;
      const { state, choice, note, by } = event;
      tree.asks.set(event.ask_id, { ...ask, row: { ...ask.row, state, choice, note, answered_by: by } });
    }
  }
}

function applyDeliveryEvent(
  tree: ConversationTree,
  event: Picked<'call_opened' | 'call_answered' | 'delivery_queued' | 'delivery_done'>,
): void {
  switch (event.type) {
    case 'call_opened': {
      const { run_id, call_id, tool } = event;
      const call = {
        run_id,
        call_id,
        tool,
        arguments: event.arguments,
        delegation_id: null,
        answer: null,
        sent: false,
      };
      tree.calls.set(callKey(run_id, call_id), call);
      return;
    }
    case 'call_answered': {
      const key = callKey(event.run_id, event.call_id);
      const known = tree.calls.get(key);
      const { is_error, text } = event;
      if (known) tree.calls.set(key, { ...known, answer: { is_error, text }, sent: false });
      return;
    }
    case 'delivery_queued': {
      const { delivery_id, delegation_id, to_run_id, text } = event;
      tree.deliveries.set(delivery_id, { delivery_id, delegation_id, to_run_id, text, done: false });
      return;
    }
    case 'delivery_done': {
      const delivery = tree.deliveries.get(event.delivery_id);
      if (delivery) tree.deliveries.set(event.delivery_id, { ...delivery, done: true });
    }
  }
}
