import { memo } from 'react';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { useAskOf } from '../../app/live-rows.ts';
import { useShown, useShownRun, useShownSet } from '../../app/replay.ts';
import { ui, useIsSelected } from '../../app/ui-store.ts';
import { countMarks, MARK_FACTS, markOf, type Mark } from '../../shared/status.ts';
import { strings } from '../../shared/strings.ts';
import { Elapsed } from '../../ui/elapsed.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Tile } from '../../ui/tile.tsx';
import { Cost } from '../../app/cost.tsx';
import { hintOf, labelOf, moneyText, placeText, secondLine, TONES } from '../../app/row-text.ts';
import { rowLook } from './run-row.tsx';
import { expandCard } from './tree-focus.ts';
import { countColumns } from './layout-tree.ts';
import type { SetShape } from './tree-model.ts';
import { useItemProps } from './use-tree-model.ts';

/** A tile beside the row of the same run: for the pointer only. */
function PlainTile({ id, mark }: { readonly id: string; readonly mark: Mark }) {
  const selected = useIsSelected(id);
  return (
    <span
      className={`tile ${selected ? 'is-selected' : ''}`}
      aria-hidden
      onClick={() => {
        ui.selectRun(id);
      }}
    >
      <Tile mark={mark} />
    </span>
  );
}

/** The tile of a run that has no row: an item of the tree itself. */
function ItemTile({ id, mark, count }: { readonly id: string; readonly mark: Mark; readonly count: number }) {
  const item = useItemProps(id);
  const name = useShown((state) => {
    const run = state.runs.get(id);
    return run === undefined ? '' : [placeText(run, count), labelOf(run), run.words].filter(Boolean).join(', ');
  });
  return (
    <span
      className={`tile ${item['aria-selected'] ? 'is-selected' : ''}`}
      aria-label={name}
      title={name}
      {...item}
      onClick={() => {
        ui.selectRun(id);
      }}
    >
      <Tile mark={mark} />
    </span>
  );
}

const TileOf = memo(function TileOf({
  hasRow,
  ...rest
}: {
  readonly id: string;
  readonly mark: Mark;
  readonly count: number;
  readonly hasRow: boolean;
}) {
  return hasRow ? <PlainTile id={rest.id} mark={rest.mark} /> : <ItemTile {...rest} />;
});

function Counts({ marks }: { readonly marks: SetShape['marks'] }) {
  const counts = countMarks(marks.map(({ mark }) => mark));
  return (
    <div className="tile-counts">
      {countColumns(counts).map((column) => (
        <div key={column[0] ?? 'empty'}>
          {column.map((mark) => (
            <div key={mark}>
              <Tile mark={mark} size={10} />
              <b>{counts.get(mark)}</b>
              <span className="el">{strings.marksShort[mark]}</span>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function LineView({
  run,
  count,
  item,
  height,
}: {
  readonly run: RunRow;
  readonly count: number;
  readonly height: number;
  readonly item: ReturnType<typeof useItemProps>;
}) {
  const ask = useAskOf(run.run_id);
  const mark = markOf(run);
  const { tone, text, code } = secondLine(run, ask);
  const broken = MARK_FACTS[mark].broken;
  return (
    <div
      className={`line-row ${rowLook(mark)} ${broken ? 'is-broken' : ''}`}
      style={{ height }}
      data-drop-run={run.run_id}
      {...item}
      onClick={() => {
        ui.selectRun(run.run_id);
      }}
    >
      <Glyph mark={mark} named />
      <span className="run-place">{placeText(run, count)}</span>
      <span className="run-label el" dir="auto" title={hintOf(run)}>
        {labelOf(run)}
      </span>
      {!broken && (
        <span className={`el ${TONES[tone]}`}>
          {text}
          {code !== null && (
            <>
              {' '}
              <code>{code}</code>
            </>
          )}
        </span>
      )}
      <span className="num">
        <Elapsed run={run} />
      </span>
      <span className="num">
        <Cost of={run.conversation_id} text={moneyText(run)} />
      </span>
      {broken && (
        <span className="line-failure el text-bad-text" title={text}>
          {text}
        </span>
      )}
    </div>
  );
}

const LineRow = memo(function LineRow({
  id,
  count,
  height,
}: {
  readonly id: string;
  readonly count: number;
  readonly height: number;
}) {
  const run = useShownRun(id);
  const item = useItemProps(id);
  return run === undefined ? null : <LineView run={run} count={count} item={item} height={height} />;
});

/** The body of a set of more than twelve: a tile per run with the counts below, and rows of the failed and active. */
export function LargeBody({ shape }: { readonly shape: SetShape }) {
  const count = useShownSet(shape.id)?.count ?? shape.marks.length;
  const withRow = new Set(shape.rows.map(({ id }) => id));
  return (
    <div className="large-body" data-digits={String(count).length}>
      <div className="tile-column">
        <div className="tiles">
          {shape.marks.map(({ id, mark }) => (
            <TileOf key={id} id={id} mark={mark} count={count} hasRow={withRow.has(id)} />
          ))}
        </div>
        <Counts marks={shape.marks} />
      </div>
      <div className="min-w-0">
        {shape.rows.map(({ id, height }) => (
          <LineRow key={id} id={id} count={count} height={height} />
        ))}
        {shape.hidden > 0 && (
          <button
            type="button"
            className="more-rows"
            aria-hidden
            tabIndex={-1}
            onClick={() => {
              expandCard(shape.id);
            }}
          >
            {strings.tree.showAll(shape.hidden)}
          </button>
        )}
      </div>
    </div>
  );
}
