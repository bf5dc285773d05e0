/** How git is reached. */
export interface WorktreeAccess {
  /** The user's environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/** How a run's worktree is reached. */
export interface OwnAccess extends WorktreeAccess {
  /** Worktrees that lie in another one are another core's, of whose folder this one is a copy. */
  readonly dataFolder: string;
}
