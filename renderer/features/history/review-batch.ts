import type { AgentDefinition } from '../../../core/protocol/agents.ts';
import { agentLabel } from '../../shared/agent-label.ts';
import { workStrings } from '../../shared/work-strings.ts';
import type { SelectOption } from '../../ui/select.tsx';

type Agent = Pick<AgentDefinition, 'id' | 'runner'> & { readonly installed?: boolean | null };

/** Who can review: a program cannot read what was done. */
export function reviewers(agents: readonly Agent[]): readonly SelectOption[] {
  const able = agents.filter(({ runner }) => runner !== 'command');
  return able.map((agent) => ({ value: agent.id, label: agentLabel(agent) }));
}

/** The models to choose from for an agent; an external one knows its own. */
export function modelsFor(
  agents: readonly Agent[],
  models: readonly { readonly ref: string; readonly has_key: boolean }[],
  agent: string,
): readonly SelectOption[] {
  const own = { value: '', label: workStrings.review.ownModel };
  const runner = agents.find(({ id }) => id === agent)?.runner;
  if (runner !== 'builtin') return [own];
  return [own, ...models.filter(({ has_key }) => has_key).map(({ ref }) => ({ value: ref, label: ref }))];
}

/** The batch of a review with what the person wants looked at in particular. */
export function withWish(batch: unknown, wish: string): unknown {
  const said = wish.trim();
  if (said === '' || typeof batch !== 'object' || batch === null || !('tasks' in batch)) return batch;
  if (!Array.isArray(batch.tasks)) return batch;
  const tasks = batch.tasks.map((task: unknown) =>
    typeof task === 'object' && task !== null && 'goal' in task && typeof task.goal === 'string'
      ? { ...task, goal: `${task.goal}\n\nLook at this in particular: ${said}` }
      : task,
  );
  return { ...batch, tasks };
}
