import { Command as Parts } from 'cmdk';
import { useEffect, useRef, useState } from 'react';
import type { SearchHit } from '../../../core/protocol/search.ts';
import { useProjects } from '../../app/live-rows.ts';
import { closeOverlay, useOverlay } from '../../app/ui-store.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { workStrings } from '../../shared/work-strings.ts';
import { KeyCap } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Select } from '../../ui/select.tsx';
import { currentOf, groupHits, type SearchScope } from './hits.ts';
import { openHit } from './open-hit.ts';
import { SearchProblems, SearchResults } from './search-results.tsx';
import { useSearch, type Search, type SearchState } from './use-search.ts';
import './search.css';

const words = workStrings.search;

const SCOPES = (['all', 'titles', 'results', 'transcripts'] as const satisfies readonly SearchScope[]).map((value) => ({
  value,
  label: words.scopes[value],
}));
const isScope = (value: string): value is SearchScope => SCOPES.some((scope) => scope.value === value);

function Choices({
  search,
  onChange,
}: {
  readonly search: Search;
  readonly onChange: (part: Partial<Search>) => void;
}) {
  const projects = useProjects();
  const options = projects.map(({ project_id, name }) => ({ value: project_id, label: visibleText(name) }));
  return (
    <>
      <Select
        bare
        name={words.where}
        value={search.scope}
        options={SCOPES}
        onChange={(scope) => {
          if (isScope(scope)) onChange({ scope });
        }}
      />
      {projects.length > 1 && (
        <Select
          bare
          name={words.project}
          value={search.project ?? ''}
          options={[{ value: '', label: words.allProjects }, ...options]}
          onChange={(project) => onChange({ project: project === '' ? null : project })}
        />
      )}
    </>
  );
}

/** What the list says of itself. */
function statusOf(text: string, { answer, behind, failure, more }: SearchState): string {
  if (text.trim() === '') return words.hint;
  if (failure !== null) return words.failed(failure);
  if (answer === null) return words.searching;
  if (answer.hits.length === 0) return behind ? words.searching : words.none;
  const count = words.count(answer.hits.length, groupHits(answer.hits).length);
  if (!answer.more) return count;
  return more === null ? `${words.atLeast(count)}. ${words.tooMany}` : words.atLeast(count);
}

function Body({ first }: { readonly first: string }) {
  const [search, setSearch] = useState<Search>({ text: first, scope: 'all', project: null });
  const change = (part: Partial<Search>): void => setSearch((before) => ({ ...before, ...part }));
  const state = useSearch(search);
  const [chosen, setChosen] = useState('');
  // When an answer takes the place of another one, the one that was current may be gone: without this none would be.
  const current = currentOf(chosen, state.answer?.hits ?? [], state.more !== null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const open = (hit: SearchHit): void => {
    closeOverlay();
    openHit(hit, search.text);
  };
  return (
    <Parts label={words.label} shouldFilter={false} loop value={current} onValueChange={setChosen}>
      <div className="palette-search">
        <Icon name="search" />
        <Parts.Input
          ref={input}
          placeholder={words.placeholder}
          value={search.text}
          onValueChange={(text) => change({ text })}
        />
        <KeyCap chord="escape" />
      </div>
      <div className="search-bar">
        <p className="el grow text-ink-3" role="status">
          {statusOf(search.text, state)}
        </p>
        <Choices search={search} onChange={change} />
      </div>
      {state.answer !== null && <SearchProblems problems={state.answer.problems} />}
      <Parts.List className="search-list" label={words.list} data-behind={state.behind}>
        {state.answer !== null && <SearchResults answer={state.answer} more={state.more} onOpen={open} />}
      </Parts.List>
    </Parts>
  );
}

/** The search over everything: titles, goals, results and transcripts of all projects. */
export function SearchDialog() {
  const overlay = useOverlay((state) => state.overlay);
  if (overlay?.type !== 'search') return null;
  return (
    <Dialog name={words.title} onClose={closeOverlay} className="search-dialog" top>
      <Body first={overlay.text} />
    </Dialog>
  );
}
