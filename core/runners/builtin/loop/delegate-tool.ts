import type { Assignment } from '../../../protocol/frames.ts';
import { ok } from '../../../kit/result.ts';
import type { InputSchema, Tool } from '../tools/tool.ts';

/** The tool through which a run starts and controls runs below it; the core carries it out. */
export const DELEGATE = 'delegate_task';

const text = (description: string) => ({ type: 'string', description });
const LIMIT = { type: 'number', exclusiveMinimum: 0 };

const TASK = {
  type: 'object',
  properties: {
    goal: text('what to do, complete in itself: the agent sees nothing of this conversation'),
    id: text('name for depends_on'),
    label: text('a few words for people'),
    context: text('facts, findings and constraints that the agent needs'),
    agent: text('name of an agent; the default one if left out'),
    model: text('<provider>/<model>, only if one was asked for'),
    effort: { type: 'string', enum: ['low', 'medium', 'high'] },
    output_schema: { type: 'object', description: 'JSON Schema of the answer' },
    files: { type: 'array', items: { type: 'string' } },
    tools: { type: 'array', items: { type: 'string' }, description: 'the only tools it may use' },
    isolation: { type: 'string', enum: ['none', 'worktree'] },
    permission: { type: 'string', enum: ['plan', 'ask', 'edit', 'auto'] },
    limits: {
      type: 'object',
      properties: {
        max_turns: { type: 'integer', minimum: 1 },
        max_tool_calls: { type: 'integer', minimum: 1 },
        max_cost_usd: LIMIT,
        max_tokens: { type: 'integer', minimum: 1 },
        timeout_seconds: LIMIT,
      },
    },
    depends_on: { type: 'array', items: { type: 'string' }, description: 'ids of tasks that must be completed first' },
  },
  required: ['goal'],
};

const INPUT: InputSchema = {
  type: 'object',
  properties: {
    action: {
      type: 'string',
      enum: ['spawn', 'list', 'steer', 'stop', 'answer'],
      description: 'spawn (default) starts tasks; the others act on runs below you',
    },
    tasks: { type: 'array', items: TASK, description: 'spawn: the tasks of one set, run side by side' },
    goal: text('spawn: a single task instead of tasks'),
    context: text('spawn: context of the single task'),
    agent: text('spawn: agent of the single task'),
    title: text('spawn: title of the set'),
    max_concurrent: { type: 'integer', minimum: 1 },
    fail_fast: { type: 'boolean', description: 'spawn: start no further task after a failure' },
    wait: { type: 'boolean', description: 'spawn: true returns the results, false goes on and reports them later' },
    run_id: text('steer, stop, answer: the run'),
    message: text('steer: what to tell it; answer: the answer to what it asked'),
  },
  required: [],
  // The core checks the batch as a whole and says what is wrong with it (S1), better than a schema could.
  additionalProperties: true,
};

/** The delegate tool with the limits in force in its description (K6), or null when the run may not delegate (R2). */
export function delegateTool(delegate: Assignment['delegate']): Tool | null {
  if (delegate === null) return null;
  return {
    name: DELEGATE,
    description: delegate.description,
    inputSchema: INPUT,
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
