import type Database from 'better-sqlite3';
import type { SearchKind } from '../../protocol/search.ts';
import { snippetOf } from './snippet.ts';
import type { SearchWords } from './search-words.ts';

/** What to look for in one project's database. */
export interface SearchQuery extends SearchWords {
  readonly kinds: readonly SearchKind[];
  readonly limit: number;
}

/** A hit as the database knows it: without its project. */
export interface FoundDoc {
  readonly kind: SearchKind;
  readonly conversation_id: string;
  readonly run_id: string | null;
  readonly entry: number | null;
  readonly line: number | null;
  readonly title: string;
  readonly snippet: string;
  readonly marks: [number, number][];
  readonly at: number;
}

interface DocRow {
  readonly kind: SearchKind;
  readonly conversation_id: string;
  readonly run_id: string | null;
  readonly entry: number | null;
  readonly conversation: string;
  readonly run: string | null;
  readonly result: string | null;
  readonly at: number | null;
  readonly meta: string | null;
  readonly text: string | null;
}

// The newest first: the numbers of documents grow, and the index gives them in that order without sorting all hits.
const SQL = `
  SELECT d.kind, c.conversation_id, d.run_id, d.entry, c.row AS conversation, r.row AS run,
    CASE d.kind WHEN 'result' THEN r.result END AS result, e.at, e.meta, substr(e.text, 1, 65536) AS text
  FROM search s
  JOIN search_docs d ON d.doc = s.rowid
  LEFT JOIN runs r ON r.run_id = d.run_id
  JOIN conversations c ON c.conversation_id = coalesce(d.conversation_id, r.conversation_id)
  LEFT JOIN entries e ON e.run_id = d.run_id AND e.entry = d.entry
  WHERE search MATCH ? AND d.kind IN (SELECT value FROM json_each(?))
    AND c.conversation_id NOT IN (SELECT conversation_id FROM erased)
  ORDER BY s.rowid DESC LIMIT ?`;

/** Searches one project's database; blocks meanwhile. One hit more than `limit` is not returned, but told. */
export function searchDatabase(
  raw: Database.Database,
  { match, words, kinds, limit }: SearchQuery,
): { hits: FoundDoc[]; more: boolean } {
  const rows = raw.prepare<unknown[], DocRow>(SQL).all(match, JSON.stringify(kinds), limit + 1);
  return { hits: rows.slice(0, limit).map((row) => toFound(row, words)), more: rows.length > limit };
}

function toFound(row: DocRow, words: readonly string[]): FoundDoc {
  const conversation = JSON.parse(row.conversation) as { title: string; updated_at: number };
  const run = row.run === null ? null : (JSON.parse(row.run) as RunFacts);
  const { kind, conversation_id, run_id, entry } = row;
  return {
    ...{ kind, conversation_id, run_id, entry },
    ...placeOf(row, partsOf(row, conversation.title, run), words),
    title: run === null ? conversation.title : (run.label ?? run.goal),
    at: row.at ?? run?.ended_at ?? run?.queued_at ?? conversation.updated_at,
  };
}

/** The words in the text, if they are there: only that has lines. Else in what stands above it. */
function placeOf(
  { kind }: DocRow,
  { head, text }: { readonly head: string; readonly text: string },
  words: readonly string[],
): Pick<FoundDoc, 'line' | 'snippet' | 'marks'> {
  const inText = snippetOf(text, words);
  const shown = inText.found === null && head !== '' ? snippetOf(head, words) : inText;
  return {
    line: kind === 'entry' && inText.found !== null ? lineOf(text, inText.found) : null,
    snippet: shown.text,
    marks: shown.marks.map(([start, end]) => [start, end]),
  };
}

interface RunFacts {
  readonly label: string | null;
  readonly goal: string;
  readonly queued_at: number;
  readonly ended_at: number | null;
}

/** The searched text, and what stands above it. */
function partsOf(row: DocRow, title: string, run: RunFacts | null): { head: string; text: string } {
  switch (row.kind) {
    case 'conversation':
      return { head: '', text: title };
    case 'goal':
      return { head: run?.label ?? '', text: run?.goal ?? '' };
    case 'result': {
      const result = JSON.parse(row.result ?? '{}') as { summary?: string; error?: string; output?: unknown };
      const output = result.output === undefined ? '' : JSON.stringify(result.output);
      return { head: '', text: [result.summary, result.error, output].filter(Boolean).join('\n') };
    }
    case 'entry': {
      const meta = JSON.parse(row.meta ?? '{}') as { title?: string; arguments?: string };
      return { head: [meta.title, meta.arguments].filter(Boolean).join('\n'), text: row.text ?? '' };
    }
  }
}

function lineOf(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < place; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
