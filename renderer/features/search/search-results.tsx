import { Command as Parts } from 'cmdk';
import type { SearchAnswer, SearchHit } from '../../../core/protocol/search.ts';
import { useLive } from '../../app/live.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { workStrings } from '../../shared/work-strings.ts';
import { HitLine } from './hit-line.tsx';
import { groupHits, keyOf, MORE, type HitGroup } from './hits.ts';

const words = workStrings.search;

function Heading({ group }: { readonly group: HitGroup }) {
  const title = useLive((state) => state.conversations.get(group.conversation_id)?.title);
  const project = useLive((state) => state.projects.get(group.project_id)?.name);
  return (
    <span className="search-group">
      <span className="el text-ink-1">{title === undefined ? words.unnamed : visibleText(title)}</span>
      {project !== undefined && <span className="el flex-none text-ink-3">{visibleText(project)}</span>}
    </span>
  );
}

/** The hits, conversation by conversation, and the way to more of them. */
export function SearchResults({
  answer,
  more,
  onOpen,
}: {
  readonly answer: SearchAnswer;
  readonly more: (() => void) | null;
  readonly onOpen: (hit: SearchHit) => void;
}) {
  return (
    <>
      {groupHits(answer.hits).map((group) => (
        <Parts.Group
          key={group.conversation_id}
          value={group.conversation_id}
          heading={<Heading group={group} />}
          className="search-hits"
        >
          {group.hits.map((hit) => (
            <Parts.Item key={keyOf(hit)} value={keyOf(hit)} className="search-hit" onSelect={() => onOpen(hit)}>
              <HitLine hit={hit} />
            </Parts.Item>
          ))}
        </Parts.Group>
      ))}
      {more !== null && (
        <Parts.Item value={MORE} className="palette-item search-more" onSelect={more}>
          {words.more}
        </Parts.Item>
      )}
    </>
  );
}

/** What could not be searched, in words. */
export function SearchProblems({ problems }: { readonly problems: SearchAnswer['problems'] }) {
  const projects = useLive((state) => state.projects);
  if (problems.length === 0) return null;
  return (
    <ul className="search-problems" role="alert">
      {problems.map(({ project_id, message }) => (
        <li key={project_id}>
          {words.notSearched(visibleText(projects.get(project_id)?.name ?? project_id), visibleText(message))}
        </li>
      ))}
    </ul>
  );
}
