import type { Task } from '../protocol/batch.ts';
import { isEnded } from '../protocol/lifecycle.ts';
import type { Progress, RunReport } from '../protocol/report.ts';
import type { ResultEntry } from '../protocol/result-entry.ts';
import type { AskRow, ConversationRow, RunRow, SetRow, SteerRow } from '../protocol/rows.ts';
import type { Worktree } from '../protocol/worktree.ts';
import type { Closing } from '../runs/closing.ts';

/** A call of a run to the core (P7). */
export interface CallRecord {
  readonly run_id: string;
  readonly call_id: string;
  readonly tool: string;
  readonly arguments: unknown;
  /** So many characters fitted into the run's context then (P5); null when it did not say. */
  readonly context_chars: number | null;
  /** The turn of the run in which it was made (R3); null when that was not told. */
  readonly turn: number | null;
  readonly delegation_id: string | null;
  readonly answer: { readonly is_error: boolean; readonly text: string } | null;
}

/** A set's result that waits for its owner, or was handed over (P2). */
export interface DeliveryRecord {
  readonly delivery_id: string;
  readonly delegation_id: string;
  readonly to_run_id: string;
  /** The result of the set, or early word of a failure in it (P3). */
  readonly kind: 'result' | 'notice';
  readonly text: string;
  readonly done: boolean;
}

/** An ask with the worker's own name for it. */
export interface AskRecord {
  readonly key: string;
  readonly row: AskRow;
}

/** What earlier attempts of a run have left: a worker counts for its own attempt only. */
export interface Carried {
  readonly progress: Progress;
  /** Number of the present attempt's first transcript entry. */
  readonly first_entry: number;
}

/** What the attempt of a run may spend until the run has used so much in all; null is no limit (R5). */
export interface HoldRecord {
  readonly run_id: string;
  readonly attempt_id: string;
  readonly cost_usd: number | null;
  readonly tokens: number | null;
}

/** What the runs of a conversation have used on one day (R5). */
export interface DayUsage {
  /** What is known. */
  readonly cost_usd: number;
  /** Some of it was used at a price that nobody knows. */
  readonly unknown: boolean;
  readonly tokens: number;
}

/** What is known of a run beside its row. */
export interface RunFacts {
  readonly task: Task;
  readonly result: ResultEntry | null;
  /** Terminal report of the current attempt, stored before its process has ended. */
  readonly report: RunReport | null;
  readonly attempt_id: string | null;
  readonly session: unknown;
  /** What a lead has answered last, as the report that counts if nothing more comes of it. */
  readonly answered: RunReport | null;
  /** A lead that ends after its answer when no delegation is open (T1, `espalier prompt`). */
  readonly once: boolean;
  /** Null before the second attempt. */
  readonly carried: Carried | null;
  /** The worktree that was made for it (W1). */
  readonly worktree: Worktree | null;
  /** Its work is over and its workspace is being looked at. */
  readonly closing: Closing | null;
}

/** What concerns one run, by id, in order: found without walking the whole conversation. */
interface RunIndex {
  readonly calls: string[];
  readonly steers: string[];
  readonly asks: string[];
  readonly deliveries: string[];
}

/** One conversation in memory: plain data with the indexes that decisions need. Changed only by `apply-event.ts`. */
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
  /** Holds of the attempts at work, by run id (R5). */
  readonly holds: Map<string, HoldRecord>;
  /** What was used, by local calendar day. */
  readonly usage: Map<string, DayUsage>;
  readonly ofRun: Map<string, RunIndex>;
  readonly memory: TreeMemory;
}

/**
 * What only the living core knows; after a restart it is empty, and decisions hold without it: what was not handed over, the worker says that it still
 * misses.
 */
export interface TreeMemory {
  /** Calls, by their keys, whose answer waits until the run has its place back (R1). */
  readonly unsent: Set<string>;
  /** Asks whose answer waits for that. */
  readonly unheard: Set<string>;
  /** The message that a run was sent and has not yet made part of a request, by run id. */
  readonly offered: Map<string, string>;
  /** Runs whose worker was told to pause; after a restart of the core all that have one. */
  readonly toldToPause: Set<string>;
  /** Leads that were told to end as they are, so that another can go on (T1). */
  readonly letGo: Set<string>;
  /** How often a run's worker died before it did anything, one time after the other (R8). */
  readonly idleDeaths: Map<string, number>;
  /** What open `wait` calls wait for, by call: sets that have not ended, or have since. */
  readonly waits: Map<string, Set<string>>;
  /** Runs whose worker was told to end, and what that makes of them (R7). */
  readonly endsFor: Map<string, { readonly deadline: string }>;
}

/** A tree that holds nothing but its conversation, with what the living core knew of it before. */
export function emptyTree(conversation: ConversationRow, memory: TreeMemory = emptyMemory()): ConversationTree {
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
    holds: new Map(),
    usage: new Map(),
    ofRun: new Map(),
    memory,
  };
}

/** The memory of a core that has just begun. */
export function emptyMemory(): TreeMemory {
  return {
    unsent: new Set(),
    unheard: new Set(),
    offered: new Map(),
    toldToPause: new Set(),
    letGo: new Set(),
    idleDeaths: new Map(),
    waits: new Map(),
    endsFor: new Map(),
  };
}

/** The memory as it is now: what is decided later does not change it. */
export function copyMemory(memory: TreeMemory): TreeMemory {
  return {
    unsent: new Set(memory.unsent),
    unheard: new Set(memory.unheard),
    offered: new Map(memory.offered),
    toldToPause: new Set(memory.toldToPause),
    letGo: new Set(memory.letGo),
    idleDeaths: new Map(memory.idleDeaths),
    waits: new Map([...memory.waits].map(([call, sets]) => [call, new Set(sets)])),
    endsFor: new Map(memory.endsFor),
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
    // Not by their times: the clock may have been set back between them.
    const isReplaced = run.retried_by !== null || run.continued_by !== null;
    if (!isReplaced || slots[run.task_index] === undefined) slots[run.task_index] = run.run_id;
    tree.slots.set(run.delegation_id, slots);
  }
  const again = run.retry_of !== null || run.continues !== null;
  const takesFanOut = run.parent_run_id !== null && !again && !run.added;
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

/** All runs of a set, also those that another one has taken the place of. */
export function runsOfSet(tree: ConversationTree, delegationId: string): RunRow[] {
  return [...tree.runs.values()].filter((run) => run.delegation_id === delegationId);
}

/** All runs of a set by their slots, each latest one first: what a retry or a continuation has replaced can have runs below it still. */
export function runsInSlots(tree: ConversationTree, delegationId: string): RunRow[] {
  return slotRuns(tree, delegationId).flatMap((run) => [run, ...earlierRuns(tree, run)]);
}

/** Number of slots of a set whose latest run has ended. */
export function countEnded(tree: ConversationTree, delegationId: string): number {
  return slotRuns(tree, delegationId).filter((run) => isEnded(run.state)).length;
}

function indexOf(tree: ConversationTree, runId: string): RunIndex {
  const index = tree.ofRun.get(runId) ?? { calls: [], steers: [], asks: [], deliveries: [] };
  tree.ofRun.set(runId, index);
  return index;
}

/** Puts a stored or new call into the indexes. */
export function addCall(tree: ConversationTree, call: CallRecord): void {
  const key = callKey(call.run_id, call.call_id);
  if (!tree.calls.has(key)) indexOf(tree, call.run_id).calls.push(key);
  tree.calls.set(key, call);
}

/** Puts a stored or new steering message into the indexes. */
export function addSteer(tree: ConversationTree, steer: SteerRow): void {
  if (!tree.steers.has(steer.steer_id)) indexOf(tree, steer.run_id).steers.push(steer.steer_id);
  tree.steers.set(steer.steer_id, steer);
}

/** Puts a stored or new ask into the indexes. */
export function addAsk(tree: ConversationTree, ask: AskRecord): void {
  const { ask_id, run_id } = ask.row;
  if (!tree.asks.has(ask_id)) indexOf(tree, run_id).asks.push(ask_id);
  tree.asks.set(ask_id, ask);
}

/** Puts a stored or new delivery into the indexes. */
export function addDelivery(tree: ConversationTree, delivery: DeliveryRecord): void {
  const { delivery_id, to_run_id } = delivery;
  if (!tree.deliveries.has(delivery_id)) indexOf(tree, to_run_id).deliveries.push(delivery_id);
  tree.deliveries.set(delivery_id, delivery);
}

/** The calls of a run to the core, in order. */
export function callsOf(tree: ConversationTree, runId: string): CallRecord[] {
  return (tree.ofRun.get(runId)?.calls ?? []).flatMap((key) => tree.calls.get(key) ?? []);
}

/** Whether a call of the run has no answer yet. */
export function hasOpenCall(tree: ConversationTree, runId: string): boolean {
  return callsOf(tree, runId).some((call) => call.answer === null);
}

/** The steering messages to a run that are neither part of a request nor missed, in order (C2). */
export function openSteers(tree: ConversationTree, runId: string): SteerRow[] {
  return (tree.ofRun.get(runId)?.steers ?? [])
    .flatMap((id) => tree.steers.get(id) ?? [])
    .filter(({ state }) => state === 'accepted' || state === 'queued');
}

/** The asks of a run, in order. */
export function asksOf(tree: ConversationTree, runId: string): AskRecord[] {
  return (tree.ofRun.get(runId)?.asks ?? []).flatMap((id) => tree.asks.get(id) ?? []);
}

/** The results that wait for a run, in the order of their sets' ends (P2). */
export function openDeliveries(tree: ConversationTree, runId: string): DeliveryRecord[] {
  return (tree.ofRun.get(runId)?.deliveries ?? [])
    .flatMap((id) => tree.deliveries.get(id) ?? [])
    .filter(({ done, kind }) => !done && kind === 'result');
}

/** Early word of failures that a run has not taken yet (P3). */
export function openNotices(tree: ConversationTree, runId: string): DeliveryRecord[] {
  return (tree.ofRun.get(runId)?.deliveries ?? [])
    .flatMap((id) => tree.deliveries.get(id) ?? [])
    .filter(({ done, kind }) => !done && kind === 'notice');
}

/** Whether a delegation of the run has not ended. */
export function hasOpenSet(tree: ConversationTree, runId: string): boolean {
  return (tree.childSets.get(runId) ?? []).some((id) => tree.sets.get(id)?.ended_at === null);
}

/** Whether the work of a run is over, and only its end is waited for: it has said its last word, or is being looked at. */
export function isFinishing(tree: ConversationTree, runId: string): boolean {
  const facts = tree.facts.get(runId);
  return facts?.report != null || facts?.closing != null;
}

/** Whether results are still to come to a run: a set of its own is open, or the result of one has not reached it (P2). */
export function hasResultsToCome(tree: ConversationTree, runId: string): boolean {
  return hasOpenSet(tree, runId) || openDeliveries(tree, runId).length > 0;
}

/** Whether every call of the run is answered, and no answer waits until it has its place back (R1). */
export function hasHeardAll(tree: ConversationTree, runId: string): boolean {
  const isHeard = ({ call_id, answer }: CallRecord): boolean =>
    answer !== null && !tree.memory.unsent.has(callKey(runId, call_id));
  return callsOf(tree, runId).every(isHeard);
}

/** Whether a lead ends once it has answered and nothing is to come: it was begun so, or was let go since (T1). */
export function endsAfterAnswer(tree: ConversationTree, runId: string): boolean {
  return tree.facts.get(runId)?.once === true || tree.memory.letGo.has(runId);
}

type Successor = Pick<RunRow, 'continues'> & Partial<Pick<RunRow, 'runner' | 'agent'>>;

/**
 * What a run that continues another one goes on with: the session of the nearest run before it that left one (C5). Another kind of agent cannot read it,
 * and has none.
 */
export function sessionBefore(tree: ConversationTree, { continues, runner, agent }: Successor): unknown {
  const before = continues === null ? undefined : tree.runs.get(continues);
  if (before === undefined || (runner !== undefined && !isOfKind(before, runner, agent))) return null;
  const { run_id, continues: earlier } = before;
  return tree.facts.get(run_id)?.session ?? sessionBefore(tree, { ...before, continues: earlier });
}

/** Our own loop can go on with any session of its own; other programs each have their form. */
function isOfKind(before: RunRow, runner: RunRow['runner'], agent: string | undefined): boolean {
  return before.runner === runner && (runner === 'builtin' || before.agent === agent);
}

/** Whether an attempt of the run begins by waiting for its next message: a lead that goes on where it, or an earlier lead, has answered. */
export function beginsWithMessage(tree: ConversationTree, run: RunRow): boolean {
  if (!run.lead) return false;
  return (tree.facts.get(run.run_id)?.session ?? sessionBefore(tree, run)) != null;
}

/** The runs that no run started and that stand for themselves: nothing has taken their place. */
export function rootRuns(tree: ConversationTree): RunRow[] {
  return [...tree.runs.values()].filter(
    ({ parent_run_id, retried_by, continued_by }) =>
      parent_run_id === null && retried_by === null && continued_by === null,
  );
}

/** Who goes on for a run: the latest of those that continue it, or the run itself. */
export function successorOf(tree: ConversationTree, run: RunRow): RunRow {
  const next = run.continued_by === null ? undefined : tree.runs.get(run.continued_by);
  return next === undefined ? run : successorOf(tree, next);
}

/** The runs of a slot before its latest one: those that were retried or continued, latest first. */
export function earlierRuns(tree: ConversationTree, run: RunRow): RunRow[] {
  // The retry of a continued run has both; what it retries has gone on with the same session.
  const id = run.retry_of ?? run.continues;
  const before = id === null ? undefined : tree.runs.get(id);
  return before === undefined ? [] : [before, ...earlierRuns(tree, before)];
}
