import { useEffect, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import type { FolderListing } from '../../../core/protocol/api/projects.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { Icon } from '../../ui/icon.tsx';
import { placeOfKey, placeOfTyping } from './list-keys.ts';

const words = startStrings.folder;
/** Letters typed within this time are one word. */
const TYPING_MS = 700;

/** The chosen place, kept for the folder that it was chosen in; another begins at its top. */
function useChosen(listing: FolderListing | null): readonly [number, (place: number) => void] {
  const [chosen, setChosen] = useState({ path: '', place: 0 });
  const last = Math.max(0, (listing?.entries.length ?? 0) - 1);
  const place = chosen.path === listing?.path ? Math.min(chosen.place, last) : 0;
  return [place, (next) => setChosen({ path: listing?.path ?? '', place: next })];
}

/** What a key does in the list: opens a folder, chooses one, or nothing. */
function useListKeys(
  listing: FolderListing | null,
  place: number,
  choose: (place: number) => void,
  onOpen: (path: string) => void,
): (event: KeyboardEvent) => void {
  const typed = useRef({ text: '', at: 0 });
  const names = listing?.entries.map(({ name }) => name) ?? [];
  const nextPlace = (event: KeyboardEvent): number | null => {
    if (event.key.length !== 1) return placeOfKey(event.key, place, names.length);
    const before = event.timeStamp - typed.current.at < TYPING_MS ? typed.current.text : '';
    typed.current = { text: before + event.key, at: event.timeStamp };
    return placeOfTyping(names, place, typed.current.text);
  };
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const opened = folderOfKey(event.key, listing, place);
    const next = opened === null ? nextPlace(event) : null;
    if (opened !== null) onOpen(opened);
    else if (next !== null) choose(next);
    else return;
    event.preventDefault();
  };
}

/** The folder that Enter or an arrow opens. */
function folderOfKey(key: string, listing: FolderListing | null, place: number): string | null {
  if (key === 'Enter' || key === 'ArrowRight') return listing?.entries[place]?.path ?? null;
  return key === 'Backspace' || key === 'ArrowLeft' ? (listing?.parent ?? null) : null;
}

function Notes({ listing, busy }: { readonly listing: FolderListing | null; readonly busy: boolean }) {
  const note =
    listing === null
      ? busy && words.loading
      : listing.truncated
        ? words.truncated
        : listing.entries.length === 0 && words.empty;
  return note === false ? null : <p className="px-4 py-2 text-ink-3">{note}</p>;
}

interface FolderListProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly listing: FolderListing | null;
  readonly busy: boolean;
  readonly onOpen: (path: string) => void;
}

/** The folders in a folder. Arrows choose, Enter opens, Backspace goes up, letters jump to a name. */
export function FolderList({ ref, listing, busy, onOpen }: FolderListProps) {
  const [place, choose] = useChosen(listing);
  const onKeyDown = useListKeys(listing, place, choose, onOpen);
  const box = useRef<HTMLUListElement>(null);
  const shown = listing !== null;
  useEffect(() => {
    box.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [place, listing]);
  useEffect(() => {
    // Once: what is typed into the path meanwhile keeps the focus.
    if (shown) box.current?.focus();
  }, [shown]);
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
        aria-activedescendant={listing?.entries.length ? `folder-${place}` : undefined}
        onKeyDown={onKeyDown}
      >
        {listing?.entries.map(({ name, path, git }, at) => (
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
      <Notes listing={listing} busy={busy} />
    </div>
  );
}
