import type { Assignment } from '../../protocol/frames.ts';
import { FENCE_RULE, fence } from '../../workspace/fences/fence.ts';

const CONTRACT =
  'End with a message that calls no tool. Only this last message reaches whoever gave you the task, and they have not seen your work: say what you did and found, which files changed, which checks you ran and how they came out, and what is left open. If you could not do the task, say so in its first sentence, and why.';

/**
 * The first message to an agent with rules of its own (K1): what is ours of them, the context as data (K2), and the goal last. Project instructions
 * are left out: such agents read them by themselves.
 */
export function agentPrompt(assignment: Assignment, offersReport: boolean): string {
  const { agent, lead, goal } = assignment;
  if (lead) return sections([agent.prompt?.trim(), goal]);
  return sections([
    agent.prompt?.trim(),
    workspaceRule(assignment),
    CONTRACT,
    outputContract(assignment.output_schema, offersReport),
    taskContext(assignment),
    `The task:\n${goal}`,
  ]);
}

function sections(parts: readonly (string | undefined | null)[]): string {
  return parts.filter((part) => part != null && part !== '').join('\n\n');
}

function workspaceRule({ isolated, permission }: Assignment): string {
  const where = isolated
    ? 'This folder is a git worktree and branch of your own. You may commit there; never switch branches or touch other worktrees.'
    : 'Others may work in the same folder at the same time: touch only what your task needs.';
  return permission === 'plan' ? `${where} You may look but change nothing: answer with findings or a plan.` : where;
}

function outputContract(schema: unknown, offersReport: boolean): string | null {
  if (schema === null || schema === undefined) return null;
  return offersReport
    ? 'This task asks for structured output: when everything else is done, call the tool report_result once, with arguments that match its schema.'
    : `This task asks for structured output: end your last message with one JSON value in a fenced block that matches this JSON Schema:\n${JSON.stringify(schema)}`;
}

function taskContext({ context, files, images }: Assignment): string | null {
  const named = [...files, ...images];
  const parts: string[] = [];
  if (context !== null && context.trim() !== '') parts.push(`Context of the task:\n${fence('task_context', context)}`);
  if (named.length > 0) {
    const list = named.map((path) => `- ${path}`).join('\n');
    parts.push(`Files that the task names; read them as needed:\n${fence('task_context', list)}`);
  }
  return parts.length === 0 ? null : [FENCE_RULE, ...parts].join('\n\n');
}
