import { isLive } from '../../../core/protocol/lifecycle.ts';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { totalTokens } from '../../../core/protocol/token-sums.ts';
import { StopButton } from '../../app/stop-button.tsx';
import { formatMoney, formatTokens } from '../../shared/format.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { markOf } from '../../shared/status.ts';
import { strings } from '../../shared/strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Elapsed } from '../../ui/elapsed.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { MoneyBar } from '../../ui/money-bar.tsx';
import { costTitle, headerWords, modelWords, placeWords, turnWords, type HeaderTone } from './header-words.ts';

const TONES: Readonly<Record<HeaderTone, string>> = {
  live: 'text-accent',
  wait: 'text-wait',
  need: 'text-need',
  warn: 'text-warn',
  bad: 'text-bad-text',
  quiet: 'text-ink-2',
};

const titleOf = (run: RunRow): string => run.label ?? run.goal.trim().split('\n', 1)[0] ?? '';

function menuOf(run: RunRow): readonly (readonly MenuItem[])[] {
  const words = runStrings.inspector;
  const copies: readonly MenuItem[] = [
    { label: words.copyGoal, icon: 'copy', onSelect: () => void navigator.clipboard.writeText(run.goal) },
    { label: words.copyId, icon: 'copy', onSelect: () => void navigator.clipboard.writeText(run.run_id) },
  ];
  return [copies];
}

function Money({ run }: { readonly run: RunRow }) {
  const { cost_usd: cost, max_cost_usd: limit } = run;
  const words = runStrings.inspector;
  if (cost === null) return run.turns > 0 ? <span className="text-ink-3">{words.noPrice}</span> : null;
  if (cost === 0 && run.turns === 0 && limit === null) return null;
  return (
    <span className="flex items-center gap-2" title={limit === null ? costTitle(run) : words.moneyTitle}>
      <span className="font-med">{formatMoney(cost)}</span>
      {limit !== null && (
        <>
          <MoneyBar spent={cost} limit={limit} width={96} />
          <span className="text-ink-2">{formatMoney(limit)}</span>
        </>
      )}
    </span>
  );
}

function Numbers({ run }: { readonly run: RunRow }) {
  const tokens = totalTokens(run.tokens);
  return (
    <div className="inspector-numbers">
      <Money run={run} />
      <span className="grow" />
      {run.runner !== 'command' && <span className="text-ink-3">{turnWords(run)}</span>}
      {tokens > 0 && <span className="text-ink-3">{runStrings.inspector.tokens(formatTokens(tokens))}</span>}
      <span className="num text-ink-3">
        <Elapsed run={run} />
      </span>
    </div>
  );
}

/** The model stands after the agent's mark; the others are words. */
function Place({ run }: { readonly run: RunRow }) {
  return (
    <div className="inspector-place">
      {placeWords(run).map((word) => (
        <span key={word} className={word === run.agent ? 'flex min-w-0 items-center gap-1' : 'el'}>
          {word === run.agent && <AgentMark agent={run.agent} />}
          <span className="el" title={run.model !== null && word === modelWords(run.model) ? run.model : undefined}>
            {word}
          </span>
        </span>
      ))}
    </div>
  );
}

/** What the selected run is, how it stands and why, what it has used. */
export function RunHeader({ run }: { readonly run: RunRow }) {
  const { tone, status, detail } = headerWords(run);
  const title = visibleText(titleOf(run));
  return (
    <header className="inspector-header">
      <div className="flex items-center gap-2">
        <Glyph mark={markOf(run)} named />
        <h2 className="el grow text-13 font-semi" title={visibleText(run.goal.slice(0, 2000))}>
          {title}
        </h2>
        <span className="flex flex-none">
          {isLive(run.state) && <StopButton id={run.run_id} name={strings.tree.stopRun(title)} />}
          <Menu trigger={<IconButton icon="more" name={runStrings.inspector.more} />} groups={menuOf(run)} />
        </span>
      </div>
      <div className="inspector-line">
        <span className={`flex-none font-med ${TONES[tone]}`}>{status}</span>
        <span className="el text-ink-2" title={visibleText(detail)}>
          {visibleText(detail)}
        </span>
      </div>
      <Place run={run} />
      <Numbers run={run} />
    </header>
  );
}
