import { useEffect, useRef } from 'react';
import { runStrings } from '../../shared/run-strings.ts';
import { IconButton } from '../../ui/button.tsx';
import type { Find } from './use-find.ts';

/** The field to find in the transcript, with the matches counted. Enter goes on, Shift Enter back, Escape closes. */
export function FindBar({
  find,
  first,
  count,
  onClose,
}: {
  readonly find: Find;
  readonly first: number;
  readonly count: number;
  readonly onClose: () => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
  }, []);
  const words = runStrings.transcript;
  const { query, found, place } = find;
  const status =
    query.trim() === ''
      ? ''
      : found.length === 0
        ? words.notFound
        : words.found(Math.max(0, place) + (place < 0 ? 0 : 1), found.length);
  return (
    <div
      className="find-bar"
      role="search"
      aria-label={words.find}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          onClose();
        }
        if (event.key === 'Enter' && event.target === input.current) {
          event.preventDefault();
          find.go(event.shiftKey ? 1 : -1);
        }
      }}
    >
      <input
        ref={input}
        className="field grow"
        aria-label={words.find}
        placeholder={words.find}
        value={query}
        onChange={(event) => {
          find.setQuery(event.target.value);
        }}
      />
      <span className="num flex-none text-11 text-ink-3" role="status">
        {first > 0 && query.trim() !== '' ? words.searching(count - first, count) : status}
      </span>
      <IconButton
        icon="up"
        name={words.findPrevious}
        disabled={found.length === 0}
        onClick={() => {
          find.go(-1);
        }}
      />
      <IconButton
        icon="down"
        name={words.findNext}
        disabled={found.length === 0}
        onClick={() => {
          find.go(1);
        }}
      />
      <IconButton icon="close" name={words.findClose} onClick={onClose} />
    </div>
  );
}
