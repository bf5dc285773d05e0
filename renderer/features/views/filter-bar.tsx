import { useMemo, type ReactNode } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { setFilter, useFilter } from '../../app/filter-state.ts';
import { useLive } from '../../app/live.ts';
import { viewStrings } from '../../shared/view-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { isFiltered, STATUS_GROUPS, type Filter, type StatusGroup } from '../../app/filter.ts';
import { PendingCompare } from './compare/pending-compare.tsx';
import { ReplayButton } from './replay-button.tsx';

const words = viewStrings.filter;

const STATUS_OPTIONS: readonly SelectOption[] = [
  { value: '', label: words.anyStatus },
  ...STATUS_GROUPS.map((value) => ({ value, label: words.groups[value] })),
];

/** Agents of a conversation's runs, by name. */
function useAgents(conversation: string): readonly string[] {
  return useLive(
    useShallow((state) => {
      const names = new Set<string>();
      for (const run of state.runs.values()) if (run.conversation_id === conversation) names.add(run.agent);
      return [...names].sort((a, b) => a.localeCompare(b));
    }),
  );
}

function useSetOptions(conversation: string): readonly SelectOption[] {
  const sets = useLive(
    useShallow((state) => (state.setsOf.get(conversation) ?? []).flatMap((id) => state.sets.get(id) ?? [])),
  );
  return useMemo(
    () => [
      { value: '', label: words.anySet },
      ...sets.map(({ delegation_id, set, title }) => ({
        value: delegation_id,
        label: words.setOption(set, visibleText((title ?? '').slice(0, 60))),
      })),
    ],
    [sets],
  );
}

type Change = (part: Partial<Filter>) => void;

function Choices({
  conversationId,
  filter,
  change,
}: {
  readonly conversationId: string;
  readonly filter: Filter;
  readonly change: Change;
}) {
  const agents = useAgents(conversationId);
  const sets = useSetOptions(conversationId);
  return (
    <>
      <Select
        name={words.status}
        value={filter.status}
        options={STATUS_OPTIONS}
        onChange={(status) => {
          change({ status: status as StatusGroup | '' });
        }}
      />
      <Select
        name={words.agent}
        value={filter.agent}
        options={[
          { value: '', label: words.anyAgent },
          ...agents.map((value) => ({ value, label: visibleText(value) })),
        ]}
        onChange={(agent) => {
          change({ agent });
        }}
      />
      <Select
        name={words.set}
        className="view-set"
        value={filter.set}
        options={sets}
        onChange={(set) => {
          change({ set });
        }}
      />
    </>
  );
}

/** What a view shows of the conversation: by text, status, agent, set; how many runs that are; and what is being compared. */
export function FilterBar({
  conversationId,
  shown,
  all,
  children,
  replay = false,
}: {
  readonly conversationId: string;
  readonly shown: number;
  readonly all: number;
  readonly children?: ReactNode;
  /** Whether the view has its replay on demand: a timeline always has it. */
  readonly replay?: boolean;
}) {
  const filter = useFilter(conversationId);
  const change: Change = (part) => {
    setFilter(conversationId, part);
  };
  return (
    <div className="view-bar" role="search" aria-label={words.name}>
      <label className="view-search field">
        <Icon name="search" />
        <input
          type="text"
          aria-label={words.text}
          placeholder={words.textPlace}
          value={filter.text}
          onChange={(event) => {
            change({ text: event.target.value });
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') change({ text: '' });
          }}
        />
      </label>
      <Choices conversationId={conversationId} filter={filter} change={change} />
      {isFiltered(filter) && (
        <IconButton
          icon="close"
          name={words.clear}
          onClick={() => {
            change({ text: '', status: '', agent: '', set: '' });
          }}
        />
      )}
      <span className="num text-11 text-ink-3" role="status">
        {all > 0 && words.shown(shown, all)}
      </span>
      <span className="grow" />
      <PendingCompare />
      {replay && <ReplayButton />}
      {children}
    </div>
  );
}
