import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, describeFailure } from '../../app/client.ts';
import { useProjects } from '../../app/live-rows.ts';
import { closeOverlay, useOverlay } from '../../app/ui-store.ts';
import { formatTokens } from '../../shared/format.ts';
import { strings } from '../../shared/strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { workStrings } from '../../shared/work-strings.ts';
import { IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { DayChart } from './day-chart.tsx';
import { lastDays, sum, totalsByDay } from './days.ts';
import { Budgets, costWords, UsageTable } from './usage-parts.tsx';
import './usage.css';

const words = workStrings.usage;
const SPANS = ['7', '30', '90'] as const;
type Measure = 'cost' | 'tokens';

interface Choice {
  readonly measure: Measure;
  /** Empty for all. */
  readonly project: string;
  /** Days. */
  readonly span: string;
}

function Choices({ choice, onChange }: { readonly choice: Choice; readonly onChange: (choice: Choice) => void }) {
  const projects = useProjects();
  return (
    <>
      <Select
        name={words.measure}
        value={choice.measure}
        options={[
          { value: 'cost', label: words.measures.cost },
          { value: 'tokens', label: words.measures.tokens },
        ]}
        onChange={(value) => onChange({ ...choice, measure: value === 'tokens' ? 'tokens' : 'cost' })}
      />
      <Select
        name={words.project}
        value={choice.project}
        options={[
          { value: '', label: words.allProjects },
          ...projects.map(({ project_id, name, scripted }) => ({
            value: project_id,
            label: scripted === true ? words.scriptedProject(visibleText(name)) : visibleText(name),
          })),
        ]}
        onChange={(project) => onChange({ ...choice, project })}
      />
      <Select
        name={words.span}
        value={choice.span}
        options={SPANS.map((value) => ({ value, label: words.days(Number(value)) }))}
        onChange={(span) => onChange({ ...choice, span })}
      />
    </>
  );
}

function Problems({ messages }: { readonly messages: readonly string[] }) {
  return messages.map((message) => (
    <p key={message} className="usage-part text-bad-text" role="alert">
      {words.failed(visibleText(message))}
    </p>
  ));
}

/** What was used of what is chosen. The limit of a day is that of all projects together. */
function useUsage({ project, span }: Choice) {
  const settings = useQuery(api.settings.get.queryOptions()).data;
  const names = lastDays(new Date(), Number(span));
  const input = { from: names[0] ?? '', to: names.at(-1) ?? '', project_id: project === '' ? null : project };
  const { data, error } = useQuery({ ...api.usage.days.queryOptions({ input }), staleTime: 0 });
  const failure = error === null ? [] : [describeFailure(error).message];
  return {
    data,
    days: totalsByDay(names, data?.days ?? []),
    problems: [...failure, ...(data?.problems ?? []).map(({ message }) => message)],
    dayLimit: project === '' ? (settings?.limits.dayCostUsd ?? null) : null,
  };
}

function Body() {
  const [choice, setChoice] = useState<Choice>({ measure: 'cost', project: '', span: '30' });
  const { measure } = choice;
  const { data, days: totals, problems, dayLimit } = useUsage(choice);
  const total = sum('', totals);
  return (
    <>
      <div className="usage-head">
        <p className="grow" role="status">
          <span className="text-15 font-semi">{costWords(total)}</span>{' '}
          <span className="text-ink-3">{words.tokens(formatTokens(total.tokens))}</span>
        </p>
        <Choices choice={choice} onChange={setChoice} />
      </div>
      <DayChart
        days={totals}
        valueOf={(day) => (measure === 'cost' ? day.cost_usd : day.tokens)}
        wordsOf={(day) => (measure === 'cost' ? costWords(day) : words.tokens(formatTokens(day.tokens)))}
        limit={measure === 'cost' ? dayLimit : null}
      />
      <Budgets today={totals.at(-1)?.cost_usd ?? 0} dayLimit={dayLimit} />
      <Problems messages={problems} />
      {data !== undefined && <UsageTable days={totals} answer={data} />}
    </>
  );
}

/** What was used, by day and project, with the limits: the overlay `usage`. */
export function UsageDialog() {
  const open = useOverlay((state) => state.overlay?.type === 'usage');
  if (!open) return null;
  return (
    <Dialog name={words.title} onClose={closeOverlay} className="w-[720px]">
      <div className="flex items-center px-4 pt-3">
        <h2 className="grow text-15 font-semi">{words.title}</h2>
        <IconButton icon="close" name={strings.dialog.close} onClick={closeOverlay} />
      </div>
      <Body />
    </Dialog>
  );
}
