import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useRef } from 'react';
import { formatCount } from '../../../shared/format.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { useViews } from '../view-state.ts';
import { BoardCard } from './board-card.tsx';
import type { BoardColumn } from './columns.ts';

const words = viewStrings.board;

/** Height of a card with the gap below it, as in `board.css`. */
const CARD = 80;

/** One column: its name and count, and its cards; those out of view are not drawn. */
export function Column({
  column,
  ids,
  current,
}: {
  readonly column: BoardColumn;
  readonly ids: readonly string[];
  /** The card that has the keyboard, or would get it. */
  readonly current: string | null;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are called while drawing, never handed to memoised parts
  const virtual = useVirtualizer({
    count: ids.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => ids[index] ?? index,
    estimateSize: () => CARD,
    overscan: 4,
    scrollPaddingStart: 8,
    scrollPaddingEnd: 8,
  });
  const show = useEffectEvent((id: string) => {
    const index = ids.indexOf(id);
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' });
  });
  // Only what somebody moved to: a card that has become the first must not move the column.
  const focused = useViews((state) => state.focused);
  useEffect(() => {
    if (focused !== null) show(focused);
  }, [focused]);
  return (
    <section className="board-column" aria-label={words.column(words.columns[column], ids.length)}>
      <h2>
        <span>{words.columns[column]}</span>
        <span className="num">{formatCount(ids.length)}</span>
      </h2>
      <div ref={scroller} className="board-cards">
        {ids.length === 0 && <p>{words.empty[column]}</p>}
        <div className="board-body" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ key, index, start }) => {
            const id = ids[index];
            return id === undefined ? null : (
              <div key={key} className="board-place" style={{ transform: `translateY(${start}px)` }}>
                <BoardCard id={id} current={id === current} place={index} count={ids.length} />
              </div>
            );
          })}
        </div>
      </div>
    </section>
  );
}
