import type { SearchHit } from '../../../core/protocol/search.ts';
import { formatAge } from '../../shared/format.ts';
import { useNow } from '../../shared/ticks.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { workStrings } from '../../shared/work-strings.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { snippetPieces } from './hits.ts';

const words = workStrings.search;

const ICONS: Readonly<Record<SearchHit['kind'], IconName>> = {
  conversation: 'delegate',
  goal: 'right',
  // Of a run that failed it is a result too: no mark of success.
  result: 'end',
  entry: 'file',
};

/** Marks of bold text, which an excerpt does not draw; those of a path pattern stay. */
const BOLD = /(?<!\/)\*\*(?!\/)/g;

function place({ kind, line }: SearchHit): string {
  const name = words.kinds[kind];
  // Most entries are one line: to be in the first says nothing.
  return line === null || line === 1 ? name : `${name}, ${words.line(line)}`;
}

/** One place: whose it is, where in it, and the words with what is around them. */
export function HitLine({ hit }: { readonly hit: SearchHit }) {
  const now = useNow();
  return (
    <>
      <span className="search-mark">
        <Icon name={ICONS[hit.kind]} />
      </span>
      <span className="el font-med">{visibleText(hit.title)}</span>
      <span className="search-place">
        {place(hit)} · {formatAge(hit.at, now)}
      </span>
      <span className="search-snippet el">
        {snippetPieces(hit).map(({ text, marked }, at) =>
          marked ? (
            <mark key={at}>{visibleText(text)}</mark>
          ) : (
            <span key={at}>{visibleText(text.replaceAll(BOLD, ''))}</span>
          ),
        )}
      </span>
    </>
  );
}
