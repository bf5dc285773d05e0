import { changeWorktree } from '../../delegation/decide-close.ts';
import type { Effect } from '../../delegation/effects.ts';
import type { RunRow } from '../../protocol/rows.ts';
import type { RunWorktree, WorktreeChange } from '../../protocol/worktree.ts';
import { ok, type Result } from '../../kit/result.ts';
import type { OutboxRecord } from '../../registry/store/records.ts';
import { finishChange } from '../../workspace/worktrees/finish-change.ts';
import { failure, type WorktreeError } from '../../workspace/worktrees/worktree-error.ts';
import { inTurn } from '../../workspace/worktrees/repository-turns.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';
import type { CoreOptions } from './core-options.ts';

/** The run whose worktree is changed. */
interface Changed {
  readonly engine: ProjectEngine;
  readonly conversation_id: string;
  readonly run: RunRow;
}

type Noted = Extract<Effect, { type: 'finish_change' }>;

/**
 * A change of an ended run's worktree, written down before the first step that cannot be taken back. The row and the note change in one transaction: a core
 * that goes in between leaves the change to the next one, which brings it to its end.
 */
export class NotedChange {
  readonly #changed: Changed;
  #noted: Noted | null = null;

  /** Its project is marked live: else nobody would look for the note. */
  constructor(changed: Changed) {
    this.#changed = changed;
  }

  /** Answers when it is stored. Fails when it cannot be just now, or the core closes, so that nothing is done that nobody would know of. */
  async begin(change: WorktreeChange): Promise<Result<null, WorktreeError>> {
    const { engine, conversation_id, run } = this.#changed;
    const effect: Noted = { type: 'finish_change', run_id: run.run_id, conversation_id, change };
    const noted = await engine.command(conversation_id, (step) => {
      step.effect(effect);
      return ok(null);
    });
    if (!noted.ok) return failure('storage', `${noted.error.message} Nothing was changed.`);
    this.#noted = effect;
    return ok(null);
  }

  /** @param patch what is different now; null when the change was not made */
  async end(patch: Partial<RunWorktree> | null): Promise<void> {
    const { engine, conversation_id, run } = this.#changed;
    const noted = this.#noted;
    if (patch === null) {
      if (noted !== null) engine.outbox.done(noted);
      return;
    }
    await engine.fact(conversation_id, (step) => {
      if (noted !== null) engine.outbox.done(noted);
      const { worktree } = step.tree.runs.get(run.run_id) ?? run;
      if (worktree !== null) changeWorktree(step, run.run_id, { ...worktree, ...patch });
    });
  }
}

/** Brings to its end a change that an earlier core wrote down. False: it cannot be just now, and is left for the next start. */
export async function takeUpChange(
  engine: ProjectEngine,
  record: OutboxRecord,
  { environment, logger, home: dataFolder }: CoreOptions,
): Promise<boolean> {
  const { run_id, conversation_id, change } = record.body as Noted;
  const tree = engine.tree(conversation_id);
  const run = tree?.runs.get(run_id);
  const worktree = tree?.facts.get(run_id)?.worktree ?? null;
  if (run === undefined || worktree === null || isPast(change, run.worktree)) {
    engine.outbox.settle(record);
    return true;
  }
  const finished = await inTurn(run.project_id, () => finishChange(worktree, change, { environment, dataFolder }));
  if (!finished.ok) {
    logger.warn({ run: run_id, code: finished.error.code }, 'a change of a worktree could not be brought to its end');
    return false;
  }
  await engine.fact(conversation_id, (step) => {
    engine.outbox.settle(record);
    const now = step.tree.runs.get(run_id)?.worktree;
    if (finished.value && now != null) changeWorktree(step, run_id, { ...now, ...patchOf(change) });
  });
  return true;
}

/** Something else was done with the worktree since: what was meant then does not count any more. */
function isPast(change: WorktreeChange, worktree: RunWorktree | null): boolean {
  if (worktree?.state === 'kept') return false;
  return worktree?.state !== 'branch' || (change.type === 'removal' && change.state === 'branch');
}

function patchOf(change: WorktreeChange): Partial<RunWorktree> {
  if (change.type === 'move') return { applied: change.mode };
  return change.state === 'branch' ? { state: 'branch', dirty: false } : { state: 'discarded' };
}
