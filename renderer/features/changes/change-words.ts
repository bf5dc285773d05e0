import type { FileChange } from '../../../core/protocol/changes.ts';
import { isEnded } from '../../../core/protocol/lifecycle.ts';
import type { RunRow } from '../../../core/protocol/rows.ts';
import type { RunWorktree } from '../../../core/protocol/worktree.ts';
import { runStrings } from '../../shared/run-strings.ts';

const words = runStrings.changes;

/** What can be done with a run's worktree now (W4). */
export interface ChangeActions {
  readonly apply: boolean;
  readonly keep: boolean;
  readonly discard: boolean;
}

/** Nothing while the run lives; a kept one everything; one that is only a branch is applied or discarded. */
export function actionsOf(run: Pick<RunRow, 'state' | 'worktree'>): ChangeActions {
  const state = isEnded(run.state) ? run.worktree?.state : undefined;
  const there = state === 'kept' || state === 'branch';
  return { apply: there, keep: state === 'kept', discard: there };
}

/** What became of the worktree, in one sentence. */
export function worktreeWords(worktree: RunWorktree): string {
  const { state, branch, commits, dirty, applied } = worktree;
  if (applied !== null && state === 'kept') return words.appliedFrom(words.appliedBy[applied], branch);
  switch (state) {
    case 'at_work':
      return words.atWork(branch);
    case 'kept':
      return words.kept(branch, commits, dirty === true);
    case 'branch':
      return words.branch(branch);
    case 'removed':
      return words.removed;
    case 'discarded':
      return words.discarded;
    case 'continued':
      return words.continued;
    default:
      return state;
  }
}

/** `+5 −3`; nothing where lines were not counted. */
export function lineWords(change: Pick<FileChange, 'additions' | 'deletions'>): {
  readonly added: string;
  readonly removed: string;
} {
  const { additions, deletions } = change;
  return {
    added: additions === null || additions === 0 ? '' : `+${additions.toLocaleString()}`,
    removed: deletions === null || deletions === 0 ? '' : `−${deletions.toLocaleString()}`,
  };
}

/** The sum over all files, in words. */
export function sumWords(files: readonly FileChange[]): string {
  const sum = (of: (change: FileChange) => number | null): number =>
    files.reduce((total, change) => total + (of(change) ?? 0), 0);
  return words.sum(
    files.length,
    sum((change) => change.additions),
    sum((change) => change.deletions),
  );
}
