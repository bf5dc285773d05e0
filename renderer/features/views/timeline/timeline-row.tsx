import { memo } from 'react';
import type { RunRow, SetRow } from '../../../../core/protocol/rows.ts';
import { Cost } from '../../../app/cost.tsx';
import { useConversation, useRun, useSet } from '../../../app/live-rows.ts';
import { hintOf, labelOf, placeText } from '../../../app/row-text.ts';
import { RunActions } from '../../../app/run-actions.tsx';
import { SetActions } from '../../../app/set-actions.tsx';
import { formatMoney } from '../../../shared/format.ts';
import { markOf } from '../../../shared/status.ts';
import { strings } from '../../../shared/strings.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { visibleText } from '../../../shared/visible-text.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import { CompareButton } from '../compare/compare-button.tsx';
import { rowClass } from '../row-class.ts';
import { RowName } from '../row-name.tsx';
import { useSetCounts } from '../use-counts.ts';
import { useRowProps } from '../use-row-props.ts';
import { barsOf, lifeWords } from './bars.ts';
import { Bars } from './bar-shapes.tsx';
import { EndNote, endNoteOf } from './end-note.tsx';
import { endedBy, markAt } from './replay-state.ts';
import { useDrawing } from './timeline-context.ts';
import { LaneLine } from './lane-row.tsx';
import { RowWire } from './row-wire.tsx';
import type { TimelineRow, TimelineRowProps } from './timeline-rows.ts';

const words = viewStrings.timeline;

type RowProps = TimelineRowProps;

function RunChart({ run, row }: { readonly run: RunRow; readonly row: TimelineRow }) {
  const { scale, lives, rows, to, at } = useDrawing();
  const height = 26;
  const slot = row.runs.map((id) => (id === run.run_id ? run : rows?.runs.get(id))).filter((one) => one !== undefined);
  const life = lives.get(run.run_id);
  const made = [...(rows?.sets.values() ?? [])].filter((set) => set.parent_run_id === run.run_id);
  const said =
    life === undefined
      ? ''
      : lifeWords(
          life,
          to,
          made.map(({ set, created_at }) => ({ set, at: created_at })),
        );
  const drawn = slot.map((one) => {
    const own = lives.get(one.run_id);
    return { id: one.run_id, bars: own === undefined ? [] : barsOf(one, own, scale, to, at) };
  });
  const over = at === null || (run.ended_at !== null && run.ended_at <= at);
  const note = over ? endNoteOf(run) : null;
  const name = [said || run.words, note].filter((part) => part !== null && part !== '').join('. ');
  return (
    <>
      <svg className="timeline-bars" width={scale.width} height={height} role="img" aria-label={name}>
        {drawn.map(({ id, bars }) => (
          <Bars key={id} bars={bars} y={6} height={14} />
        ))}
        <RowWire wire={row.wire} height={height} />
      </svg>
      {note !== null && <EndNote run={run} text={note} bars={drawn.flatMap(({ bars }) => bars)} />}
    </>
  );
}

function RunLine({ run, row, index, current }: RowProps & { readonly run: RunRow }) {
  const { lives, at } = useDrawing();
  const mark = at === null ? markOf(run) : markAt(run, lives.get(run.run_id), at);
  const props = useRowProps(row, index, current);
  const look = mark === null ? 'is-absent' : rowClass(mark);
  return (
    <div className={`timeline-row ${look}`} data-drop-run={run.run_id} {...props}>
      <div className="timeline-label" role="presentation">
        <RowName row={row} name={labelOf(run)} role="rowheader">
          {mark === null ? <span className="size-4" /> : <Glyph mark={mark} named />}
          <span className="row-place" data-digits={String(row.count).length}>
            {run.lead ? viewStrings.list.lead : placeText(run, row.count)}
          </span>
          <span className="row-label el" dir="auto" title={hintOf(run)}>
            {labelOf(run)}
          </span>
          {mark === null && <span className="sr-note">{words.notYet}</span>}
        </RowName>
        {at === null && (
          <span className="row-actions">
            <CompareButton run={run} />
            <RunActions run={run} pause />
          </span>
        )}
      </div>
      <div className="timeline-cell" role="gridcell">
        <RunChart run={run} row={row} />
      </div>
    </div>
  );
}

function SetLine({ set, row, index, current }: RowProps & { readonly set: SetRow }) {
  const { retryable } = useSetCounts(row.id);
  const { scale, at, lives, rows } = useDrawing();
  const props = useRowProps(row, index, current);
  const runs = (rows?.runsOf.get(row.id) ?? []).flatMap((id) => rows?.runs.get(id) ?? []);
  const over = at === null || (set.ended_at !== null && set.ended_at <= at);
  const ended = over ? set.ended : Math.min(set.count, endedBy(runs, lives, at));
  const conversation = useConversation(set.conversation_id)?.title;
  // The title bar says it already.
  const title = set.title === null || set.title === conversation ? '' : visibleText(set.title);
  return (
    <div className="timeline-row timeline-set" data-drop-set={set.delegation_id} {...props}>
      <div className="timeline-label" role="presentation">
        <RowName row={row} name={strings.tree.set(set.set)} role="rowheader">
          <span className="flex-none font-semi">
            {viewStrings.list.setName(set.set, strings.tree.ended(ended, set.count))}
          </span>
          <span className="el grow" dir="auto" title={title}>
            {title}
          </span>
        </RowName>
        <span className="num timeline-cost">
          {/* What it had cost by then nobody wrote down. */}
          {over && <Cost of={set.conversation_id} text={formatMoney(set.totals.cost_usd)} />}
        </span>
        {at === null && (
          <span className="row-actions">
            <SetActions set={set} folded={row.expanded === false} retryable={retryable} />
          </span>
        )}
      </div>
      <div role="gridcell">
        <svg className="timeline-bars" width={scale.width} height={30} aria-hidden>
          <RowWire wire={row.wire} height={30} />
        </svg>
      </div>
    </div>
  );
}

const ConnectedRun = memo(function ConnectedRun(props: RowProps) {
  const run = useRun(props.row.id);
  return run === undefined ? null : <RunLine run={run} {...props} />;
});

const ConnectedSet = memo(function ConnectedSet(props: RowProps) {
  const set = useSet(props.row.id);
  return set === undefined ? null : <SetLine set={set} {...props} />;
});

/** A set, a run or a place of a large set as a row of the timeline. */
export function TimelineLine(props: RowProps) {
  if (props.row.type === 'set') return <ConnectedSet {...props} />;
  return props.row.lane === null ? <ConnectedRun {...props} /> : <LaneLine {...props} />;
}
