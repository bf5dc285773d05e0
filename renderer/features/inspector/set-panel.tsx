import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { RunRow, SetRow } from '../../../core/protocol/rows.ts';
import { isLive } from '../../../core/protocol/lifecycle.ts';
import { totalTokens } from '../../../core/protocol/token-sums.ts';
import { retrySet } from '../../app/again.ts';
import { isWorthRetrying } from '../../app/controls.ts';
import { Cost } from '../../app/cost.tsx';
import { currentRuns } from '../../app/current-runs.ts';
import { useRun, useSet } from '../../app/live-rows.ts';
import { useLive } from '../../app/live.ts';
import { PauseButton } from '../../app/pause-button.tsx';
import { SetMenu } from '../../app/set-menu.tsx';
import { StopButton } from '../../app/stop-button.tsx';
import { openOverlay, ui } from '../../app/ui-store.ts';
import { useRoom } from '../../app/window-size.ts';
import { formatMoney, formatTokens } from '../../shared/format.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { countMarks, MARK_FACTS, markOf } from '../../shared/status.ts';
import { strings } from '../../shared/strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { Elapsed, Span } from '../../ui/elapsed.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { OutcomeBar } from '../../ui/outcome-bar.tsx';

/** What the inspector leaves between its margins, px. */
const BAR = { normal: 372, compact: 340 } as const;

function Line({ id }: { readonly id: string }) {
  const run = useRun(id);
  if (run === undefined) return null;
  const mark = markOf(run);
  const broken = MARK_FACTS[mark].broken;
  return (
    <li>
      <button
        type="button"
        className="set-run"
        onClick={() => {
          ui.selectRun(id);
        }}
      >
        <Glyph mark={mark} named />
        <span className="el font-med">{visibleText(run.label ?? run.goal.trim().split('\n', 1)[0] ?? '')}</span>
        <span className="num text-11 text-ink-3">
          <Elapsed run={run} />
        </span>
        <span className={`el col-start-2 col-end-4 ${broken ? 'text-bad-text' : 'text-ink-3'}`}>
          {visibleText(broken ? (run.failure_text ?? run.words) : run.words)}
        </span>
      </button>
    </li>
  );
}

function Actions({ set, runs }: { readonly set: SetRow; readonly runs: readonly RunRow[] }) {
  const id = set.delegation_id;
  const open = set.ended_at === null;
  return (
    <span className="flex flex-none">
      {open && <PauseButton id={id} paused={set.paused} name={strings.pause.set(set.set)} />}
      {runs.some((run) => isLive(run.state)) && <StopButton id={id} name={strings.tree.stopSet(set.set)} />}
      {runs.some(isWorthRetrying) && (
        <IconButton icon="retry" name={strings.again.retrySet(set.set)} onClick={() => void retrySet(id)} />
      )}
      {open && (
        <IconButton
          icon="plus"
          name={strings.again.addTo(set.set)}
          onClick={() => {
            const { conversation_id } = set;
            openOverlay({ type: 'batch', project_id: null, conversation_id, delegation_id: id, text: '', name: null });
          }}
        />
      )}
      <SetMenu set={set} failed={runs.some(isWorthRetrying)} />
    </span>
  );
}

function Header({ set, runs }: { readonly set: SetRow; readonly runs: readonly RunRow[] }) {
  const counts = useMemo(() => countMarks(runs.map(markOf)), [runs]);
  const words = runStrings.inspector;
  const tokens = totalTokens(set.totals.tokens);
  return (
    <header className="inspector-header">
      <div className="flex items-center gap-2">
        <h2 className="el grow text-13 font-semi">
          {words.setOf(set.set)} · {words.ended(set.ended, set.count)}
          {set.paused && set.ended_at === null && (
            <span className="font-reg text-ink-2"> · {strings.pause.paused}</span>
          )}
        </h2>
        <Actions set={set} runs={runs} />
      </div>
      {set.title !== null && <p className="el">{visibleText(set.title)}</p>}
      <OutcomeBar counts={counts} width={BAR[useRoom() === 'normal' ? 'normal' : 'compact']} />
      <div className="inspector-numbers is-flush">
        <span className="font-med">
          <Cost of={set.conversation_id} text={formatMoney(set.totals.cost_usd)} word />
        </span>
        <span className="grow" />
        {tokens > 0 && <span className="text-ink-3">{words.tokens(formatTokens(tokens))}</span>}
        <span className="num text-ink-3">
          <Span from={set.started_at} to={set.ended_at} />
        </span>
      </div>
    </header>
  );
}

/** A set in the inspector: its sums, and its runs as a way to each. */
export function SetPanel({ setId }: { readonly setId: string }) {
  const set = useSet(setId);
  const runs = useLive(useShallow((state) => currentRuns(state, setId)));
  if (set === undefined) return <p className="inspector-gone">{runStrings.inspector.gone}</p>;
  return (
    <>
      <Header set={set} runs={runs} />
      <ul className="min-h-0 grow overflow-y-auto" aria-label={runStrings.inspector.runs}>
        {runs.map(({ run_id }) => (
          <Line key={run_id} id={run_id} />
        ))}
      </ul>
    </>
  );
}
