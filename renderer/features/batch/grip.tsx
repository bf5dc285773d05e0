import type { PointerEvent } from 'react';
import { startStrings } from '../../shared/start-strings.ts';

const words = startStrings.batch;

/** The handle that moves a row: by dragging, or with Alt and an arrow key. */
export function Grip({
  number,
  onPointerDown,
}: {
  readonly number: number;
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
}) {
  return (
    <button
      type="button"
      className="task-grip"
      data-part="grip"
      aria-label={words.move(number)}
      title={words.moveHint}
      onPointerDown={onPointerDown}
    >
      <svg
        width="16"
        height="16"
        viewBox="0 0 16 16"
        stroke="currentColor"
        strokeLinecap="round"
        strokeWidth="1.8"
        aria-hidden
      >
        <path d="M6 4.5h.01M6 8h.01M6 11.5h.01M10 4.5h.01M10 8h.01M10 11.5h.01" />
      </svg>
    </button>
  );
}
