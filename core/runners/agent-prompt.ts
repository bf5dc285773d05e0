import type { Assignment } from '../protocol/frames.ts';
import { REPORT } from '../protocol/report-tool.ts';
import { FENCE_RULE, fence, neutralise } from '../workspace/fences/fence.ts';

const WORKER_CONTRACT =
  'When you are done, end with a message that stands on its own: only this last message reaches whoever gave you the task. Say what you did and found, which files changed, which checks you ran and how they came out, and what is left open. If you could not do the task, say so in its first sentence, and why.';

const LEAD_CONTRACT =
  'End each turn with an answer that says what was done and what is open. Results of delegations in the background reach you as messages of their own: do not wait for them.';

const PLAN = 'You may look but change nothing and run nothing that changes anything. Answer with findings or a plan.';

const ISOLATED =
  'This folder is a git worktree of your own on a branch of your own. You may commit there; never switch branches or touch other worktrees.';

/** What the person or the agent's definition adds to what an agent outside of us knows by itself, before the goal (K1, K2). */
function agentPreface(assignment: Assignment): string {
  const { agent, lead, permission, isolated, output_schema, context, files } = assignment;
  const sections = [
    agent.prompt?.trim() ?? '',
    isolated ? ISOLATED : '',
    permission === 'plan' ? PLAN : '',
    lead ? LEAD_CONTRACT : WORKER_CONTRACT,
    output_schema === null ? '' : outputContract(output_schema),
    context !== null && context.trim() !== '' ? `Context of the task:\n${fence('task_context', context)}` : '',
    files.length > 0
      ? `Files that the task names:\n${fence('task_context', files.map((path) => `- ${path}`).join('\n'))}`
      : '',
  ];
  const data = sections.slice(5).some((section) => section !== '');
  return [...sections, data ? FENCE_RULE : ''].filter((section) => section !== '').join('\n\n');
}

/** The task as an agent outside of us gets it: what holds for it, then the goal. */
export function agentPrompt(assignment: Assignment): string {
  return `${agentPreface(assignment)}\n\nThe task:\n${neutralise(assignment.goal)}`;
}

function outputContract(schema: unknown): string {
  return `This task asks for structured output. When everything else is done, hand it over by calling the tool ${REPORT} of the MCP server "espalier" once. If you do not have that tool, end your last message with the output as JSON in a code block. It must match this JSON Schema:\n${JSON.stringify(schema)}`;
}

/** One more turn for an output that was not accepted (P8): the errors, and both ways to give it. */
export function repairPrompt(errors: readonly string[]): string {
  return `The structured output was not accepted:\n${errors.map((error) => `- ${error}`).join('\n')}\nGive it once more, whole and corrected: call ${REPORT}, or answer with nothing but the JSON in a code block.`;
}
