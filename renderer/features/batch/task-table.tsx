import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { BatchProblem } from '../../../core/protocol/errors.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { afterOf, type After } from './after.ts';
import { useBatch } from './batch-store.ts';
import { dropLine, type RowSpan } from './drop-place.ts';
import { onRowRequest } from './row-focus.ts';
import { TaskRow } from './task-row.tsx';
import { useReorder } from './use-reorder.ts';
import { useIsolations } from './use-world.ts';
import type { World } from './world.ts';

const words = startStrings.batch;
const NONE: readonly BatchProblem[] = [];
const ROW_HEIGHT = 52;

function Head() {
  const { grip, number, goal, agent, model, isolation, limits, after, more } = words.columns;
  return (
    <div role="rowgroup" className="task-head-group">
      <div role="row" aria-rowindex={1} className="task-columns task-head">
        <span role="columnheader">
          <span className="sr-note">{grip}</span>
        </span>
        <span role="columnheader" className="num">
          {number}
        </span>
        {[goal, agent, model, isolation, limits, after].map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
        <span role="columnheader">
          <span className="sr-note">{more}</span>
        </span>
      </div>
    </div>
  );
}

function useRows() {
  const rows = useBatch((state) => state.draft.rows);
  const scroll = useRef<HTMLDivElement>(null);
  // eslint-disable-next-line react-hooks/incompatible-library -- rows get what it says, not its functions, and its one callback is stable
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (place) => rows[place]?.key ?? place,
    overscan: 12,
    // The head of the table stays over the rows.
    scrollPaddingStart: 32,
    scrollPaddingEnd: 16,
  });
  const show = useEffectEvent((key: string, part: string) => {
    const place = rows.findIndex((row) => row.key === key);
    if (place < 0) return;
    virtual.scrollToIndex(place, { align: 'auto' });
    requestAnimationFrame(() => {
      const row = scroll.current?.querySelector(`[data-row="${CSS.escape(key)}"]`);
      const target = row?.querySelector<HTMLElement>(`[data-part="${part}"]`);
      (target ?? row?.querySelector<HTMLElement>('[data-part="goal"]'))?.focus();
    });
  });
  useEffect(() => onRowRequest(({ key, part }) => show(key, part)), []);
  return { rows, scroll, virtual };
}

/** The tasks, one row each; only those in view are drawn. */
export function TaskTable({ world }: { readonly world: World }) {
  const { rows, scroll, virtual } = useRows();
  const head = useBatch((state) => state.draft.head);
  const ofRow = useBatch((state) => state.problems.ofRow);
  const untouched = useBatch((state) => state.untouched);
  const active = useBatch((state) => state.active);
  const isolations = useIsolations(useBatch((state) => state.project));
  const draft = useBatch((state) => state.draft);
  const after = useMemo(() => afterOf(draft), [draft]);
  const [said, say] = useState('');
  const spans = (): readonly RowSpan[] =>
    virtual.measurementsCache.map(({ key, start, end }) => ({ key: String(key), start, end }));
  const { dragging, onGrip, onMoveKey } = useReorder(scroll, spans, (number) => say(words.moved(number)));
  const line = dragging === null ? null : dropLine(spans(), dragging.from, dragging.to);
  return (
    <div ref={scroll} className="batch-scroll" data-digits={String(rows.length).length}>
      <div role="table" aria-label={words.table} aria-rowcount={rows.length + 1}>
        <Head />
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const dragged = dragging?.key === row.key;
            return (
              <TaskRow
                key={key}
                row={row}
                place={index}
                last={index === rows.length - 1}
                after={after[index] ?? NOTHING_BEFORE}
                problems={row.key === untouched ? NONE : (ofRow.get(row.key) ?? NONE)}
                head={head}
                world={world}
                isolations={isolations}
                active={active === row.key}
                top={dragged ? start + dragging.by : start}
                dragged={dragged}
                measure={virtual.measureElement}
                onGrip={onGrip}
                onMoveKey={onMoveKey}
              />
            );
          })}
          {line !== null && <div className="drop-line" style={{ transform: `translateY(${line}px)` }} />}
        </div>
      </div>
      <div className="drop-zone">{words.dropHere}</div>
      <p role="status" className="sr-note">
        {said}
      </p>
    </div>
  );
}

const NOTHING_BEFORE: After = { places: [], unknown: [], anyOutcome: false };
