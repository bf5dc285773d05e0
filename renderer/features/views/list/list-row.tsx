import { memo } from 'react';
import type { RunRow, SetRow } from '../../../../core/protocol/rows.ts';
import { totalTokens } from '../../../../core/protocol/token-sums.ts';
import { useAskOf, useConversation } from '../../../app/live-rows.ts';
import { useReplay, useShownRun, useShownSet } from '../../../app/replay.ts';
import { Cost } from '../../../app/cost.tsx';
import { hintOf, labelOf, moneyText, rowNote, placeText, secondLine, TONES } from '../../../app/row-text.ts';
import { RunActions } from '../../../app/run-actions.tsx';
import { SetActions } from '../../../app/set-actions.tsx';
import { formatCount, formatMoney, formatTokens } from '../../../shared/format.ts';
import { markOf } from '../../../shared/status.ts';
import { strings } from '../../../shared/strings.ts';
import { visibleText } from '../../../shared/visible-text.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { AgentMark } from '../../../ui/agent-mark.tsx';
import { Elapsed, Span } from '../../../ui/elapsed.tsx';
import { Glyph } from '../../../ui/glyph.tsx';
import { OutcomeBar } from '../../../ui/outcome-bar.tsx';
import { CompareButton } from '../compare/compare-button.tsx';
import type { OutlineRow } from '../outline.ts';
import { rowClass } from '../row-class.ts';
import { RowName } from '../row-name.tsx';
import { useSetCounts } from '../use-counts.ts';
import { useRowProps } from '../use-row-props.ts';

interface RowProps {
  readonly row: OutlineRow;
  readonly index: number;
  /** It has the keyboard, or would get it. */
  readonly current: boolean;
}

function Numbers({ run }: { readonly run: RunRow }) {
  const unknown = run.total_cost_usd === null && run.turns > 0;
  return (
    <>
      <span className="num" role="gridcell" data-column="turns">
        {run.turns > 0 && formatCount(run.turns)}
      </span>
      <span className="num" role="gridcell" data-column="tokens">
        {run.total_tokens > 0 && formatTokens(run.total_tokens)}
      </span>
      <span className="num" role="gridcell" data-column="time">
        <Elapsed run={run} />
      </span>
      <span className="num" role="gridcell" data-column="cost" title={unknown ? strings.tree.unknownCost : undefined}>
        <Cost of={run.conversation_id} text={moneyText(run)} />
      </span>
    </>
  );
}

function Status({ run }: { readonly run: RunRow }) {
  const ask = useAskOf(run.run_id);
  const { tone, text, code } = secondLine(run, ask);
  const note = rowNote(run);
  return (
    <span className="row-status" role="gridcell" data-column="status">
      <span className="el grow" title={code === null ? text : `${text} ${code}`}>
        <span className={TONES[tone]}>{text}</span>
        {code !== null && <code> {code}</code>}
        {note !== '' && <span className="text-ink-3"> · {note}</span>}
      </span>
      <span className="row-actions">
        <CompareButton run={run} />
        <RunActions run={run} pause />
      </span>
    </span>
  );
}

function RunLine({ run, row, index, current }: RowProps & { readonly run: RunRow }) {
  const mark = markOf(run);
  const props = useRowProps(row, index, current);
  return (
    <div className={`list-grid list-row ${rowClass(mark)}`} data-drop-run={run.run_id} {...props}>
      <RowName row={row} name={labelOf(run)} role="rowheader">
        <Glyph mark={mark} named />
        <span className="row-place" data-digits={String(row.count).length}>
          {run.lead ? viewStrings.list.lead : placeText(run, row.count)}
        </span>
        <span className="row-label el" dir="auto" title={hintOf(run)}>
          {labelOf(run)}
        </span>
      </RowName>
      <Status run={run} />
      <span className="row-agent el" role="gridcell" data-column="agent">
        <AgentMark agent={run.agent} />
        <span className="el" aria-hidden>
          {visibleText(run.agent)}
        </span>
      </span>
      <Numbers run={run} />
    </div>
  );
}

function SetLine({ set, row, index, current }: RowProps & { readonly set: SetRow }) {
  const { counts, retryable } = useSetCounts(row.id);
  const conversation = useConversation(set.conversation_id)?.title;
  const title = set.title === null || set.title === conversation ? '' : visibleText(set.title);
  const name = strings.tree.set(set.set);
  const props = useRowProps(row, index, current);
  const used = totalTokens(set.totals.tokens);
  const at = useReplay((state) => state.at);
  return (
    <div className="list-grid list-set" data-drop-set={set.delegation_id} {...props}>
      <RowName row={row} name={name} role="rowheader">
        <span className="flex-none font-semi">
          {viewStrings.list.setName(set.set, strings.tree.ended(set.ended, set.count))}
        </span>
        <span className="el" dir="auto" title={title}>
          {title}
        </span>
      </RowName>
      <span className="row-status" role="gridcell" data-column="status">
        <OutcomeBar counts={counts} width={160} />
        <span className="grow" />
        <span className="row-actions">
          <SetActions set={set} folded={row.expanded === false} retryable={retryable} />
        </span>
      </span>
      <span role="gridcell" data-column="agent" />
      <span role="gridcell" data-column="turns" />
      <span className="num" role="gridcell" data-column="tokens">
        {used > 0 && formatTokens(used)}
      </span>
      <span className="num" role="gridcell" data-column="time">
        <Span from={set.started_at} to={set.ended_at ?? at} />
      </span>
      <span className="num" role="gridcell" data-column="cost">
        <Cost of={set.conversation_id} text={formatMoney(set.totals.cost_usd)} />
      </span>
    </div>
  );
}

const ConnectedRun = memo(function ConnectedRun(props: RowProps) {
  const run = useShownRun(props.row.id);
  return run === undefined ? null : <RunLine run={run} {...props} />;
});

const ConnectedSet = memo(function ConnectedSet(props: RowProps) {
  const set = useShownSet(props.row.id);
  return set === undefined ? null : <SetLine set={set} {...props} />;
});

/** A set, run or lead as a row of the list; drawn again only when that one changes. */
export function ListRow(props: RowProps) {
  return props.row.type === 'set' ? <ConnectedSet {...props} /> : <ConnectedRun {...props} />;
}
