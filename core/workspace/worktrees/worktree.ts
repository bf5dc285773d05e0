/** A worktree of one run (W1). Plain data: it is stored with the run. */
export interface Worktree {
  readonly run_id: string;
  /** Its folder, below the data folder. */
  readonly path: string;
  /** Where the run works: the project's folder within the worktree; `path` itself unless the project is a folder of a repository. */
  readonly folder: string;
  readonly branch: string;
  readonly base_commit: string;
  /** Top of the project's own checkout. */
  readonly repository: string;
  /** What the user should know of it: empty submodules, pointer files, files that were not copied. */
  readonly notes: readonly string[];
}

/** How git is reached. */
export interface WorktreeAccess {
  /** The user's environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}
