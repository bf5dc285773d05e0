const turns = new Map<string, Promise<unknown>>();

/**
 * Runs `work` when nothing else of this process changes the list of worktrees of that repository: git reads the whole list on every
 * change of it, and fails on an entry that another git is just writing.
 */
export async function inTurn<T>(commonDir: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(commonDir) ?? Promise.resolve();
  const turn = before.then(work, work);
  const settled = turn.then(
    () => undefined,
    () => undefined,
  );
  turns.set(commonDir, settled);
  try {
    return await turn;
  } finally {
    if (turns.get(commonDir) === settled) turns.delete(commonDir);
  }
}
