import type { Ref } from 'react';
import { Icon } from './icon.tsx';
import './select.css';

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
}

export interface SelectProps {
  /** The accessible name. */
  readonly name: string;
  readonly value: string;
  readonly options: readonly SelectOption[];
  readonly onChange: (value: string) => void;
  /** Without an outline: for a cell of a table. */
  readonly bare?: boolean;
  readonly wrong?: boolean;
  readonly disabled?: boolean;
  readonly className?: string;
  readonly describedBy?: string;
  /** Marks the element for a place that gives it the focus: `data-part`. */
  readonly part?: string;
  readonly ref?: Ref<HTMLSelectElement>;
}

/**
 * One choice of several, on the platform's own element: light enough for a thousand rows. A value that is not among the
 * options is shown as it is.
 */
export function Select(props: SelectProps) {
  const { name, value, options, onChange, bare = false, wrong = false, disabled, className = '', ref } = props;
  const known = options.some((option) => option.value === value);
  const shown = known ? options : [{ value, label: value }, ...options];
  return (
    <span className={`select ${bare ? 'select-bare' : ''} ${wrong ? 'select-wrong' : ''} ${className}`}>
      <select
        ref={ref}
        aria-label={name}
        aria-invalid={wrong || undefined}
        aria-describedby={props.describedBy}
        data-part={props.part}
        title={shown.find((option) => option.value === value)?.label}
        value={value}
        disabled={disabled}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      >
        {shown.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  );
}
