import { memo } from 'react';
import type { RunRow } from '../../../../core/protocol/rows.ts';
import { useAskOf } from '../../../app/live-rows.ts';
import { useShownRun, useShownSet } from '../../../app/replay.ts';
import { Cost } from '../../../app/cost.tsx';
import { hintOf, labelOf, moneyText, placeText, secondLine, TONES } from '../../../app/row-text.ts';
import { RunActions } from '../../../app/run-actions.tsx';
import { ui, useIsSelected } from '../../../app/ui-store.ts';
import { MARK_FACTS, markOf } from '../../../shared/status.ts';
import { strings } from '../../../shared/strings.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { AgentMark } from '../../../ui/agent-mark.tsx';
import { Elapsed } from '../../../ui/elapsed.tsx';
import { Glyph } from '../../../ui/glyph.tsx';
import { CompareButton } from '../compare/compare-button.tsx';
import { rowClass } from '../row-class.ts';

function Place({ run }: { readonly run: RunRow }) {
  const count = useShownSet(run.delegation_id)?.count ?? 1;
  if (run.lead || run.set === null) return viewStrings.list.lead;
  return [strings.tree.set(run.set), placeText(run, count)].filter((part) => part !== '').join(' · ');
}

function Card({ run, current, place, count }: { readonly run: RunRow } & Omit<CardProps, 'id'>) {
  const ask = useAskOf(run.run_id);
  const selected = useIsSelected(run.run_id);
  const mark = markOf(run);
  const { tone, text, code } = secondLine(run, ask);
  return (
    <article
      className={`board-card ${rowClass(mark)}`}
      data-item={run.run_id}
      data-drop-run={run.run_id}
      aria-label={labelOf(run)}
      aria-current={selected}
      aria-posinset={place + 1}
      aria-setsize={count}
      tabIndex={current ? 0 : -1}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest('button') === null) ui.selectRun(run.run_id);
      }}
    >
      <Glyph mark={mark} named />
      <span className="row-label el" dir="auto" title={hintOf(run)}>
        {labelOf(run)}
      </span>
      <span className="num text-ink-2">
        <Elapsed run={run} />
      </span>
      <span className="board-line">
        <span className="el grow" title={code === null ? text : `${text} ${code}`}>
          <span className={MARK_FACTS[mark].done ? 'text-ink-3' : TONES[tone]}>{text}</span>
          {code !== null && <code> {code}</code>}
        </span>
        <span className="row-actions">
          <CompareButton run={run} />
          <RunActions run={run} pause />
        </span>
      </span>
      <span className="board-foot">
        <span className="el grow">
          <Place run={run} />
        </span>
        <AgentMark agent={run.agent} />
        <span className="num">
          <Cost of={run.conversation_id} text={moneyText(run)} />
        </span>
      </span>
    </article>
  );
}

interface CardProps {
  readonly id: string;
  readonly current: boolean;
  /** Its place in the column, from 0, of so many. */
  readonly place: number;
  readonly count: number;
}

/** A run as a card, drawn again only when that run changes. */
export const BoardCard = memo(function BoardCard({ id, ...rest }: CardProps) {
  const run = useShownRun(id);
  return run === undefined ? null : <Card run={run} {...rest} />;
});
