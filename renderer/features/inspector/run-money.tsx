import type { RunRow } from '../../../core/protocol/rows.ts';
import { Cost } from '../../app/cost.tsx';
import { formatMoney, formatTokens } from '../../shared/format.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { Elapsed } from '../../ui/elapsed.tsx';
import { MoneyBar } from '../../ui/money-bar.tsx';
import { moneyTitle, turnWords } from './header-words.ts';

const words = runStrings.inspector;

/** What it has cost with everything below it; against its limit stands what it has spent itself, hatched what its open request holds. */
function Money({ run }: { readonly run: RunRow }) {
  const { cost_usd: own, total_cost_usd: total, max_cost_usd: limit, in_flight: open } = run;
  if (total === null) return run.turns > 0 ? <span className="text-ink-3">{words.noPrice}</span> : null;
  if (total === 0 && run.turns === 0 && limit === null) return null;
  return (
    <span className="flex items-center gap-2" title={moneyTitle(run)}>
      <span className="font-med">
        <Cost of={run.conversation_id} text={formatMoney(total)} word />
      </span>
      {limit !== null && (
        <>
          <MoneyBar spent={own ?? total} held={open?.cost_usd ?? 0} limit={limit} width={96} />
          <span className="text-ink-2">{formatMoney(limit)}</span>
        </>
      )}
    </span>
  );
}

/** What the run has used: money, turns, tokens, time. */
export function Numbers({ run }: { readonly run: RunRow }) {
  const tokens = run.total_tokens;
  return (
    <div className="inspector-numbers">
      <Money run={run} />
      <span className="grow" />
      {run.runner !== 'command' && <span className="text-ink-3">{turnWords(run)}</span>}
      {tokens > 0 && <span className="text-ink-3">{words.tokens(formatTokens(tokens))}</span>}
      <span className="num text-ink-3">
        <Elapsed run={run} />
      </span>
    </div>
  );
}
