import type { Admission } from '../../delegation/admission.ts';
import { decideAnswered } from '../../delegation/decide-attempt.ts';
import { decideNotOrdered } from '../../delegation/decide-close.ts';
import { decideEnd } from '../../delegation/decide-end.ts';
import { decidePause } from '../../delegation/decide-pause.ts';
import { isPlaced } from '../../delegation/move.ts';
import { hasResultsToCome, type ConversationTree } from '../../delegation/tree.ts';
import { isLive, queuesForPlace } from '../../protocol/lifecycle.ts';
import { isOutside, type RunRow } from '../../protocol/rows.ts';
import { readOpenEntries } from '../../registry/store/entries.ts';
import { readLiveConversations } from '../../registry/store/read-rows.ts';
import type { AttemptRecord, OutboxRecord } from '../../registry/store/records.ts';
import { clearUnused } from '../../workspace/worktrees/clear-unused.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';
import type { Asks } from './asks.ts';
import type { Attempts } from './attempts.ts';
import type { CoreOptions } from './core-options.ts';
import type { Effects } from './effects.ts';
import { locate } from './locate.ts';
import { takeUpChange } from './noted-change.ts';
import type { OutsideClients } from './outside-clients.ts';
import type { Projects } from './projects.ts';
import { ifReadable, storageFailure } from './storage-failure.ts';
import { takeLateWords } from './late-words.ts';

// Long enough for a program to end in order.
const REPLACED_GRACE_MS = 2000;

export interface RecoveryDeps {
  readonly projects: Projects;
  readonly effects: Effects;
  readonly asks: Asks;
  readonly admission: Admission;
  readonly attempts: Attempts;
  readonly options: CoreOptions;
  readonly outside: OutsideClients;
  /** The data folder was copied: the processes that it names work for another one (D5). */
  readonly isCopy: boolean;
}

/**
 * Takes up what an earlier core left (D5): workers that reconnect are adopted, runs without one are settled, queued ones
 * queue again, calls that were stored but not carried out are. Each once.
 */
export async function recover(deps: RecoveryDeps): Promise<void> {
  const ready = await deps.projects.openSoon(deps.projects.possiblyLive);
  for (const engine of ready) holdPlaces(deps, engine);
  for (const projectId of deps.projects.possiblyLive) {
    const open = ready.find((engine) => engine.projectId === projectId);
    if (open !== undefined) await recoverProject(deps, open);
    // Locked by another program, or not readable now: as soon as it is, without keeping all others waiting (D6).
    else deps.projects.whenOpen(projectId, (engine) => void recoverLate(deps, engine));
  }
  await takeLateWords(deps.projects, deps.options.home);
}

async function recoverLate(deps: RecoveryDeps, engine: ProjectEngine): Promise<void> {
  holdPlaces(deps, engine);
  await recoverProject(deps, engine);
}

/** Whoever is at work has its place before anybody is given one: to ask for one is to be given it, while others are still looked at (R1). */
function holdPlaces(deps: RecoveryDeps, engine: ProjectEngine): void {
  if (deps.isCopy) return;
  for (const conversationId of ifReadable(() => readLiveConversations(engine.db)) ?? []) {
    const tree = ifReadable(() => engine.tree(conversationId)) ?? null;
    if (tree === null) continue;
    const attempts = new Set(openAttempts(engine, conversationId).map(({ run_id }) => run_id));
    for (const run of tree.runs.values()) {
      const goesOn = attempts.has(run.run_id) ? !isNotOrdered(tree, run) : isClosing(tree, run);
      if (goesOn && isLive(run.state) && isPlaced(run)) holdPlace(deps.admission, tree, run);
    }
  }
}

function holdPlace(admission: Admission, tree: ConversationTree, run: RunRow): void {
  const set = run.delegation_id === null ? undefined : tree.sets.get(run.delegation_id);
  admission.hold(run.run_id, run.delegation_id ?? run.run_id, set?.max_concurrent ?? 1);
}

async function recoverProject(deps: RecoveryDeps, engine: ProjectEngine): Promise<void> {
  const live = ifReadable(() => readLiveConversations(engine.db));
  if (live === null) return;
  for (const conversationId of live) {
    try {
      await recoverConversation(deps, engine, conversationId);
    } catch (thrown) {
      const failure = storageFailure(thrown);
      if (failure === null) throw thrown;
      // The others must not wait for one that is damaged.
      deps.options.logger.error({ conversation: conversationId, code: failure.code }, 'a conversation cannot be read');
    }
  }
  let isLeft = false;
  for (const record of engine.outbox.left) {
    if (record.type !== 'finish_change') await takeUp(deps, engine, record);
    else if (!(await takeUpChange(engine, record, deps.options))) isLeft = true;
  }
  if (live.length === 0 && !isLeft) await deps.projects.clearLive(engine.projectId);
}

/**
 * The database of a project is another one than before (D6): what is at work belongs to none of its runs, or to an older state of them, and is
 * ended. Then what the file says is at work is settled, as after a crash.
 */
export async function takeUpReplaced(deps: RecoveryDeps, engine: ProjectEngine): Promise<void> {
  const { attempts, projects } = deps;
  for (const attempt of attempts.of(engine)) attempts.pool.stop(attempt, 'stop', REPLACED_GRACE_MS);
  await attempts.drained(engine);
  await projects.markLive(engine.projectId);
  await recoverLate(deps, engine);
  await giveLostPlaces(deps);
}

/** Places of runs that no database knows any more would be held for ever. */
async function giveLostPlaces({ admission, effects, projects }: RecoveryDeps): Promise<void> {
  for (const runId of admission.known) if (!(await locate(projects, runId)).ok) admission.give(runId);
  effects.grantSoon();
}

async function recoverConversation(deps: RecoveryDeps, engine: ProjectEngine, conversationId: string): Promise<void> {
  const tree = engine.tree(conversationId);
  if (tree === null) return;
  const attempts = new Map(openAttempts(engine, conversationId).map((record) => [record.run_id, record]));
  for (const run of [...tree.runs.values()]) {
    // A state of a newer build is left as it is: it is shown as itself (T7).
    if (!isLive(run.state)) continue;
    const attempt = attempts.get(run.run_id);
    if (deps.isCopy) await settleCopied(deps, engine, run, attempt);
    else if (attempt !== undefined && isNotOrdered(tree, run)) await startAgain(deps, engine, run, attempt);
    else if (attempt !== undefined) adopt(deps, engine, run, attempt);
    else if (isClosing(tree, run)) close(deps, engine, run);
    else await settleWithout(deps, engine, conversationId, run);
  }
  // The app may have been paused or resumed without its runs hearing of it.
  await engine.fact(conversationId, decidePause);
  for (const { row } of tree.asks.values())
    if (row.state === 'open') deps.asks.opened(engine, conversationId, row.ask_id);
}

function openAttempts(engine: ProjectEngine, conversationId: string): AttemptRecord[] {
  return engine.db.all<AttemptRecord>(
    "SELECT * FROM attempts WHERE state <> 'ended' AND run_id IN (SELECT run_id FROM runs WHERE conversation_id = ?)",
    conversationId,
  );
}

function adopt({ effects }: RecoveryDeps, engine: ProjectEngine, run: RunRow, attempt: AttemptRecord): void {
  for (const entry of readOpenEntries(engine.db, run.run_id)) engine.transcripts.adopt(entry);
  if (run.state === 'waiting' && queuesForPlace(run.reason)) {
    effects.askPlace(engine, run.conversation_id, run.run_id, true);
  }
  effects.adopt(engine, run, attempt);
}

const isClosing = (tree: ConversationTree, run: RunRow): boolean => tree.facts.get(run.run_id)?.closing != null;

/** A run that was being closed without an attempt: it is closed from the beginning. */
function close({ effects }: RecoveryDeps, engine: ProjectEngine, run: RunRow): void {
  effects.perform(engine, run.conversation_id, { type: 'close_run', run_id: run.run_id }, () => undefined);
}

/** Its worktree is stored before its worker is ordered: without one nothing was. */
function isNotOrdered(tree: ConversationTree, run: RunRow): boolean {
  const facts = tree.facts.get(run.run_id);
  return run.isolation === 'worktree' && facts?.worktree === null && facts.closing === null;
}

/**
 * A run that was going on when the data folder was copied goes on in the other folder, and only there: its process and its worktree are left alone, and
 * it is not begun a second time.
 */
async function settleCopied(
  { options }: RecoveryDeps,
  engine: ProjectEngine,
  run: RunRow,
  attempt: AttemptRecord | undefined,
): Promise<void> {
  if (attempt !== undefined) engine.attempt({ ...attempt, state: 'ended', ended_at: options.clock.now() });
  else if (run.state === 'waiting' && needsNoProcess(engine, run)) return;
  const message = 'The data folder was copied while it was going on; nobody here sees its end.';
  const known = run.state === 'queued' ? { stopped: true as const } : { death: { proved: false, message } };
  await engine.fact(run.conversation_id, (step) => decideEnd(step, run.run_id, known, null));
}

/** What was begun of its worktree goes, and it starts anew. */
async function startAgain(
  { projects, effects, options }: RecoveryDeps,
  engine: ProjectEngine,
  { run_id, conversation_id }: RunRow,
  attempt: AttemptRecord,
): Promise<void> {
  const { home, environment, clock, logger } = options;
  const project = projects.get(engine.projectId)?.path;
  const cleared = project && (await clearUnused({ run_id, project, dataFolder: home, environment }));
  if (cleared && !cleared.ok) logger.warn({ run: run_id, code: cleared.error.code }, 'a worktree that was begun stays');
  engine.attempt({ ...attempt, state: 'ended', ended_at: clock.now() });
  await engine.fact(conversation_id, (step) => decideNotOrdered(step, run_id));
  effects.askPlace(engine, conversation_id, run_id, true);
}

/** A run without any attempt that could still be alive. */
async function settleWithout(
  { effects, outside }: RecoveryDeps,
  engine: ProjectEngine,
  conversationId: string,
  run: RunRow,
): Promise<void> {
  if (run.state === 'queued') {
    if (run.reason !== 'dependency') effects.askPlace(engine, conversationId, run.run_id, false);
    return;
  }
  if (run.state === 'waiting' && (queuesForPlace(run.reason) || run.reason === 'restart')) {
    effects.askPlace(engine, conversationId, run.run_id, true);
    return;
  }
  if (isOutside(run)) return void outside.adopt(engine, run);
  if (run.state === 'waiting' && needsNoProcess(engine, run)) return;
  const message = `Nobody saw the end of its worker; the last that is known: ${run.activity ?? 'it had started'}.`;
  const stopped = run.state === 'stopping';
  await engine.fact(conversationId, (step) => {
    if (decideAnswered(step, run.run_id, null)) return;
    decideEnd(step, run.run_id, stopped ? { stopped } : { death: { proved: false, message } }, null);
  });
}

/** A lead between two messages, and a run whose worker had ended when it was paused: that one goes on when it is resumed. */
function needsNoProcess(engine: ProjectEngine, run: RunRow): boolean {
  if (run.reason === 'paused') return run.paused;
  return run.lead && run.reason === 'user' && !isFinished(engine, run);
}

/** A lead that was to end after its answer, and for which nothing is left to come. */
function isFinished(engine: ProjectEngine, run: RunRow): boolean {
  const tree = engine.tree(run.conversation_id);
  return tree?.facts.get(run.run_id)?.once === true && !hasResultsToCome(tree, run.run_id);
}

/** Effects that were committed but perhaps not carried out: calls are taken up again; a start is never repeated (D3). */
async function takeUp({ effects }: RecoveryDeps, engine: ProjectEngine, record: OutboxRecord): Promise<void> {
  if (record.type === 'take_up_call') {
    const { run_id, call_id } = record.body as { run_id: string; call_id: string };
    const conversationId = engine.conversationOf(run_id);
    if (conversationId !== null) await effects.takeUpCall(engine, conversationId, run_id, call_id);
  }
  if (record.type === 'write_summary') {
    const told = record.body as { path: string; text: string };
    return effects.writeSummary(told, () => engine.outbox.settle(record));
  }
  // Only now: a core that dies before this leaves it to the next one.
  engine.outbox.settle(record);
}
