import { useMemo, useState } from 'react';
import { startStrings } from '../../shared/start-strings.ts';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { modelNames } from './model-names.ts';
import type { Effective, World } from './world.ts';

const words = startStrings.batch;
/** No model has a name like this. */
const OTHER = '\u0000other';

function byDefault(run: Effective, own: string, names: ReadonlyMap<string, string>): string {
  if (own === '' && run.model !== null) return names.get(run.model) ?? run.model;
  // Nothing can be said of an agent that nobody knows.
  if (run.definition === null) return words.nothingBefore;
  if (run.definition.runner === 'builtin') return words.noModelChosen;
  return run.definition.model ?? words.ownModel;
}

/** The model of a task: of those that are set up, or another by its name. */
export function ModelCell({
  number,
  run,
  value,
  world,
  wrong,
  onChange,
}: {
  readonly number: number;
  readonly run: Effective;
  readonly value: string;
  readonly world: World;
  readonly wrong: boolean;
  readonly onChange: (value: string) => void;
}) {
  const [typing, setTyping] = useState(false);
  const names = useMemo(() => modelNames(world.models.map(({ ref }) => ref)), [world.models]);
  if (run.command) return <span className="text-ink-3">{words.noModel}</span>;
  if (typing) {
    return (
      <input
        className="field w-full"
        data-part="model"
        aria-label={words.model(number)}
        autoFocus
        defaultValue={value}
        onBlur={(event) => {
          setTyping(false);
          onChange(event.target.value.trim());
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
    );
  }
  const builtin = run.definition === null || run.definition.runner === 'builtin';
  const offered = builtin ? world.models.filter(({ has_key }) => has_key) : [];
  const options: SelectOption[] = [
    { value: '', label: byDefault(run, value, names) },
    ...offered.map(({ ref }) => ({ value: ref, label: names.get(ref) ?? ref })),
    { value: OTHER, label: words.otherModel },
  ];
  return (
    <Select
      bare
      className="w-full"
      part="model"
      name={words.model(number)}
      value={value}
      options={options}
      wrong={wrong}
      onChange={(next) => {
        if (next === OTHER) setTyping(true);
        else onChange(next);
      }}
    />
  );
}
