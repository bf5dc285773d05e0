import { useState, type RefObject } from 'react';
import { inspectStrings } from '../../shared/inspect-strings.ts';
import { IconButton } from '../../ui/button.tsx';
import { matchRanges } from '../../ui/mark-matches.ts';

const words = inspectStrings.prompt;

/** Brings a match to the middle of its scroller. */
function show(scroller: HTMLElement, range: Range): void {
  const at = range.getBoundingClientRect();
  const box = scroller.getBoundingClientRect();
  scroller.scrollTop += at.top - box.top - box.height / 2;
}

/** The field that finds in what was sent: Enter goes to the next match, with Shift back; Escape empties it. */
export function FindField({
  query,
  count,
  scroller,
  onQuery,
}: {
  readonly query: string;
  readonly count: number;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly onQuery: (query: string) => void;
}) {
  const [place, setPlace] = useState(-1);
  const go = (step: 1 | -1): void => {
    const element = scroller.current;
    if (element === null) return;
    const ranges = matchRanges(element, query);
    if (ranges.length === 0) return;
    const next = (Math.max(place, step === 1 ? -1 : 0) + step + ranges.length) % ranges.length;
    const range = ranges[next];
    if (range !== undefined) show(element, range);
    setPlace(next);
  };
  const told = place < 0 ? words.matches(count) : words.found(place + 1, count);
  return (
    <div role="search" aria-label={words.find} className="prompt-find">
      <input
        className="field min-w-0 grow"
        aria-label={words.find}
        placeholder={words.find}
        value={query}
        onChange={(event) => {
          setPlace(-1);
          onQuery(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && query !== '') {
            event.stopPropagation();
            onQuery('');
          }
          if (event.key === 'Enter') {
            event.preventDefault();
            go(event.shiftKey ? -1 : 1);
          }
        }}
      />
      <span role="status" className="num flex-none text-11 text-ink-3">
        {query.trim() === '' ? '' : told}
      </span>
      <IconButton
        icon="down"
        name={words.findNext}
        disabled={count === 0}
        onClick={() => {
          go(1);
        }}
      />
    </div>
  );
}
