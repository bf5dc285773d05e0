import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, type Ref, type RefObject } from 'react';
import { entryAt } from '../../app/live-state.ts';
import { useLive } from '../../app/live.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { ItemRow } from './item-row.tsx';
import { placeOf, type ItemList, type TranscriptItem } from './items.ts';
import { Revealed } from '../../ui/revealed.ts';
import { showWords } from './show-words.ts';
import { Edges } from './transcript-edges.tsx';
import type { Earlier } from './use-earlier.ts';
import { useEndOnResize } from './use-end-on-resize.ts';
import type { FindTarget } from './use-find.ts';

/** Heights before a row was measured. */
const ESTIMATES = { entry: 64, reads: 20, output: 240 } as const satisfies Record<TranscriptItem['type'], number>;
/** Between rows, and above the first and below the last. */
const GAP = 8;
const PADDING = 12;
/** So near to the end the transcript follows it. */
const NEAR_END = 32;
/** So many rows before the first one that is loaded, earlier ones are asked for. */
const AHEAD = 8;

interface ListProps {
  readonly runId: string;
  readonly list: ItemList;
  readonly live: boolean;
  readonly earlier: Earlier;
  /** Entry to bring into view; a new object does it again. */
  readonly target: FindTarget | null;
  /** The words that are looked for. */
  readonly query: string;
  readonly content: Ref<HTMLDivElement>;
}

function useRows(list: ItemList, scroller: RefObject<HTMLDivElement | null>) {
  const { items } = list;
  // eslint-disable-next-line react-hooks/incompatible-library -- its functions are called while drawing, never handed to memoised parts
  return useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => items[index]?.key ?? index,
    estimateSize: (index) => ESTIMATES[items[index]?.type ?? 'entry'],
    // The end is what is shown first: from the top on, a page of rows would be drawn that nobody sees.
    initialOffset: () => endOf(items),
    overscan: 6,
    gap: GAP,
    paddingStart: PADDING,
    paddingEnd: PADDING,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: NEAR_END,
  });
}

/** Where the last screen of rows begins before any was measured. */
function endOf(items: readonly TranscriptItem[]): number {
  const height = items.reduce((sum, { type }) => sum + ESTIMATES[type] + GAP, 2 * PADDING - GAP);
  return Math.max(0, height - window.innerHeight);
}

type Rows = ReturnType<typeof useRows>;

/** Shows the end the first time there is something to show; asks for earlier rows in time; brings a found entry into view. */
function useMovement(rows: Rows, { list, earlier, target }: ListProps): void {
  const filled = list.items.length > 0;
  const toEnd = useEffectEvent(() => {
    rows.scrollToEnd();
  });
  useLayoutEffect(() => {
    if (filled) toEnd();
  }, [filled]);

  const loadMore = useEffectEvent(() => {
    earlier.load();
  });
  const first = rows.getVirtualItems()[0]?.index ?? Number.POSITIVE_INFINITY;
  const near = filled && list.first > 0 && first < AHEAD;
  useEffect(() => {
    if (near) loadMore();
  }, [near, list.first]);

  const show = useEffectEvent((entry: number) => {
    rows.scrollToIndex(placeOf(list.items, entry), { align: 'center' });
  });
  useEffect(() => {
    if (target !== null) show(target.entry);
  }, [target]);
}

/** Brings the words of the shown match into view, which may stand far down in a long entry. */
function useWordsInView(rows: Rows, scroller: RefObject<HTMLDivElement | null>, props: ListProps): void {
  const { runId, list, target, query } = props;
  const begin = useEffectEvent((found: FindTarget): (() => void) | undefined => {
    if (scroller.current === null) return undefined;
    return showWords(scroller.current, query, lineOf(runId, found), () => {
      rows.scrollToIndex(placeOf(list.items, found.entry), { align: 'center' });
    });
  });
  useEffect(() => (target === null ? undefined : begin(target)), [target]);
}

/** The text of the line that a target names. */
function lineOf(runId: string, { entry, line }: FindTarget): string | null {
  if (line === null) return null;
  const text = entryAt(useLive.getState().transcripts.get(runId), entry)?.text;
  return text?.split('\n', line)[line - 1] ?? null;
}

/** The rows of a transcript: only those in view are on the page; it follows the end unless one scrolled up. */
export function TranscriptList(props: ListProps) {
  const { runId, list, live, earlier, target, content } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRows(list, scroller);
  const { items } = list;
  const toEnd = (): void => {
    rows.scrollToEnd();
  };
  useMovement(rows, props);
  useWordsInView(rows, scroller, props);
  useEndOnResize(scroller, { near: NEAR_END, sought: target !== null, toEnd });
  return (
    <div className="transcript-frame">
      <div
        ref={scroller}
        className="transcript-scroller"
        role="region"
        aria-label={runStrings.transcript.name}
        tabIndex={0}
        data-pane-focus
      >
        <div ref={content} className="transcript-content" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((row) => {
            const item = items[row.index];
            if (item === undefined) return null;
            const found = target !== null && target.entry >= item.first && target.entry <= item.last;
            return (
              <div
                key={row.key}
                ref={rows.measureElement}
                data-index={row.index}
                data-entry={item.first}
                data-found={found}
                className="transcript-row"
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <Revealed value={found}>
                  <ItemRow runId={runId} item={item} live={live && row.index === items.length - 1} />
                </Revealed>
              </div>
            );
          })}
        </div>
      </div>
      <Edges earlier={earlier} more={list.first > 0} atEnd={rows.isAtEnd(NEAR_END)} onEnd={toEnd} />
    </div>
  );
}
