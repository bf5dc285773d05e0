import { DELEGATE } from '../../../protocol/delegate-tool.ts';
import type { Assignment } from '../../../protocol/frames.ts';
import { isSchema } from '../../structured-output.ts';
import { BUILTIN_TOOLS } from '../tools/builtin-tools.ts';
import { permissionFor } from '../tools/permission.ts';
import type { Tool } from '../tools/tool.ts';
import { delegateTool } from './delegate-tool.ts';
import { reportTool } from './report-tool.ts';

/** Tools that only serve another one: who may use that one may use them. */
const COMPANION_OF: Readonly<Record<string, string>> = { bash_output: 'bash', bash_list: 'bash', bash_kill: 'bash' };

/**
 * The tools that a run is offered, in one order for all runs (byte-stable, K1): what the agent's and the task's lists allow (lists intersect,
 * absent is no opinion, empty is nothing, K3) and its permission mode can ever allow (A1). `report_result` is there exactly when a schema is.
 */
export function offeredTools(assignment: Assignment, more: readonly Tool[] = []): readonly Tool[] {
  const delegate = delegateTool(assignment.delegate);
  const tools = [...BUILTIN_TOOLS, ...(delegate === null ? [] : [delegate]), ...more].filter((tool) =>
    isOffered(tool, assignment),
  );
  const { output_schema } = assignment;
  return isSchema(output_schema) ? [...tools, reportTool(output_schema)] : tools;
}

function isOffered(tool: Tool, { agent, tools, permission }: Assignment): boolean {
  const name = COMPANION_OF[tool.name] ?? tool.name;
  const lists = (list: readonly string[] | null | undefined): boolean =>
    list?.includes(name) === true || list?.includes(tool.name) === true;
  if (agent.tools !== undefined && !lists(agent.tools)) return false;
  if (tools !== null && !lists(tools)) return false;
  if (lists(agent.disallowed_tools)) return false;
  if (permission !== 'plan' || tool.name === DELEGATE) return true;
  return tool.readOnly && name === tool.name && permissionFor(tool, permission) === 'free';
}
