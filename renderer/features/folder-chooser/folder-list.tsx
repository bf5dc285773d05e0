import { useEffect, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import type { FolderListing } from '../../../core/protocol/contract.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { Icon } from '../../ui/icon.tsx';
import { placeOfKey, placeOfTyping } from './list-keys.ts';

const words = startStrings.folder;
/** Letters typed within this time are one word. */
const TYPING_MS = 700;

/** The folders in a folder. Arrows choose, Enter opens, Backspace goes up, letters jump to a name. */
export function FolderList({
  ref,
  listing,
  busy,
  onOpen,
}: {
  readonly ref: Ref<HTMLDivElement>;
  readonly listing: FolderListing | null;
  readonly busy: boolean;
  readonly onOpen: (path: string) => void;
}) {
  const entries = listing?.entries ?? [];
  const [chosen, setChosen] = useState({ path: '', place: 0 });
  const typed = useRef({ text: '', at: 0 });
  const place = chosen.path === listing?.path ? Math.min(chosen.place, Math.max(0, entries.length - 1)) : 0;
  const box = useRef<HTMLUListElement>(null);
  useEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [place, listing?.path]);
  const choose = (next: number): void => setChosen({ path: listing?.path ?? '', place: next });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const entry = entries[place];
    if ((event.key === 'Enter' || event.key === 'ArrowRight') && entry !== undefined) onOpen(entry.path);
    else if ((event.key === 'Backspace' || event.key === 'ArrowLeft') && listing?.parent != null)
      onOpen(listing.parent);
    else {
      const now = event.timeStamp;
      if (event.key.length === 1) {
        const text = now - typed.current.at < TYPING_MS ? typed.current.text + event.key : event.key;
        typed.current = { text, at: now };
      }
      const next =
        event.key.length === 1
          ? placeOfTyping(
              entries.map(({ name }) => name),
              place,
              typed.current.text,
            )
          : placeOfKey(event.key, place, entries.length);
      if (next === null) return;
      choose(next);
    }
    event.preventDefault();
  };
  return (
    <div
      ref={ref}
      className="folder-list"
      tabIndex={-1}
      aria-busy={busy}
      onFocus={(event) => event.target === event.currentTarget && box.current?.focus()}
    >
      <ul
        ref={box}
        role="listbox"
        aria-label={words.list}
        tabIndex={0}
        aria-activedescendant={entries.length > 0 ? `folder-${place}` : undefined}
        autoFocus
        onKeyDown={onKeyDown}
      >
        {entries.map(({ name, path, git }, at) => (
          <li
            key={path}
            id={`folder-${at}`}
            role="option"
            aria-selected={at === place}
            className="folder-entry"
            title={name}
            onClick={() => choose(at)}
            onDoubleClick={() => onOpen(path)}
          >
            <Icon name="folder" />
            <span className="el">{name}</span>
            {git && <span className="text-11 text-ink-3">{words.git}</span>}
            <span className="folder-open" aria-hidden onClick={() => onOpen(path)}>
              <Icon name="right" />
            </span>
          </li>
        ))}
      </ul>
      {listing === null && busy && <p className="px-4 py-2 text-ink-3">{words.loading}</p>}
      {listing !== null && entries.length === 0 && <p className="px-4 py-2 text-ink-3">{words.empty}</p>}
      {listing?.truncated === true && <p className="px-4 py-2 text-ink-3">{words.truncated}</p>}
    </div>
  );
}
