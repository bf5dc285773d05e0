import { useState } from 'react';

/** A number as people type it: `1.5`, `1,5`; null when it is none. */
function readNumber(text: string): number | null {
  const number = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(number) ? null : number;
}

/** A number that may be left out. What is no number stays in the field, marked, and changes nothing. */
export function NumberField({
  name,
  value,
  placeholder,
  onChange,
  wrong = false,
  autoFocus = false,
  className = '',
}: {
  /** The accessible name. */
  readonly name: string;
  readonly value: number | null;
  readonly placeholder?: string;
  readonly onChange: (value: number | null) => void;
  readonly wrong?: boolean;
  readonly autoFocus?: boolean;
  readonly className?: string;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? (value === null ? '' : String(value));
  const unreadable = text.trim() !== '' && readNumber(text) === null;
  return (
    <input
      className={`field num ${unreadable || wrong ? 'text-bad-text' : ''} ${className}`}
      aria-label={name}
      aria-invalid={unreadable || wrong || undefined}
      inputMode="decimal"
      placeholder={placeholder}
      value={text}
      autoFocus={autoFocus}
      onChange={(event) => {
        setTyped(event.target.value);
        const number = readNumber(event.target.value);
        if (number !== null || event.target.value.trim() === '') onChange(number);
      }}
      onBlur={() => {
        setTyped(null);
      }}
    />
  );
}
