import { useMemo } from 'react';
import type { Isolation } from '../../../core/protocol/settings.ts';
import { agentLabel } from '../../shared/agent-label.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { Select, type SelectOption } from '../../ui/select.tsx';
import type { TaskFields } from './draft.ts';
import { objectOf, textOf } from './task-fields.ts';
import type { World } from './world.ts';

const words = startStrings.batch;

/** The agent of a task; none of its own is that of the batch, else of the settings. */
export function AgentCell({
  number,
  value,
  head,
  world,
  wrong,
  onChange,
}: {
  readonly number: number;
  readonly value: string;
  readonly head: TaskFields;
  readonly world: World;
  readonly wrong: boolean;
  readonly onChange: (value: string) => void;
}) {
  const common = textOf(objectOf(head, 'defaults'), 'agent') || world.defaultAgent;
  const options = useMemo(() => {
    const all = world.agents.map((agent) => ({ value: agent.id, label: agentLabel(agent) }));
    // What holds for all is there once: as what the task says itself, or as what it leaves open.
    return value === common
      ? all
      : [
          { value: '', label: all.find((one) => one.value === common)?.label ?? common },
          ...all.filter((one) => one.value !== common),
        ];
  }, [common, value, world.agents]);
  return (
    <Select
      bare
      className="grow"
      part="agent"
      name={words.agent(number)}
      value={value}
      options={options}
      wrong={wrong}
      onChange={onChange}
    />
  );
}

/** The isolation of a task: a choice only where there is one. */
export function IsolationCell({
  number,
  value,
  isolations,
  common,
  wrong,
  onChange,
}: {
  readonly number: number;
  readonly value: string;
  readonly isolations: readonly Isolation[];
  /** What holds for a task that says nothing: of the batch, else of its agent. */
  readonly common: string;
  readonly wrong: boolean;
  readonly onChange: (value: string) => void;
}) {
  const known = (one: string): string => words.isolations[one] ?? one;
  if (isolations.length === 1 && common === 'none' && (value === '' || value === 'none')) {
    return <span className="text-ink-2">{known('none')}</span>;
  }
  const all: readonly SelectOption[] = isolations.map((one) => ({ value: one, label: known(one) }));
  // What holds for all is there once: as what the task says itself, or as what it leaves open.
  const options =
    value === common ? all : [{ value: '', label: known(common) }, ...all.filter((one) => one.value !== common)];
  return (
    <Select
      bare
      className="w-full"
      part="isolation"
      name={words.isolation(number)}
      value={value}
      options={options}
      wrong={wrong}
      onChange={onChange}
    />
  );
}
