import { err } from '../../kit/result.ts';

/** Why something about a worktree could not be done. */
export type WorktreeErrorCode =
  /** Isolation cannot be had; the task fails before any model request (W2). */
  | 'git_missing'
  | 'not_a_repository'
  | 'bare_repository'
  | 'no_commits'
  | 'unknown_base'
  | 'folder_not_committed'
  | 'data_folder_inside_repository'
  | 'branch_blocked'
  | 'path_too_long'
  /** Git refused or could not be run to its end; the message has its words. */
  | 'git_failed'
  | 'aborted'
  /** What is about to be done could not be written down, so it was not begun. */
  | 'storage'
  /** Applying: both sides changed the same places. `paths` names them. */
  | 'conflict'
  /** Applying: the project has changes of its own in files that would be replaced. */
  | 'project_changed'
  /** Applying: a merge, rebase or the like is in progress in the project. */
  | 'busy'
  | 'nothing_to_apply'
  | 'not_linear'
  /** Removing: something in the worktree could not be kept by a ref. `paths` names it. */
  | 'would_lose';

/** An expected failure; `message` says what happened and names the way out. */
export interface WorktreeError {
  readonly code: WorktreeErrorCode;
  readonly message: string;
  /** Files or folders meant, from the top of the repository. */
  readonly paths?: readonly string[];
}

/** A failed result with that error. */
export function failure(code: WorktreeErrorCode, message: string, paths?: readonly string[]) {
  return err<WorktreeError>({ code, message, ...(paths === undefined ? {} : { paths }) });
}

/** The way out of every failed isolation (W2). */
export const WITHOUT_ISOLATION = 'or run the task with isolation none';
