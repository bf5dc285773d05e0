type Arguments = Readonly<Record<string, unknown>>;

/** What a call of the delegate tool does. */
export function actionOf(args: Arguments): string {
  return typeof args['action'] === 'string' ? args['action'].trim().toLowerCase() : 'spawn';
}

/** Whether the call returns only when children have ended; the run then waits for them and holds no place (R1). */
export function waitsForChildren(args: Arguments, waitByDefault: boolean): boolean {
  const action = actionOf(args);
  if (action !== 'spawn') return action === 'wait';
  return waitOf(args['wait']) ?? waitByDefault;
}

/** What `wait` says, as text too, since models write it so; null when it says nothing, undefined when it says something else. */
export function waitOf(written: unknown): boolean | null | undefined {
  if (written == null || typeof written === 'boolean') return written ?? null;
  const word = typeof written === 'string' ? written.trim().toLowerCase() : '';
  return word === 'true' || word === 'false' ? word === 'true' : undefined;
}

/**
 * Whether the call has something run that the model chose and no tool call shows: a task that is a program, or commands that check its work (T4). It
 * asks like `bash` (A1). `commands`: agents that run such programs; null among them when the agent of a task that names none does.
 */
export function startsCommand(args: Arguments, commands: readonly (string | null)[]): boolean {
  if (actionOf(args) !== 'spawn') return false;
  const { defaults } = args;
  const tasks = tasksOf(args);
  if ([args, defaults, ...tasks].some(hasChecks)) return true;
  // As the core reads it: what a task says itself comes before the defaults, also where it is the only one.
  const named = (tasks.length === 0 ? [args] : tasks).map((task) => agentOf(task) ?? agentOf(defaults));
  return named.some((agent) => commands.includes(agent));
}

/** Whether it names commands that are to check the work. */
function hasChecks(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as { acceptance?: unknown }).acceptance != null;
}

/** The agent that a task names, as its name will be read. */
function agentOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { agent } = value as { agent?: unknown };
  return typeof agent === 'string' && agent.trim() !== '' ? agent.trim() : null;
}

/** The tasks of a call, as they were written. */
export function tasksOf(args: Arguments): unknown[] {
  const { tasks } = args;
  if (Array.isArray(tasks)) return tasks;
  if (typeof tasks !== 'string') return [];
  try {
    const parsed: unknown = JSON.parse(tasks);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return []; // The core says what is wrong with it.
  }
}
