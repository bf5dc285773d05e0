import { labelOf, placeText } from '../../../app/row-text.ts';
import { ui, useUi } from '../../../app/ui-store.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { RowName } from '../row-name.tsx';
import { useRowProps } from '../use-row-props.ts';
import { barsOf } from './bars.ts';
import { Bars } from './bar-shapes.tsx';
import { RowWire } from './row-wire.tsx';
import { useDrawing } from './timeline-context.ts';
import type { TimelineRowProps } from './timeline-rows.ts';

const words = viewStrings.timeline;

/** One place of a large set: the runs that had it, one after another. */
export function LaneLine({ row, index, current }: TimelineRowProps) {
  const { scale, lives, rows, to, at } = useDrawing();
  const props = useRowProps(row, index, current);
  const selected = useUi((state) => (state.node !== null && row.runs.includes(state.node.id) ? state.node.id : null));
  const runs = row.runs.flatMap((id) => rows?.runs.get(id) ?? []);
  const name = row.lane === null ? '' : words.place(row.lane);
  return (
    <div className="timeline-row timeline-lane" {...props} onClick={undefined} aria-selected={selected !== null}>
      <div className="timeline-label" role="presentation">
        <RowName row={row} name={name} role="rowheader">
          <span className="timeline-lane-name">{name}</span>
        </RowName>
      </div>
      <div role="gridcell">
        <svg
          className="timeline-bars"
          width={scale.width}
          height={19}
          role="img"
          aria-label={runs
            .map((run) => `${placeText(run, row.count)} ${labelOf(run)}, ${run.words}`)
            .join('; ')
            .slice(0, 2000)}
        >
          {runs.map((run) => {
            const life = lives.get(run.run_id);
            const bars =
              life === undefined ? [] : barsOf(run, life, scale, to, at).filter(({ look }) => look !== 'queued');
            return (
              <g
                key={run.run_id}
                className={run.run_id === selected ? 'is-selected' : ''}
                onClick={() => {
                  ui.selectRun(run.run_id);
                }}
              >
                <title>{`${placeText(run, row.count)} ${labelOf(run)}`}</title>
                <Bars bars={bars} y={3} height={13} />
                {run.run_id === selected && bars.length > 0 && (
                  <path d={outlineOf(bars)} fill="none" stroke="var(--text-1)" strokeWidth="1.5" />
                )}
              </g>
            );
          })}
          <RowWire wire={row.wire} height={19} />
        </svg>
      </div>
    </div>
  );
}

/** A line around the bars of one run. */
function outlineOf(bars: readonly { readonly x: number; readonly width: number }[]): string {
  const from = bars[0]?.x ?? 0;
  const last = bars.at(-1);
  const to = last === undefined ? from : last.x + last.width;
  return `M${from - 1} 2H${to + 1}V17H${from - 1}z`;
}
