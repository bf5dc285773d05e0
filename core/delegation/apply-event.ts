import type { Task } from '../protocol/batch.ts';
import type { DomainEvent } from '../protocol/events.ts';
import { asksForAttention, holdsPlace, isEnded } from '../protocol/lifecycle.ts';
import type { Progress, RunReport } from '../protocol/report.ts';
import type { RunRow, SetRow } from '../protocol/rows.ts';
import { totalTokens } from '../protocol/token-sums.ts';
import type { Worktree } from '../protocol/worktree.ts';
import type { Closing } from '../runs/closing.ts';
import { taskLabel } from './lines/set-lines.ts';
import { foldRun, type RunEvent } from '../runs/fold-run.ts';
import { addCost, isCostUnknown, runsFrom, spread, sumUp, withInFlight } from './spent.ts';
import {
  addAsk,
  addCall,
  addDelivery,
  addRun,
  addSet,
  addSteer,
  callKey,
  countEnded,
  runsOfSet,
  type ConversationTree,
  type RunFacts,
} from './tree.ts';

interface Counts {
  readonly runs: number;
  readonly ended: number;
  readonly working: number;
  readonly needs_you: number;
  readonly held: number;
  readonly unseen_failures: number;
  readonly failed: number;
  readonly stopped: number;
  readonly caveats: number;
  readonly tokens: number;
  readonly cost: number;
}

const NOTHING: Counts = {
  runs: 0,
  ended: 0,
  working: 0,
  needs_you: 0,
  held: 0,
  unseen_failures: 0,
  failed: 0,
  stopped: 0,
  caveats: 0,
  tokens: 0,
  cost: 0,
};

function countsOf(run: RunRow | undefined): Counts {
  if (run === undefined) return NOTHING;
  // The run that came after it stands for it.
  const counts = isEnded(run.state) && run.retried_by === null && run.continued_by === null;
  return {
    runs: 1,
    ended: Number(isEnded(run.state)),
    working: Number(holdsPlace(run.state, run.reason)),
    needs_you: Number(asksForAttention(run)),
    held: Number(!isEnded(run.state) && (run.paused || run.reason === 'paused')),
    unseen_failures: Number(isEnded(run.state) && !run.seen),
    failed: Number(counts && run.failure_line !== null),
    stopped: Number(counts && run.outcome === 'stopped'),
    caveats: Number(counts && run.outcome === 'completed' && run.caveats.length > 0),
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
    held: row.held + b.held - a.held,
    unseen_failures: row.unseen_failures + b.unseen_failures - a.unseen_failures,
    failed: (row.failed ?? 0) + b.failed - a.failed,
    stopped: (row.stopped ?? 0) + b.stopped - a.stopped,
    caveats: (row.caveats ?? 0) + b.caveats - a.caveats,
    ...(b.unseen_failures > a.unseen_failures && { failed_at: at }),
    tokens: row.tokens + b.tokens - a.tokens,
    cost_usd: isCostUnknown(after) ? null : addCost(row.cost_usd, b.cost - a.cost),
  };
}

function setRun(tree: ConversationTree, run: RunRow, at: number): void {
  const before = tree.runs.get(run.run_id);
  recount(tree, before, run, at);
  tree.runs.set(run.run_id, run);
  if (before !== undefined) spread(tree, before, run);
}

function patchFacts(tree: ConversationTree, runId: string, patch: Partial<RunFacts>): void {
  const facts = tree.facts.get(runId);
  if (facts !== undefined) tree.facts.set(runId, { ...facts, ...patch });
}

/** Stores the worker's terminal report, which becomes the result once the process has ended. */
export function setReport(tree: ConversationTree, runId: string, report: RunReport | null, session: unknown): void {
  patchFacts(tree, runId, { report, session });
  const run = tree.runs.get(runId);
  // The report knows what the last request cost.
  if (run?.in_flight != null) tree.runs.set(runId, { ...run, in_flight: null });
}

/** Stores what a later attempt of a lead needs to go on, and what counts if there is none. */
export function setAnswered(tree: ConversationTree, runId: string, session: unknown, answered: RunReport | null): void {
  patchFacts(tree, runId, { session, answered });
}

/** Stores the worktree that was made for a run. */
export function setWorktree(tree: ConversationTree, runId: string, worktree: Worktree): void {
  patchFacts(tree, runId, { worktree });
}

/** Stores what is still to be looked at before a run ends. */
export function setClosing(tree: ConversationTree, runId: string, closing: Closing): void {
  patchFacts(tree, runId, { closing });
}

const NO_FACTS: Omit<RunFacts, 'task' | 'once'> = {
  result: null,
  report: null,
  attempt_id: null,
  session: null,
  answered: null,
  carried: null,
  worktree: null,
  closing: null,
};

/** Queues a new run with its task. */
export function applyQueued(tree: ConversationTree, run: RunRow, task: Task, once: boolean, at: number): void {
  recount(tree, undefined, run, at);
  addRun(tree, run, { ...NO_FACTS, task, once });
  if (run.retry_of !== null || run.continues !== null) recountSet(tree, run);
}

/** A set's count of ended slots follows the latest run of each. */
function recountSet(tree: ConversationTree, run: RunRow): void {
  const set = run.delegation_id === null ? undefined : tree.sets.get(run.delegation_id);
  if (set !== undefined) tree.sets.set(set.delegation_id, { ...set, ended: countEnded(tree, set.delegation_id) });
}

/** Applies an event to the tree. `run_queued` has its own function, because the task comes with it. */
export function applyEvent(tree: ConversationTree, event: DomainEvent, at: number): void {
  switch (event.type) {
    case 'run_moved':
    case 'attempt_started':
    case 'attempt_connected':
    case 'attempt_ended':
    case 'survivors_ended':
    case 'run_idle':
    case 'run_progressed':
    case 'run_ended':
    case 'run_retried':
    case 'worktree_changed':
    case 'run_continued':
    case 'run_paused':
    case 'run_seen':
      return applyRunEvent(tree, event, at);
    case 'set_dispatched':
    case 'set_ended':
    case 'set_paused':
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
    case 'hold_taken': {
      const { run_id, attempt_id, cost_usd, tokens } = event;
      return void tree.holds.set(run_id, { run_id, attempt_id, cost_usd, tokens });
    }
    case 'hold_released':
      return void tree.holds.delete(event.run_id);
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
        paused: event.paused ?? tree.conversation.paused,
      };
  }
}

type Picked<T extends DomainEvent['type']> = Extract<DomainEvent, { type: T }>;

function applyRunEvent(tree: ConversationTree, event: RunEvent, at: number): void {
  const run = tree.runs.get(event.run_id);
  if (run === undefined) return;
  setRun(tree, foldRun(run, event, at), at);
  switch (event.type) {
    case 'attempt_started':
      return attemptStarted(tree, run, event, at);
    case 'attempt_ended':
      tree.holds.delete(run.run_id);
      settleInFlight(tree, run.run_id, at);
      tree.memory.offered.delete(run.run_id);
      tree.memory.toldToPause.delete(run.run_id);
      tree.memory.letGo.delete(run.run_id);
      return patchFacts(tree, run.run_id, { attempt_id: null });
    case 'run_ended':
      tree.memory.idleDeaths.delete(run.run_id);
      tree.memory.endsFor.delete(run.run_id);
      // The report lives on in the result.
      patchFacts(tree, run.run_id, { result: event.result, report: null, answered: null, closing: null });
      return recountSet(tree, run);
    case 'run_moved':
    case 'survivors_ended':
    case 'attempt_connected':
    case 'run_idle':
    case 'run_progressed':
    case 'run_retried':
    case 'worktree_changed':
    case 'run_continued':
    case 'run_paused':
    case 'run_seen':
      return;
  }
}

/** A request that was open when its worker ended without a last word counts as what it may have cost at worst (R5). */
function settleInFlight(tree: ConversationTree, runId: string, at: number): void {
  const run = tree.runs.get(runId);
  if (run?.in_flight != null) setRun(tree, { ...withInFlight(run, run.in_flight), in_flight: null }, at);
}

function attemptStarted(tree: ConversationTree, before: RunRow, event: Picked<'attempt_started'>, at: number): void {
  const { attempt_id, first_entry } = event;
  const carried = before.attempts === 0 ? null : { progress: progressOf(before), first_entry };
  patchFacts(tree, before.run_id, { attempt_id, report: null, carried });
  const set = before.delegation_id === null ? undefined : tree.sets.get(before.delegation_id);
  if (set?.started_at === null) tree.sets.set(set.delegation_id, { ...set, started_at: at });
}

function progressOf({ turns, tool_calls, tokens, cost_usd, cost_status, active_seconds }: RunRow): Progress {
  return { turns, tool_calls, tokens, cost_usd, cost_status, active_seconds };
}

function applySetEvent(
  tree: ConversationTree,
  event: Picked<'set_dispatched' | 'set_ended' | 'set_paused'>,
  at: number,
): void {
  if (event.type === 'set_dispatched') {
    const known = tree.sets.get(event.set.delegation_id);
    addSet(tree, event.set);
    bindCall(tree, event.set);
    if (known !== undefined && known.count !== event.set.count) relabel(tree, event.set);
    if (known === undefined)
      tree.conversation = { ...tree.conversation, sets: tree.conversation.sets + 1, updated_at: at };
    return;
  }
  const set = tree.sets.get(event.delegation_id);
  if (set === undefined) return;
  if (event.type === 'set_paused') return void tree.sets.set(set.delegation_id, { ...set, paused: event.paused });
  const { status, totals } = event;
  tree.sets.set(set.delegation_id, { ...set, status, totals, ended_at: at, paused: false });
  for (const id of runsFrom(tree, set.parent_run_id)) sumUp(tree, id);
}

/** A set that has grown: its runs keep their numbers and say of how many they are (S8, L2). */
function relabel(tree: ConversationTree, { delegation_id, set, count }: SetRow): void {
  for (const run of runsOfSet(tree, delegation_id)) {
    if (run.task_index === null) continue;
    tree.runs.set(run.run_id, { ...run, tag: taskLabel({ set, index: run.task_index, count }) });
  }
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
      return addSteer(tree, event.row);
    case 'steer_moved': {
      const steer = tree.steers.get(event.steer_id);
      if (steer === undefined) return;
      addSteer(tree, { ...steer, state: event.state, changed_at: at });
      if (event.state !== 'queued') taken(tree, steer.run_id, steer.steer_id);
      return;
    }
    case 'ask_opened':
      return addAsk(tree, { key: event.key, row: event.row });
    case 'ask_settled': {
      const ask = tree.asks.get(event.ask_id);
      if (!ask) return;
      const { state, choice, note, by } = event;
      return addAsk(tree, { ...ask, row: { ...ask.row, state, choice, note, answered_by: by, settled_at: at } });
    }
  }
}

/** The run has made the message part of a request, or never will: it is no longer on its way. */
function taken(tree: ConversationTree, runId: string, messageId: string): void {
  if (tree.memory.offered.get(runId) === messageId) tree.memory.offered.delete(runId);
}

function applyDeliveryEvent(
  tree: ConversationTree,
  event: Picked<'call_opened' | 'call_answered' | 'delivery_queued' | 'delivery_done'>,
): void {
  switch (event.type) {
    case 'call_opened': {
      const { run_id, call_id, tool, context_chars = null, turn = null } = event;
      const call = { run_id, call_id, tool, arguments: event.arguments, context_chars, turn };
      return addCall(tree, { ...call, delegation_id: null, answer: null });
    }
    case 'call_answered': {
      const known = tree.calls.get(callKey(event.run_id, event.call_id));
      const { is_error, text } = event;
      return known && addCall(tree, { ...known, answer: { is_error, text } });
    }
    case 'delivery_queued': {
      const { delivery_id, delegation_id, to_run_id, kind = 'result', text } = event;
      return addDelivery(tree, { delivery_id, delegation_id, to_run_id, kind, text, done: false });
    }
    case 'delivery_done': {
      const delivery = tree.deliveries.get(event.delivery_id);
      if (delivery === undefined) return;
      addDelivery(tree, { ...delivery, done: true });
      taken(tree, delivery.to_run_id, delivery.delivery_id);
    }
  }
}
