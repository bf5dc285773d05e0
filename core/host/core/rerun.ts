import { replaceOutputRefs } from '../../delegation/batch/output-refs.ts';
import { replaceInShell } from '../../delegation/batch/shell-refs.ts';
import { isClean } from '../../delegation/set-status.ts';
import { slotRuns, type ConversationTree } from '../../delegation/tree.ts';
import { isEnded } from '../../protocol/lifecycle.ts';
import type { BatchInput, Task, TaskInput } from '../../protocol/batch.ts';
import type { AgentDefinition } from '../../protocol/agents.ts';
import type { SetRow } from '../../protocol/rows.ts';

/**
 * The batch of a set, to be run again. `failed`: only the tasks whose latest run ended without ✓; what they take from the others is put in
 * as it was, since those do not run again (R10).
 */
export function batchOfSet(
  tree: ConversationTree,
  set: SetRow,
  only: 'all' | 'failed',
  agents: ReadonlyMap<string, AgentDefinition>,
): BatchInput {
  const slots = slotRuns(tree, set.delegation_id).flatMap((run) => {
    const facts = tree.facts.get(run.run_id);
    return facts === undefined ? [] : [{ run, facts }];
  });
  const chosen = slots.filter(({ run }) => only === 'all' || (isEnded(run.state) && !isClean(run)));
  const again = new Set(chosen.flatMap(({ facts }) => facts.task.id ?? []));
  const outputs = new Map(
    slots.flatMap(({ facts: { task, result } }) => {
      if (task.id === null || again.has(task.id) || result === null) return [];
      const { output, summary } = result;
      return [[task.id, output === undefined ? summary : JSON.stringify(output)]];
    }),
  );
  const outputOf = (id: string): string | undefined => outputs.get(id);
  const goalOf = ({ goal, agent }: Task): string =>
    isShellLine(agents.get(agent))
      ? replaceInShell(goal, outputOf, process.platform)
      : replaceOutputRefs(goal, outputOf);
  return {
    ...(set.title === null ? {} : { title: set.title }),
    ...(set.fail_fast ? { fail_fast: true } : {}),
    ...(set.tree_limits === undefined ? {} : { tree_limits: set.tree_limits }),
    tasks: chosen
      .map(({ facts: { task } }) => ({
        ...inputOf(task),
        goal: goalOf(task),
        ...(task.context === null ? {} : { context: replaceOutputRefs(task.context, outputOf) }),
        depends_on: task.depends_on.filter((id) => again.has(id)),
      }))
      .map(dropEmpty),
  };
}

/** A goal that a shell reads: what is put into it is one quoted word. */
function isShellLine(agent: AgentDefinition | undefined): boolean {
  return agent?.runner === 'command' && agent.command === undefined;
}

/** The task as it would be written. */
function inputOf(task: Task): TaskInput {
  return Object.fromEntries(Object.entries(task).filter(([, value]) => value !== null)) as TaskInput;
}

/** Without what says nothing: empty lists and defaults of the form. An empty `tools` is an opinion: none. */
function dropEmpty(task: TaskInput): TaskInput {
  const said = Object.entries(task).filter(([key, value]) => {
    if (key === 'tools') return true;
    if (Array.isArray(value)) return value.length > 0;
    return (
      value !== false &&
      !(key === 'retry' && value === 0) &&
      !(key === 'limits' && Object.keys(value as object).length === 0)
    );
  });
  return Object.fromEntries(said) as TaskInput;
}
