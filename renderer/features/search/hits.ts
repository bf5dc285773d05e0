import type { SearchHit, SearchKind } from '../../../core/protocol/search.ts';

/** The hits of one conversation, in the order in which they came. */
export interface HitGroup {
  readonly conversation_id: string;
  readonly project_id: string;
  readonly hits: readonly SearchHit[];
}

/** Hits by conversation; the one with the newest hit first. */
export function groupHits(hits: readonly SearchHit[]): readonly HitGroup[] {
  const groups = Map.groupBy(hits, (hit) => hit.conversation_id);
  return [...groups.values()]
    .flatMap((list): HitGroup[] => {
      const [first] = list;
      if (first === undefined) return [];
      return [{ conversation_id: first.conversation_id, project_id: first.project_id, hits: list }];
    })
    .sort((a, b) => newest(b) - newest(a));
}

const newest = (group: HitGroup): number => Math.max(...group.hits.map(({ at }) => at));

/** A piece of a snippet: one of the words, or what is around them. */
export interface Piece {
  readonly text: string;
  readonly marked: boolean;
}

/** A snippet in pieces. Marks that overlap or lie outside of it are cut to what can be drawn. */
export function snippetPieces({ snippet, marks }: Pick<SearchHit, 'snippet' | 'marks'>): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const [from, to] of marks.toSorted(([a], [b]) => a - b)) {
    const start = Math.min(Math.max(from, at), snippet.length);
    const end = Math.min(Math.max(to, start), snippet.length);
    if (end === start) continue;
    if (start > at) pieces.push({ text: snippet.slice(at, start), marked: false });
    pieces.push({ text: snippet.slice(start, end), marked: true });
    at = end;
  }
  if (at < snippet.length) pieces.push({ text: snippet.slice(at), marked: false });
  return pieces;
}

/** What to look for in the transcript: the words as they were typed if they stand there so, else the first one that was found. */
export function wordsOfHit(hit: Pick<SearchHit, 'snippet' | 'marks'>, query: string): string {
  const typed = query.trim();
  if (hit.snippet.toLocaleLowerCase().includes(typed.toLocaleLowerCase())) return typed;
  const marked = snippetPieces(hit).find((piece) => piece.marked);
  return marked?.text ?? typed;
}

/** What one searches in. */
export type SearchScope = 'all' | 'titles' | 'results' | 'transcripts';

/** The kinds of a scope; undefined for all. */
export function kindsOf(scope: SearchScope): SearchKind[] | undefined {
  switch (scope) {
    case 'all':
      return undefined;
    case 'titles':
      return ['conversation', 'goal'];
    case 'results':
      return ['result'];
    case 'transcripts':
      return ['entry'];
  }
}

/** Names a hit for as long as the answer is shown. */
export const keyOf = ({ kind, conversation_id, run_id, entry }: SearchHit): string =>
  [kind, conversation_id, run_id ?? '', entry ?? ''].join('/');

/** Names the way to more hits, below all of them. */
export const MORE = 'more';

/** The current one of what is shown: as chosen while it is there, else the first. Empty when nothing is shown. */
export function currentOf(chosen: string, hits: readonly SearchHit[], more: boolean): string {
  const keys = [...groupHits(hits).flatMap((group) => group.hits.map(keyOf)), ...(more ? [MORE] : [])];
  return keys.includes(chosen) ? chosen : (keys[0] ?? '');
}
