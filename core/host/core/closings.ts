import { decideClosed, decideVerified } from '../../delegation/decide-close.ts';
import { below } from '../../delegation/stopping.ts';
import type { ConversationTree, RunFacts } from '../../delegation/tree.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import { hostProcesses } from '../../kit/process-tree/host-processes.ts';
import { ProcessScanner } from '../../kit/process-tree/process-scanner.ts';
import { knownSecrets } from '../secrets/export-redactor.ts';
import { toolEnvironment } from '../../kit/process-tree/tool-environment.ts';
import { isEnded } from '../../protocol/lifecycle.ts';
import type { WorktreeResult } from '../../protocol/result-entry.ts';
import type { RunRow } from '../../protocol/rows.ts';
import type { AgentDefinition } from '../../protocol/agents.ts';
import type { Settings } from '../../protocol/settings.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import { finishWorktree } from '../../workspace/worktrees/finish-worktree.ts';
import { inTurn } from '../../workspace/worktrees/repository-turns.ts';
import { strayFault } from '../../workspace/worktrees/stray-worktree.ts';
import type { OwnAccess } from '../../workspace/worktrees/worktree-access.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';
import { keyVariables } from './assignments.ts';
import type { Attempts } from './attempts.ts';
import type { Projects } from './projects.ts';
import { verify, type Verified } from './verify.ts';
import { workspaceOf } from './workspaces.ts';

export interface ClosingsDeps {
  /** The data folder. */
  readonly home: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly attempts: Attempts;
  readonly projects: () => Projects;
  readonly environment: Readonly<Record<string, string | undefined>>;
  settings(): Settings;
  agents(projectId: string): ReadonlyMap<string, AgentDefinition>;
  /** Resolves after the next commit of any project. */
  nextCommit(): Promise<void>;
}

interface ClosingRun {
  readonly engine: ProjectEngine;
  readonly conversation_id: string;
  readonly run_id: string;
}

interface Live {
  readonly stop: AbortController;
  isUrgent: boolean;
  readonly done: Promise<void>;
}

/**
 * Looks at what a run has left before it ends: runs its verify commands (T4) and measures its worktree (W3). A core that goes meanwhile leaves it to
 * the next one, which begins again; the run ends once.
 */
export class Closings {
  readonly #deps: ClosingsDeps;
  readonly #live = new Map<string, Live>();
  readonly #leaving = Promise.withResolvers<void>();
  #isLeaving = false;
  #scanner: ProcessScanner | null = null;

  constructor(deps: ClosingsDeps) {
    this.#deps = deps;
  }

  /** Runs that are being closed. */
  get size(): number {
    return this.#live.size;
  }

  /** Closes a run whose decision is committed; one that is being closed goes on. */
  begin(engine: ProjectEngine, conversation_id: string, run_id: string): void {
    if (this.#live.has(run_id) || this.#isLeaving) return;
    const stop = new AbortController();
    const run = { engine, conversation_id, run_id };
    const live = { stop, isUrgent: false };
    const done = this.#close(run, stop.signal, () => live.isUrgent)
      .catch((error: unknown) => this.#endAnyway(run, error))
      .finally(() => this.#live.delete(run_id));
    this.#live.set(run_id, Object.assign(live, { done }));
  }

  /** Ends the verify commands of a run, at once or with time to end by themselves; false when it is not being closed. What is only measured goes on. */
  stop(runId: string, isUrgent = false): boolean {
    const found = this.#live.get(runId);
    if (found !== undefined && isUrgent) found.isUrgent = true;
    found?.stop.abort();
    return found !== undefined;
  }

  /** Resolves when no run is being closed any more. */
  async drained(): Promise<void> {
    while (this.#live.size > 0) await Promise.all([...this.#live.values()].map(({ done }) => done));
  }

  /** Ends verify commands, for the next core to run them again, and waits for what is being measured. */
  async close(): Promise<void> {
    this.#isLeaving = true;
    this.#leaving.resolve();
    for (const { stop } of this.#live.values()) stop.abort();
    await this.drained();
  }

  async #close(run: ClosingRun, signal: AbortSignal, isUrgent: () => boolean): Promise<void> {
    await this.#alone(run);
    const looked = await look(run);
    if (this.#isLeaving || looked?.facts.closing == null) return;
    const { worktree } = looked.facts;
    if (looked.facts.closing.acceptance === 'asked') await this.#verify(run, looked, { signal, isUrgent });
    if (this.#isLeaving) return;
    await this.#end(run, worktree === null ? null : await this.#measure(run, worktree));
  }

  async #end({ engine, conversation_id, run_id }: ClosingRun, worktree: WorktreeResult | null): Promise<void> {
    const { attempts } = this.#deps;
    await engine.fact(conversation_id, (step, flush) => {
      attempts.closed(run_id, flush);
      decideClosed(step, run_id, worktree);
    });
    attempts.forget(run_id);
  }

  /** A fault of ours must not keep a run alive for ever. */
  async #endAnyway(run: ClosingRun, error: unknown): Promise<void> {
    this.#deps.logger.error({ run: run.run_id, error: String(error) }, 'a run could not be closed');
    await this.#end(run, null);
  }

  /** What is below works in the same folder: it was stopped, and its end comes first. */
  async #alone({ engine, conversation_id, run_id }: ClosingRun): Promise<void> {
    const isShared = (): boolean => {
      const tree = engine.loaded(conversation_id);
      if (tree === undefined) return true;
      return below(tree, run_id).some((id) => !isEnded(tree.runs.get(id)?.state ?? 'ended'));
    };
    while (!this.#isLeaving && isShared()) await Promise.race([this.#deps.nextCommit(), this.#leaving.promise]);
  }

  async #verify(run: ClosingRun, looked: Looked, ends: Ends): Promise<void> {
    const { engine, conversation_id, run_id } = run;
    const stopped = looked.facts.closing?.known.stopped === true;
    const running = stopped ? Promise.resolve(NOT_RUN) : this.#inOwnFolder(run, looked, ends);
    const { acceptance, survivors } = await running.catch((error: unknown) => this.#fault(error));
    // The next core runs them again.
    if (this.#isLeaving) return;
    await engine.fact(conversation_id, (step) => decideVerified(step, run_id, acceptance, survivors));
  }

  /** Commands of the user's are not run where another's work is by now. */
  async #inOwnFolder(run: ClosingRun, looked: Looked, ends: Ends): Promise<Verified> {
    const { worktree } = looked.facts;
    const fault = worktree === null ? null : await strayFault(worktree, this.#access);
    if (fault !== null) throw new Error(fault);
    return this.#runCommands(run, looked, ends);
  }

  get #access(): OwnAccess {
    return { environment: this.#deps.environment, dataFolder: this.#deps.home };
  }

  async #runCommands(closing: ClosingRun, { tree, run, facts }: Looked, ends: Ends): Promise<Verified> {
    const { clock, projects, settings, environment } = this.#deps;
    const project = projects().get(run.project_id);
    if (project === undefined) throw new Error(`There is no project ${run.project_id} any more.`);
    const agent = this.#deps.agents(run.project_id).get(run.agent);
    this.#scanner ??= new ProcessScanner({ source: hostProcesses(), clock });
    return verify({
      commands: facts.task.acceptance?.verify ?? [],
      workspace: workspaceOf(tree, run, project).folder,
      environment: toolEnvironment(
        { ...environment, ...agent?.env },
        { runId: run.run_id, drop: keyVariables(settings()) },
      ),
      secrets: knownSecrets(settings(), environment),
      scanner: this.#scanner,
      clock,
      graceMs: settings().limits.stopGraceSeconds * 1000,
      ...ends,
      onCommand: (command) => this.#tell(closing, `Checking acceptance: ${command}`),
    });
  }

  async #measure(run: ClosingRun, worktree: Worktree): Promise<WorktreeResult> {
    this.#tell(run, 'Measuring the worktree');
    const measure = (): Promise<WorktreeResult> => finishWorktree(worktree, this.#access);
    const measured = await inTurn(run.engine.projectId, measure).catch((error: unknown) => unmeasured(worktree, error));
    const note = [...worktree.notes, ...(measured.note === undefined ? [] : [measured.note])].join(' ');
    return note === '' ? measured : { ...measured, note };
  }

  #tell({ engine, conversation_id, run_id }: ClosingRun, activity: string): void {
    void engine.fact(conversation_id, (step) => step.activity(run_id, activity));
  }

  /** Nothing can be said of the work then: it is not accepted. */
  #fault(error: unknown): Verified {
    this.#deps.logger.error({ error: String(error) }, 'verify commands could not be run');
    return { acceptance: { status: 'failed', commands: [] }, survivors: [] };
  }
}

/** How its verify commands are ended. */
type Ends = Pick<Parameters<typeof verify>[0], 'signal' | 'isUrgent'>;

/** The run as it is stored. */
interface Looked {
  readonly tree: ConversationTree;
  readonly run: RunRow;
  readonly facts: RunFacts;
}

/** Looks as part of a transaction, which waits while the database cannot be read. Null when the engine is closing. */
async function look({ engine, conversation_id, run_id }: ClosingRun): Promise<Looked | null> {
  const found: Looked[] = [];
  await engine.fact(conversation_id, ({ tree }) => {
    const run = tree.runs.get(run_id);
    const facts = tree.facts.get(run_id);
    if (run !== undefined && facts !== undefined) found.push({ tree, run, facts });
  });
  return found.at(-1) ?? null;
}

const NOT_RUN: Verified = { acceptance: { status: 'none', commands: [] }, survivors: [] };

/** Our own fault: it stays, and says so. */
function unmeasured({ path, branch, base_commit }: Worktree, error: unknown): WorktreeResult {
  const inspection_failed = { probe: 'finish', exit_code: null, stderr: String(error).slice(0, 200) };
  return { path, branch, base_commit, commits: null, dirty: null, kept: true, inspection_failed };
}
