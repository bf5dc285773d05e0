/** The tool through which a run starts and controls runs below it; the core carries it out. */
export const DELEGATE = 'delegate_task';

/** The answer of its action `wait` to a caller that has everything. */
export const NOTHING_TO_WAIT_FOR = 'There is nothing to wait for: no delegation is open, and you have all results.';

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

/** JSON Schema of the delegate tool's arguments: the same for our loop and for agents that are given the tool over MCP. */
export const DELEGATE_INPUT = {
  type: 'object' as const,
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
