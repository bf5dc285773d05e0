import { err, ok, type Result } from '../../../kit/result.ts';
import type { ApiError } from '../../../protocol/errors.ts';
import { isEnded } from '../../../protocol/lifecycle.ts';
import type { RunWorktree, Worktree } from '../../../protocol/worktree.ts';
import { applyWorktree, type Applied } from '../../../workspace/worktrees/apply-worktree.ts';
import { discardWorktree, expireDiscarded } from '../../../workspace/worktrees/discard-worktree.ts';
import { keepAsBranch } from '../../../workspace/worktrees/keep-branch.ts';
import { inTurn } from '../../../workspace/worktrees/repository-turns.ts';
import type { WorktreeError } from '../../../workspace/worktrees/worktree-error.ts';
import type { CoreService } from '../../service.ts';
import type { Core } from '../core.ts';
import { NotedChange } from '../noted-change.ts';
import { undoFile } from '../undo.ts';
import { changesOf, findRun, toApiError, type FoundRun } from '../run-changes.ts';

const DISCARDED_MS = 30 * 24 * 3600 * 1000;

/** A run that has ended, with a worktree that is its own and that is still there in one form or another. */
interface Kept extends FoundRun {
  readonly worktree: Worktree;
  readonly shown: RunWorktree;
}

/** What runs changed, and what becomes of their worktrees (W4). */
export function changesArea(core: Core): Pick<CoreService, 'changes'> {
  const { environment, clock, home: dataFolder } = core.options;
  return {
    changes: {
      show: ({ run_id }) => changesOf(core, run_id),
      undo: async ({ run_id, path }) => {
        const found = await findRun(core, run_id);
        if (!found.ok) return found;
        if (!isEnded(found.value.run.state)) return refused('The run is still at work. Stop it, or wait for its end.');
        return inTurn(found.value.run.project_id, () => undoFile(core, found.value, path));
      },
      apply: ({ run_id, mode }) =>
        act(core, run_id, ['kept', 'branch'], async (kept) => {
          const message = `Work of ${kept.run.label ?? kept.shown.branch}`;
          const noted = new NotedChange(kept);
          const beforeMove = (move: Applied) => noted.begin({ type: 'move', mode, ...move });
          const applied = await applyWorktree(kept.worktree, { environment, dataFolder, mode, message, beforeMove });
          await noted.end(applied.ok ? { applied: mode } : null);
          return applied;
        }),
      keep: ({ run_id }) =>
        act(core, run_id, ['kept'], async (kept) => {
          const noted = new NotedChange(kept);
          const beforeRemoval = () => noted.begin({ type: 'removal', state: 'branch', branch_tip: null });
          const branch = await keepAsBranch(kept.worktree, { environment, dataFolder, beforeRemoval });
          await noted.end(branch.ok ? { state: 'branch', dirty: false } : null);
          return branch;
        }),
      discard: ({ run_id, accept_loss }) =>
        act(core, run_id, ['kept', 'branch'], async (kept) => {
          const noted = new NotedChange(kept);
          const beforeRemoval = (branch_tip: string | null) =>
            noted.begin({ type: 'removal', state: 'discarded', branch_tip });
          const discarded = await discardWorktree(kept.worktree, {
            environment,
            dataFolder,
            acceptLoss: accept_loss,
            beforeRemoval,
          });
          await noted.end(discarded.ok ? { state: 'discarded' } : null);
          if (!discarded.ok) return discarded;
          // What was discarded long ago goes now; if that fails it stays, and the next time is soon enough.
          await expireDiscarded(kept.worktree.repository, { environment }, clock.now() - DISCARDED_MS);
          return discarded;
        }),
    },
  };
}

/** Does something with a run's worktree, when nothing else does anything with one of that project. */
async function act<T>(
  core: Core,
  runId: string,
  states: readonly RunWorktree['state'][],
  work: (kept: Kept) => Promise<Result<T, WorktreeError>>,
): Promise<Result<T, ApiError>> {
  const found = await findRun(core, runId);
  if (!found.ok) return found;
  return inTurn(found.value.run.project_id, async () => {
    const now = await findRun(core, runId);
    const kept = now.ok ? keptOf(now.value, states) : now;
    if (!kept.ok) return kept;
    const marked = await core.projects.markLive(kept.value.engine.projectId);
    if (!marked.ok) return marked;
    const done = await work(kept.value);
    return done.ok ? done : err(toApiError(done.error));
  });
}

function keptOf(found: FoundRun, states: readonly RunWorktree['state'][]): Result<Kept, ApiError> {
  const { run, worktree } = found;
  if (!isEnded(run.state)) return refused('The run is still at work. Stop it, or wait for its end.');
  const shown = run.worktree;
  if (worktree === null || shown === null) return refused('The run had no worktree of its own.');
  if (states.includes(shown.state)) return ok({ ...found, worktree, shown });
  switch (shown.state) {
    case 'removed':
      return refused('Nothing was in its worktree, so it was removed at the end of the run.');
    case 'discarded':
      return refused(`Its worktree was discarded. For 30 days refs/espalier/discarded/${run.run_id} keeps the work.`);
    case 'branch':
      return refused(`Its worktree was kept as the branch ${shown.branch}.`);
    case 'continued':
      return refused('A later run goes on in its worktree. Do it there.');
    default:
      return refused(`Its worktree cannot be used now (${shown.state}).`);
  }
}

function refused(message: string): Result<never, ApiError> {
  return err({ code: 'not_allowed', message: `${message} Nothing was changed.` });
}
