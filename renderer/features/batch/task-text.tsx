import type { ClipboardEvent, KeyboardEvent } from 'react';
import type { RowPart } from './row-focus.ts';

const MOST_LINES = 12;

/** A text of a row: one line until it has the focus, then all of it. */
export function TaskText({
  part,
  name,
  value,
  placeholder,
  wrong = false,
  className = '',
  describedBy,
  onChange,
  onKeyDown,
  onPaste,
}: {
  readonly part: RowPart;
  readonly name: string;
  readonly value: string;
  readonly placeholder: string;
  readonly wrong?: boolean;
  readonly className?: string;
  readonly describedBy?: string;
  readonly onChange: (value: string) => void;
  readonly onKeyDown?: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  readonly onPaste?: (event: ClipboardEvent<HTMLTextAreaElement>) => void;
}) {
  return (
    <textarea
      className={`task-text ${wrong ? 'is-wrong' : ''} ${className}`}
      dir="auto"
      data-part={part}
      aria-label={name}
      aria-invalid={wrong || undefined}
      aria-describedby={describedBy}
      placeholder={placeholder}
      // For browsers without `field-sizing`.
      rows={Math.min(MOST_LINES, value.split('\n', MOST_LINES).length)}
      spellCheck={false}
      value={value}
      onChange={(event) => {
        onChange(event.target.value);
      }}
      onBlur={(event) => {
        event.target.scrollTo(0, 0);
      }}
      onKeyDown={onKeyDown}
      onPaste={onPaste}
    />
  );
}
