/** How git is reached. */
export interface WorktreeAccess {
  /** The user's environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}
