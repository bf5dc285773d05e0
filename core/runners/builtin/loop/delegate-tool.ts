import type { Assignment } from '../../../protocol/frames.ts';
import { ok } from '../../../kit/result.ts';
import { DELEGATE, DELEGATE_INPUT } from '../../../protocol/delegate-tool.ts';
import type { Tool } from '../tools/tool.ts';

/** The delegate tool with the limits in force in its description (K6), or null when the run may not delegate (R2). */
export function delegateTool(delegate: Assignment['delegate']): Tool | null {
  if (delegate === null) return null;
  return {
    name: DELEGATE,
    description: delegate.description,
    inputSchema: DELEGATE_INPUT,
    readOnly: false,
    permission: 'free',
    check: ok,
    describe,
    run: () => Promise.reject(new Error(`${DELEGATE} is carried out by the core`)),
  };
}

/** What a run at the depth cap is told when it delegates all the same (R2); null for one that may. */
export function delegationRefusal({ delegate, depth }: Assignment): string | null {
  if (delegate !== null) return null;
  return `Delegation refused: this run is at depth ${depth}, and the depth cap (setting limits.maxDepth) is ${depth}. Do the work yourself.`;
}

type Arguments = Readonly<Record<string, unknown>>;

function actionOf(args: Arguments): string {
  return typeof args['action'] === 'string' ? args['action'].trim().toLowerCase() : 'spawn';
}

/** Whether the call returns only when children have ended; the run then waits for them and holds no place (R1). */
export function waitsForChildren(args: Arguments, waitByDefault: boolean): boolean {
  if (actionOf(args) !== 'spawn') return false;
  return typeof args['wait'] === 'boolean' ? args['wait'] : waitByDefault;
}

/**
 * Whether the call asks for a task that is a program of the model's choice, which asks like `bash` (A1). `commands`: agents that run such
 * programs; null among them when the agent of a task that names none does.
 */
export function startsCommand(args: Arguments, commands: readonly (string | null)[]): boolean {
  if (actionOf(args) !== 'spawn') return false;
  const shared = agentOf(args['defaults']) ?? agentOf(args);
  const tasks = tasksOf(args);
  const named = tasks.length === 0 ? [shared] : tasks.map((task) => agentOf(task) ?? shared);
  return named.some((agent) => commands.includes(agent));
}

/** The agent that a task names, as its name will be read. */
function agentOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { agent } = value as { agent?: unknown };
  return typeof agent === 'string' && agent.trim() !== '' ? agent.trim() : null;
}

function tasksOf(args: Arguments): unknown[] {
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

function describe(args: Arguments): string {
  const action = actionOf(args);
  const run = typeof args['run_id'] === 'string' ? args['run_id'].slice(0, 40) : '';
  if (action === 'list') return 'Listing runs below';
  if (action === 'steer') return `Steering ${run}`;
  if (action === 'stop') return `Stopping ${run}`;
  if (action === 'answer') return `Answering ${run}`;
  const count = tasksOf(args).length;
  return count > 1 ? `Delegating ${count} tasks` : 'Delegating a task';
}
