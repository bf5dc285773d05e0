import { formatCount } from '../shared/format.ts';
import type { KeyboardEvent, ReactNode } from 'react';

export interface TabItem<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** A count after the label. */
  readonly count?: number;
  /** Something else after the label. */
  readonly end?: ReactNode;
}

/** The place that an arrow, Home or End key leads to among `length` places, or null for another key. */
export function placeAfterKey(key: string, place: number, length: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (place + 1) % length;
    case 'ArrowLeft':
      return (place + length - 1) % length;
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    default:
      return null;
  }
}

/** A row of tabs; the panel beside it carries `role="tabpanel"` and `id={panelId}`. */
export function Tabs<Id extends string>({
  name,
  items,
  selected,
  onSelect,
  panelId,
  children,
}: {
  readonly name: string;
  readonly items: readonly TabItem<Id>[];
  readonly selected: Id;
  readonly onSelect: (id: Id) => void;
  readonly panelId: string;
  /** Controls at the right end. */
  readonly children?: ReactNode;
}) {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const place = items.findIndex((item) => item.id === selected);
    const next = placeAfterKey(event.key, place, items.length);
    const item = next === null ? undefined : items[next];
    if (item === undefined || next === null) return;
    event.preventDefault();
    onSelect(item.id);
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <div className="flex flex-none border-b border-line">
      <div role="tablist" aria-label={name} className="tabs grow border-b-0" onKeyDown={onKeyDown}>
        {items.map((item) => (
          <button
            key={item.id}
            type="button"
            role="tab"
            aria-selected={item.id === selected}
            aria-controls={panelId}
            tabIndex={item.id === selected ? 0 : -1}
            onClick={() => {
              onSelect(item.id);
            }}
          >
            {item.label}
            {item.count !== undefined && <span className="ml-1 font-reg text-ink-3">{formatCount(item.count)}</span>}
            {item.end}
          </button>
        ))}
      </div>
      {children}
    </div>
  );
}
