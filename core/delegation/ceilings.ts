import type { AgentDefinition } from '../protocol/agents.ts';
import type { Task } from '../protocol/batch.ts';
import type { RunRow } from '../protocol/rows.ts';
import { profileOf } from '../protocol/profiles/agent-profiles.ts';
import { Permission } from '../protocol/settings.ts';
import type { Step } from './step.ts';
import { runsOfSet } from './tree.ts';

/** The lower of two permission modes (A1, K3). */
export function lowerPermission(a: Permission, b: Permission): Permission {
  const order = Permission.options;
  return order.indexOf(a) <= order.indexOf(b) ? a : b;
}

/** Intersection of two allow lists: null is no opinion, an empty list allows nothing (K3). */
export function intersectLists(a: readonly string[] | null, b: readonly string[] | null): string[] | null {
  if (a === null) return b === null ? null : [...b];
  return b === null ? [...a] : a.filter((name) => b.includes(name));
}

/** A child never gets more than its parent has: neither permissions nor tools (K3). */
export function under(step: Step, parent: RunRow, task: Task): Task {
  return {
    ...task,
    permission: lowerPermission(task.permission, parent.permission),
    tools: intersectLists(task.tools, ceilingOf(step, parent)),
  };
}

/** The tools that what runs below a run may have at most: those of its task and its agent, without those that it must not have. */
function ceilingOf({ tree, context }: Step, run: RunRow): string[] | null {
  const agent = context.agents.get(run.agent);
  const lists = intersectLists(tree.facts.get(run.run_id)?.task.tools ?? null, agent?.tools ?? null);
  const denied = agent?.disallowed_tools ?? [];
  const allowed = lists ?? (denied.length > 0 ? [...context.toolNames] : null);
  return allowed === null ? null : allowed.filter((tool) => !denied.includes(tool));
}

/** Why a run may not hand these tasks to these agents, or null (A1, K3, `once_per_child`). */
export function agentRefusal(step: Step, run: RunRow, tasks: readonly Task[]): string | null {
  const { agents } = step.context;
  const program = tasks.find((task) => runsProgram(agents, task));
  const what =
    program?.acceptance == null
      ? `the agent ${program?.agent ?? ''} runs a program`
      : 'its verify commands would run programs';
  if (program !== undefined && run.permission === 'plan') {
    return `Delegation refused: in the permission mode "plan" nothing is executed, and ${what}. Delegate to agents that read only, without acceptance. Nothing was started.`;
  }
  if (program !== undefined && ceilingOf(step, run)?.includes('bash') === false) {
    return `Delegation refused: this run may not use bash, and ${what}. Nothing was started.`;
  }
  const ceiling = ceilingOf(step, run);
  const unheld = ceiling === null ? undefined : tasks.find(({ agent }) => !canHoldTools(agents.get(agent)));
  if (unheld !== undefined) {
    return `Delegation refused: this run may use certain tools only, and the agent ${unheld.agent} cannot be held to them (K3). Nothing was started. Delegate to another agent, or do the work yourself.`;
  }
  return onceRefusal(step, run, agents.get(run.agent), tasks);
}

/** Whether a task has programs run that whoever wrote it chose: it is one, or they are to check its work (T4). */
function runsProgram(agents: ReadonlyMap<string, AgentDefinition>, { agent, acceptance }: Task): boolean {
  return acceptance !== null || agents.get(agent)?.runner === 'command';
}

/** Whether a ceiling of tools can be applied to an agent (K3, R11); a program has its own check. */
export function canHoldTools(agent: AgentDefinition | undefined): boolean {
  if (agent === undefined || (agent.runner !== 'acp' && agent.runner !== 'cli')) return true;
  const profile = profileOf(agent);
  return profile !== null && profile.ceiling.by !== 'unsupported';
}

/** An agent may be limited to one delegation per child agent. */
function onceRefusal(
  step: Step,
  run: RunRow,
  agent: AgentDefinition | undefined,
  tasks: readonly Task[],
): string | null {
  if (agent?.once_per_child !== true) return null;
  const earlier = (step.tree.childSets.get(run.run_id) ?? []).flatMap((id) => runsOfSet(step.tree, id));
  const again = tasks.find((task) => earlier.some((child) => child.agent === task.agent));
  if (again === undefined) return null;
  return `Delegation refused: the agent ${agent.id} may delegate to each agent once (once_per_child), and it has delegated to ${again.agent} before. Nothing was started. Use what you were told, or do the rest yourself.`;
}
