import type { KeyboardEvent } from 'react';
import { placeAfterKey } from './tabs.tsx';

/** One choice of a few that are all in sight; arrow keys choose. */
export function Segmented<Value extends string>({
  name,
  value,
  options,
  onChange,
}: {
  readonly name: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}) {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const here = options.findIndex((option) => option.value === value);
    const key = { ArrowDown: 'ArrowRight', ArrowUp: 'ArrowLeft' }[event.key] ?? event.key;
    const place = placeAfterKey(key, here, options.length);
    const next = place === null ? undefined : options[place];
    if (place === null || next === undefined) return;
    event.preventDefault();
    onChange(next.value);
    event.currentTarget.querySelectorAll<HTMLElement>('[role="radio"]')[place]?.focus();
  };
  return (
    <div role="radiogroup" aria-label={name} className="segmented" onKeyDown={onKeyDown}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          onClick={() => {
            onChange(option.value);
          }}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
