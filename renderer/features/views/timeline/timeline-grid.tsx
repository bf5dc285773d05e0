import { useMemo, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useReplay } from '../../../app/replay.ts';
import { ui, useUi } from '../../../app/ui-store.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { useGridKeys } from '../use-grid-keys.ts';
import type { Outline } from '../outline.ts';
import { isRowKey, itemOf } from '../row-keys.ts';
import { useCurrent, useRows } from '../use-rows.ts';
import { focusRow, useViews } from '../view-state.ts';
import { Legend } from './legend.tsx';
import { ReplayBar } from './replay-bar.tsx';
import { ticksOf } from './time-scale.ts';
import { TimelineCharts } from './timeline-charts.tsx';
import { TimelineDrawing, useDrawing, type Drawing } from './timeline-context.ts';
import { MomentLine, TimelineLines, TimelineTimes } from './timeline-head.tsx';
import { TimelineLine } from './timeline-row.tsx';
import { timelineRows, type TimelineRow } from './timeline-rows.ts';
import { useTimelineState } from './timeline-state.ts';
import { useBox } from './use-box.ts';
import { usePlayback } from './use-playback.ts';
import { useSelectedNote } from './use-selected-note.ts';
import type { TimelineData } from './use-timeline.ts';
import { END_PX, LABEL_PX, scaleFor, useZoom } from './use-zoom.ts';

const words = viewStrings.timeline;

const HEAD = 40;
/** What the charts cover at the foot, about. */
const FOOT = 160;
/** Heights of rows, as in `timeline.css`. */
function heightOf(row: TimelineRow): number {
  if (row.lane !== null) return 19;
  return row.type === 'run' ? 26 : 30;
}

/** The run of a place that a key leads to, from the one that is selected; null for a key that is not about places. */
function runInLane(row: TimelineRow | undefined, key: string, selected: string | null): string | null {
  if (row === undefined || row.lane === null) return null;
  const at = selected === null ? -1 : row.runs.indexOf(selected);
  if (key === 'ArrowRight') return row.runs[Math.min(row.runs.length - 1, at + 1)] ?? null;
  if (key === 'ArrowLeft' && at > 0) return row.runs[at - 1] ?? null;
  return key === 'Enter' || key === ' ' ? (row.runs[Math.max(0, at)] ?? null) : null;
}

/** Keys of the timeline itself; what it does not take are the keys of the grid. */
function useTimelineKeys(
  rows: readonly TimelineRow[],
  zoom: { readonly zoomIn: () => void; readonly zoomOut: () => void },
  others: (event: KeyboardEvent) => void,
): (event: KeyboardEvent) => void {
  const selected = useUi((state) => state.node?.id ?? null);
  return (event) => {
    if (!isRowKey(event)) return;
    const id = itemOf(event.target);
    const run = runInLane(
      rows.find((row) => row.id === id),
      event.key,
      selected,
    );
    if (run !== null) ui.selectRun(run);
    else if (event.key === '+' || event.key === '=') zoom.zoomIn();
    else if (event.key === '-') zoom.zoomOut();
    else {
      others(event);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
}

function isPausedIn({ lives }: TimelineData, from: number, to: number): boolean {
  for (const { stretches } of lives.values()) {
    if (stretches.some((stretch) => stretch.kind === 'paused' && stretch.from < to && (stretch.to ?? to) > from))
      return true;
  }
  return false;
}

/** The rows of the timeline: those in view are drawn. */
function Body({
  rows,
  virtual,
}: {
  readonly rows: readonly TimelineRow[];
  readonly virtual: ReturnType<typeof useRows>;
}) {
  const current = useCurrent(rows);
  return (
    <div className="timeline-body" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ key, index, start }) => {
        const row = rows[index];
        return row === undefined ? null : (
          <div
            key={key}
            className="list-place"
            role="presentation"
            style={{ transform: `translateY(${start - HEAD}px)` }}
          >
            <TimelineLine row={row} index={index} current={row.id === current} />
          </div>
        );
      })}
    </div>
  );
}

interface GridProps {
  readonly data: TimelineData;
  readonly outline: Outline;
  readonly conversationId: string;
}

function useTimelineRows({ rows, lives }: TimelineData, outline: Outline): readonly TimelineRow[] {
  return useMemo(() => timelineRows(rows, outline.rows, lives, false), [rows, outline.rows, lives]);
}

/** What lies over one axis: times, lines, rows, charts; it scrolls both ways. */
function Sheet({
  scroller,
  zoom,
  data,
  outline,
  conversationId,
  box,
}: GridProps & {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly zoom: ReturnType<typeof useZoom>;
  readonly box: ReturnType<typeof useBox>;
}) {
  const { scale } = useDrawing();
  const [left, setLeft] = useState(0);
  const rows = useTimelineRows(data, outline);
  const virtual = useRows(rows, scroller, heightOf, HEAD, FOOT);
  const scrollTo = (index: number): void => {
    virtual.scrollToIndex(index, { align: 'auto' });
  };
  const onKeyDown = useTimelineKeys(rows, zoom, useGridKeys({ container: scroller, rows, scrollTo }));
  const ticks = ticksOf(scale, left - 100, left + box.width);
  return (
    <div
      ref={scroller}
      className="timeline"
      onScroll={(event) => {
        zoom.onScroll();
        setLeft(event.currentTarget.scrollLeft);
      }}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        focusRow(itemOf(event.target) ?? useViews.getState().focused);
      }}
    >
      <div className="timeline-content" style={{ width: LABEL_PX + scale.width + END_PX }}>
        <div role="treegrid" aria-label={words.name} aria-rowcount={rows.length + 1} aria-colcount={2}>
          <div className="timeline-head" role="row" aria-rowindex={1}>
            <div className="timeline-label" role="columnheader">
              {words.summary(outline.all, data.rows.setsOf.get(conversationId)?.length ?? 0)}
            </div>
            <div role="columnheader">
              <span className="sr-note">{words.time}</span>
              <TimelineTimes ticks={ticks} gapPaused={(from, to) => isPausedIn(data, from, to)} />
            </div>
          </div>
          <div className="timeline-behind" aria-hidden>
            <TimelineLines ticks={ticks} height={Math.max(0, box.height - HEAD)} />
          </div>
          <div className="timeline-over" aria-hidden>
            <MomentLine height={Math.max(0, box.height - HEAD)} />
          </div>
          <Body rows={rows} virtual={virtual} />
        </div>
        <TimelineCharts data={data} conversationId={conversationId} />
      </div>
    </div>
  );
}

/** The rows with their bars over one axis, charts below them, legend and replay. */
export function TimelineGrid(props: GridProps) {
  const { data } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const box = useBox(scroller);
  const pxPerMs = useTimelineState((state) => state.pxPerMs);
  const at = useReplay((state) => state.at);
  const { scale, fit } = useMemo(() => scaleFor(data, box.width, pxPerMs), [data, box.width, pxPerMs]);
  const drawing = useMemo(
    (): Drawing => ({ scale, lives: data.lives, rows: data.rows, to: data.to, at }),
    [scale, data, at],
  );
  const zoom = useZoom(scroller, scale, fit);
  usePlayback(scale);
  useSelectedNote(data);
  return (
    <TimelineDrawing value={drawing}>
      <Sheet scroller={scroller} zoom={zoom} box={box} {...props} />
      <Legend folded={scale.gaps.length > 0} onZoomIn={zoom.zoomIn} onZoomOut={zoom.zoomOut} />
      <ReplayBar data={data} scale={scale} />
    </TimelineDrawing>
  );
}
