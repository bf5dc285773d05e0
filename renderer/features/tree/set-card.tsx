import { useMemo } from 'react';
import { totalTokens } from '../../../core/protocol/token-sums.ts';
import type { SetRow } from '../../../core/protocol/rows.ts';
import { retrySet } from '../../app/again.ts';
import { Cost } from '../../app/cost.tsx';
import { useConversation } from '../../app/live-rows.ts';
import { useReplay, useShownSet } from '../../app/replay.ts';
import { SetActions } from '../../app/set-actions.tsx';
import { ui } from '../../app/ui-store.ts';
import { formatMoney, formatTokens } from '../../shared/format.ts';
import { countMarks, MARK_FACTS } from '../../shared/status.ts';
import { strings } from '../../shared/strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Span } from '../../ui/elapsed.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { OutcomeBar } from '../../ui/outcome-bar.tsx';
import { LargeBody } from './large-card.tsx';
import type { Card } from './layout-tree.ts';
import { ConnectedRunRow } from './run-row.tsx';
import type { SetShape } from './tree-model.ts';
import { useItemProps } from './use-tree-model.ts';

/** What the header of a card leaves beside its bar, px: padding, and the sums that stand in the bar's line. */
const BESIDE_BAR = { normal: 176, nested: 120, large: 24 } as const;

function Sums({ set, tokens }: { readonly set: SetRow; readonly tokens: boolean }) {
  const used = totalTokens(set.totals.tokens);
  const at = useReplay((state) => state.at);
  return (
    <>
      {tokens && used > 0 && <span className="set-sum text-ink-3">{strings.tree.tokens(formatTokens(used))}</span>}
      <span className="set-sum">
        <Cost of={set.conversation_id} text={formatMoney(set.totals.cost_usd)} />
      </span>
      <span className="set-sum">
        <Span from={set.started_at} to={set.ended_at ?? at} />
      </span>
    </>
  );
}

/** How many of a large set failed. */
function Failed({ shape }: { readonly shape: SetShape }) {
  const failed = shape.marks.filter(({ mark }) => MARK_FACTS[mark].broken).length;
  if (failed === 0) return null;
  return (
    <>
      <span className="text-11 font-semi text-bad-text">{strings.tree.failedCount(failed)}</span>
      {shape.retryable > 0 && (
        <button
          type="button"
          className="link text-11"
          aria-label={`${strings.again.retryFailedShort}: ${strings.tree.set(shape.set)}`}
          onClick={() => void retrySet(shape.id)}
        >
          {strings.again.retryFailedShort}
        </button>
      )}
    </>
  );
}

/** That the set is paused; how to undo it is among its actions, and in the strip. */
function Paused() {
  return (
    <span className="set-paused">
      <Glyph mark="paused" />
      {strings.pause.paused}
    </span>
  );
}

function Header({ set, shape, card }: { readonly set: SetRow; readonly shape: SetShape; readonly card: Card }) {
  const counts = useMemo(() => countMarks(shape.marks.map(({ mark }) => mark)), [shape.marks]);
  const item = useItemProps(set.delegation_id);
  const conversation = useConversation(set.conversation_id)?.title;
  // The root says it already.
  const title = set.title === null || set.title === conversation ? null : visibleText(set.title);
  const name = strings.tree.set(set.set);
  const ended = strings.tree.ended(set.ended, set.count);
  const width = card.width - BESIDE_BAR[shape.large ? 'large' : card.nested ? 'nested' : 'normal'];
  return (
    <div
      className="set-header"
      {...item}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('button') === null) ui.selectSet(set.delegation_id);
      }}
    >
      <div className="set-line-1">
        <span className="flex-none font-semi">
          {name} · {ended}
        </span>
        <span className="el grow" dir="auto" title={title ?? undefined}>
          {title}
        </span>
        {shape.large && (
          <span className="flex flex-none items-center gap-3 pr-1">
            <Failed shape={shape} />
            <Sums set={set} tokens />
          </span>
        )}
        {shape.paused && <Paused />}
        <SetActions set={set} folded={shape.folded} retryable={shape.retryable} />
      </div>
      <div className="set-line-2">
        <OutcomeBar counts={counts} width={width} />
        {!shape.large && (
          <>
            <span className="grow" />
            <Sums set={set} tokens={!card.nested} />
          </>
        )}
      </div>
    </div>
  );
}

/** A set as a card: what it is and how it stands, and its runs as rows. */
export function SetCard({ shape, card }: { readonly shape: SetShape; readonly card: Card }) {
  const set = useShownSet(shape.id);
  if (set === undefined) return null;
  const wide = set.count > 9 ? 'is-wide-place' : '';
  return (
    <section className={`set-card ${wide}`} style={{ height: card.height }} data-drop-set={set.delegation_id}>
      <Header set={set} shape={shape} card={card} />
      {shape.large ? (
        <LargeBody shape={shape} />
      ) : (
        <>
          {shape.rows.map(({ id, height }) => (
            <ConnectedRunRow key={id} id={id} count={set.count} height={height} nested={card.nested} />
          ))}
          {shape.hidden > 0 && (
            <button
              type="button"
              className="more-rows"
              aria-hidden
              tabIndex={-1}
              onClick={() => {
                ui.foldSet(shape.id);
              }}
            >
              {strings.tree.collapsedRows(shape.hidden)}
            </button>
          )}
        </>
      )}
    </section>
  );
}
