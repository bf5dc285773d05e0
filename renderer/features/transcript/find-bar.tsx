import { useEffect, useRef } from 'react';
import { runStrings } from '../../shared/run-strings.ts';
import { IconButton } from '../../ui/button.tsx';
import type { Find } from './use-find.ts';

interface FindBarProps {
  readonly find: Find;
  /** The earliest entry that has arrived, of `count`: until it is the first, there may be more matches. */
  readonly first: number;
  readonly count: number;
  readonly onClose: () => void;
}

const words = runStrings.transcript;

function statusWords({ find, first, count }: FindBarProps): string {
  const { query, found, place, behind } = find;
  if (query.trim() === '') return '';
  if (first > 0) return words.searching(count - first, count);
  if (found.length === 0 && behind) return '';
  if (found.length === 0) return words.notFound;
  return place < 0 ? words.matches(found.length) : words.found(place + 1, found.length);
}

/** The field to find in the transcript, with the matches counted. Enter goes back in time, Shift Enter on; Escape closes. */
export function FindBar(props: FindBarProps) {
  const { find, onClose } = props;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
  }, []);
  const none = find.found.length === 0;
  const step = (by: 1 | -1) => () => {
    find.go(by);
  };
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
        value={find.query}
        onChange={(event) => {
          find.setQuery(event.target.value);
        }}
      />
      <span className="num flex-none text-11 text-ink-3" role="status">
        {statusWords(props)}
      </span>
      <IconButton icon="up" name={words.findPrevious} disabled={none} onClick={step(-1)} />
      <IconButton icon="down" name={words.findNext} disabled={none} onClick={step(1)} />
      <IconButton icon="close" name={words.findClose} onClick={onClose} />
    </div>
  );
}
