import { join } from 'node:path';
import { decideEnd, decideNeverStarted } from '../../delegation/decide-end.ts';
import { decideNotOrdered, decidePrepared, decideTakeOver } from '../../delegation/decide-close.ts';
import type { ConversationTree } from '../../delegation/tree.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { Random } from '../../kit/random.ts';
import type { FailureReason } from '../../protocol/outcome.ts';
import type { ProjectRow, RunRow } from '../../protocol/rows.ts';
import type { Settings } from '../../protocol/settings.ts';
import type { AttemptRecord } from '../../registry/store/records.ts';
import { hasHadBranch } from '../../registry/store/read-rows.ts';
import { userSkillFolders } from '../../workspace/skills/skill-folders.ts';
import { lockWorktree } from '../../workspace/worktrees/lock-worktree.ts';
import { prepareWorktree } from '../../workspace/worktrees/prepare-worktree.ts';
import { inTurn } from '../../workspace/worktrees/repository-turns.ts';
import { strayFault } from '../../workspace/worktrees/stray-worktree.ts';
import type { WorktreeError } from '../../workspace/worktrees/worktree-error.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';
import { makeAssignment, type AssignmentParts } from './assignments.ts';
import type { Attempts } from './attempts.ts';
import type { Projects } from './projects.ts';
import { isDemo, type Demo } from './demo.ts';
import { baseOf } from './workspaces.ts';

export interface StartsDeps {
  /** The data folder. */
  readonly home: string;
  readonly random: Random;
  readonly attempts: Attempts;
  readonly projects: () => Projects;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Those that hold in a project. */
  settings(projectId?: string): Settings;
  /** Its model server is up before a run of its projects is ordered. */
  readonly demo: Pick<Demo, 'isReady' | 'ready'>;
  agents(projectId: string): AssignmentParts['agents'];
}

/** An attempt that is to start, and where. */
interface Start {
  readonly engine: ProjectEngine;
  readonly conversation_id: string;
  readonly run_id: string;
  readonly attempt_id: string;
  readonly token: string;
  readonly project: ProjectRow;
}

/** Starts attempts: first the worktree, for a run that is to have one (W1), then the worker. */
export class Starts {
  readonly #deps: StartsDeps;
  /** Worktrees in the making, by run. */
  readonly #preparing = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>();
  #isLeaving = false;

  constructor(deps: StartsDeps) {
    this.#deps = deps;
  }

  /** Starts a committed attempt. */
  begin(engine: ProjectEngine, conversation_id: string, run_id: string, attempt_id: string): void {
    const { attempts, projects } = this.#deps;
    const tree = engine.tree(conversation_id);
    const run = tree?.runs.get(run_id);
    const project = projects().get(engine.projectId);
    const token = attempts.begin(engine, conversation_id, attempt_id);
    if (tree === null || run === undefined || project === undefined || token === null) return;
    const start = { engine, conversation_id, run_id, attempt_id, token, project };
    const needsWorktree = run.isolation === 'worktree' && tree.facts.get(run_id)?.worktree == null;
    if (run.isolation !== 'worktree' && !this.#needsDemo(project)) return this.#order(start);
    const stop = new AbortController();
    const done = this.#prepare(start, needsWorktree, stop.signal).finally(() => this.#preparing.delete(run_id));
    this.#preparing.set(run_id, { stop, done });
  }

  /** Waits for the worker of an attempt that an earlier core began; one that has no task yet gets it now. */
  adopt(engine: ProjectEngine, run: RunRow, record: AttemptRecord): void {
    const { attempts, projects, settings, environment } = this.#deps;
    const tree = engine.tree(run.conversation_id);
    const project = projects().get(engine.projectId);
    const needsTask = record.committed_seq === 0 && tree !== null && project !== undefined;
    const folder = attempts.folder(engine.projectId, record.attempt_id);
    const key_holds = attempts.holds.open;
    const assignment = needsTask
      ? makeAssignment({
          tree,
          run,
          project,
          settings: settings(project.project_id),
          agents: this.#deps.agents(project.project_id),
          environment,
          folder,
          key_holds,
          skill_folders: this.#skillFolders,
          tool_lists: this.#toolLists,
        })
      : null;
    attempts.adopt(engine, run.conversation_id, record, assignment?.ok ? assignment.value : null);
  }

  #needsDemo(project: ProjectRow): boolean {
    return isDemo(project) && !this.#deps.demo.isReady;
  }

  /** Stops the making of a run's worktree; false when none is in the making. The run ends when nothing is left of it. */
  stop(runId: string): boolean {
    const found = this.#preparing.get(runId);
    found?.stop.abort();
    return found !== undefined;
  }

  /** Gives up what is in the making, for the next core to begin anew. */
  async close(): Promise<void> {
    this.#isLeaving = true;
    for (const { stop } of this.#preparing.values()) stop.abort();
    await Promise.all([...this.#preparing.values()].map(({ done }) => done));
  }

  async #prepare(start: Start, needsWorktree: boolean, signal: AbortSignal): Promise<void> {
    const { engine, conversation_id, run_id } = start;
    // One that does not come up is told by the first request of the run, as with any server.
    if (this.#needsDemo(start.project)) await this.#deps.demo.ready();
    const made = needsWorktree ? await this.#withWorktree(start, signal) : await this.#stillOwn(start, signal);
    if (this.#isLeaving) return this.#leave(start);
    // As part of a transaction, which waits while the database cannot be read.
    await engine.fact(conversation_id, () => undefined);
    if (this.#isLeaving) return this.#leave(start);
    const state = engine.tree(conversation_id)?.runs.get(run_id)?.state;
    // A stop from here on finds the attempt in the pool.
    this.#preparing.delete(run_id);
    if (signal.aborted || state !== 'starting') return this.#giveUp(start, null);
    if (made.ok) this.#order(start);
    else this.#giveUp(start, { failure_reason: 'isolation', message: made.error.message });
  }

  async #withWorktree(start: Start, signal: AbortSignal): Promise<Result<unknown, Pick<WorktreeError, 'message'>>> {
    const { engine, conversation_id, run_id } = start;
    void engine.fact(conversation_id, (step) => step.activity(run_id, 'Creating a worktree'));
    return this.#worktree(start, signal).catch((error: unknown) => failed(error));
  }

  /** A run that begins again works on in the worktree that it has, if nobody else has its place since. */
  async #stillOwn({ engine, conversation_id, run_id }: Start, signal: AbortSignal) {
    const { environment, home: dataFolder } = this.#deps;
    const worktree = engine.tree(conversation_id)?.facts.get(run_id)?.worktree ?? null;
    const fault = worktree === null ? null : await strayFault(worktree, { environment, dataFolder, signal });
    return fault === null ? ok(null) : err({ message: fault });
  }

  /** The run has its worktree, and that is stored, when this answers. */
  async #worktree(start: Start, signal: AbortSignal): Promise<Result<unknown, Pick<WorktreeError, 'message'>>> {
    const { engine, conversation_id, run_id, project } = start;
    const { environment, home, random } = this.#deps;
    const tree = engine.tree(conversation_id);
    const run = tree?.runs.get(run_id);
    if (tree === null || run === undefined) return ok(null);
    const taken = run.continues === null ? null : await inTurn(project.project_id, () => this.#takeOver(start));
    if (taken !== null) return taken;
    const made = await prepareWorktree({
      ...namesOf(tree, run),
      project: project.path,
      dataFolder: home,
      random,
      environment,
      signal,
      wasGiven: (branch) => hasHadBranch(engine.db, branch),
    });
    if (!made.ok) return made;
    await engine.fact(conversation_id, (step, flush) => {
      flush.full = true;
      decidePrepared(step, run_id, made.value);
    });
    return made;
  }

  /** Takes the kept worktree of the run that is continued; null when there is none (C5). */
  async #takeOver({ engine, conversation_id, run_id }: Start): Promise<Result<unknown, WorktreeError> | null> {
    let taken = false;
    await engine.fact(conversation_id, (step) => {
      taken = decideTakeOver(step, run_id);
    });
    const worktree = engine.tree(conversation_id)?.facts.get(run_id)?.worktree;
    if (!taken || worktree == null) return null;
    const { environment, home: dataFolder } = this.#deps;
    return lockWorktree(worktree, { environment, dataFolder });
  }

  get #toolLists(): string {
    return join(this.#deps.home, 'mcp-tools');
  }

  get #skillFolders(): string[] {
    return userSkillFolders(this.#deps.home, this.#deps.environment);
  }

  #order({ engine, conversation_id, run_id, attempt_id, token, project }: Start): void {
    const { attempts, settings, environment } = this.#deps;
    const tree = engine.tree(conversation_id);
    const run = tree?.runs.get(run_id);
    if (tree === null || run === undefined) return;
    const folder = attempts.folder(engine.projectId, attempt_id);
    const key_holds = attempts.holds.open;
    const agents = this.#deps.agents(project.project_id);
    const places = { folder, agents, skill_folders: this.#skillFolders, tool_lists: this.#toolLists };
    const assignment = makeAssignment({
      tree,
      run,
      project,
      settings: settings(project.project_id),
      environment,
      key_holds,
      ...places,
    });
    if (assignment.ok) return attempts.pool.start({ run_id, attempt_id, token, assignment: assignment.value, folder });
    this.#giveUp({ engine, conversation_id, run_id, attempt_id }, assignment.error);
  }

  /** The next core starts it again. */
  async #leave({ engine, conversation_id, run_id, attempt_id }: Start): Promise<void> {
    this.#deps.attempts.cancel(attempt_id);
    await engine.fact(conversation_id, (step) => decideNotOrdered(step, run_id));
  }

  /** The worker is not ordered: the run ends with this failure, or was stopped. */
  #giveUp(
    {
      engine,
      conversation_id,
      run_id,
      attempt_id,
    }: Pick<Start, 'engine' | 'conversation_id' | 'run_id' | 'attempt_id'>,
    failure: { readonly failure_reason: FailureReason; readonly message: string } | null,
  ): void {
    this.#deps.attempts.cancel(attempt_id);
    void engine.fact(conversation_id, (step) => {
      if (failure === null) decideEnd(step, run_id, { stopped: true }, null);
      else decideNeverStarted(step, run_id, { kind: 'not_started', ...failure });
    });
  }
}

function failed(error: unknown): { readonly ok: false; readonly error: { readonly message: string } } {
  return { ok: false, error: { message: `The worktree could not be made: ${String(error)}` } };
}

function namesOf(tree: ConversationTree, run: RunRow) {
  const base = baseOf(tree, run);
  return {
    run_id: run.run_id,
    conversationSlug: tree.conversation.title,
    slugSource: run.label ?? run.goal,
    ...(base === null ? {} : { baseRef: base }),
  };
}
