import type { UsageAnswer } from '../../../core/protocol/history.ts';
import { useConversation, useProjects } from '../../app/live-rows.ts';
import { useUi } from '../../app/ui-store.ts';
import { formatDay, formatMoney, formatTokens } from '../../shared/format.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { workStrings } from '../../shared/work-strings.ts';
import { MoneyBar } from '../../ui/money-bar.tsx';
import { totalsByProject, type DayTotal } from './days.ts';

const words = workStrings.usage;

/** A cost; with an unknown price in it, what it is at least (R5). */
export const costWords = ({ cost_usd, unknown }: DayTotal): string =>
  unknown ? words.atLeast(formatMoney(cost_usd)) : formatMoney(cost_usd);

/** What is spent of a limit, as a bar and in numbers. */
function Budget({ name, spent, limit }: { readonly name: string; readonly spent: number; readonly limit: number }) {
  return (
    <p className="flex items-center gap-2">
      <span className="el grow text-ink-2">{name}</span>
      <MoneyBar spent={spent} limit={limit} width={160} />
      <span className="num">{words.of(formatMoney(spent), formatMoney(limit))}</span>
    </p>
  );
}

export function Budgets({ today, dayLimit }: { readonly today: number; readonly dayLimit: number | null }) {
  const conversation = useConversation(useUi((state) => state.conversation));
  const treeLimit = conversation?.tree_limits?.max_cost_usd ?? null;
  return (
    <div className="usage-part">
      {dayLimit === null ? (
        <p className="text-ink-3">{words.noDayLimit}</p>
      ) : (
        <Budget name={words.dayLimit} spent={today} limit={dayLimit} />
      )}
      {conversation !== undefined && treeLimit !== null && (
        <Budget name={visibleText(conversation.title)} spent={conversation.cost_usd ?? 0} limit={treeLimit} />
      )}
    </div>
  );
}

export function UsageTable({ days, answer }: { readonly days: readonly DayTotal[]; readonly answer: UsageAnswer }) {
  const projects = useProjects();
  const nameOf = (id: string): string => visibleText(projects.find(({ project_id }) => project_id === id)?.name ?? id);
  const rows = [
    ...totalsByProject(answer.days).map((row) => ({ ...row, key: row.project_id, name: nameOf(row.project_id) })),
    ...days.filter((day) => day.tokens > 0 || day.cost_usd > 0).toReversed().map((row) => ({ ...row, key: row.day, name: formatDay(row.day) })), // prettier-ignore
  ];
  return (
    <div className="usage-table" role="region" aria-label={words.table} tabIndex={0}>
      <table>
        <caption className="sr-note">{words.table}</caption>
        <thead>
          <tr>
            <th scope="col">{words.projectOrDay}</th>
            <th scope="col">{words.measures.cost}</th>
            <th scope="col">{words.measures.tokens}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{row.name}</th>
              <td>{costWords(row)}</td>
              <td>{formatTokens(row.tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
