import type { Assignment } from '../../../protocol/frames.ts';
import { ok } from '../../../kit/result.ts';
import { DELEGATE, DELEGATE_INPUT } from '../../../protocol/delegate-tool.ts';
import { actionOf, tasksOf } from '../../../mcp/delegate-call.ts';
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
