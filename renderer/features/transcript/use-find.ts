import { useEffect, useState } from 'react';
import { useEntryCount } from '../../app/live-rows.ts';
import { loadEntries, useLive } from '../../app/live.ts';
import { findEntries, gapAbove, nextMatch } from './find.ts';
import { placeOf, type ItemList } from './items.ts';
import { setRowOpen } from './open-rows.ts';

export interface Find {
  readonly query: string;
  readonly setQuery: (query: string) => void;
  readonly found: readonly number[];
  /** The matches of this query are still being looked for. */
  readonly behind: boolean;
  /** Place of the shown match among them, from 0; -1 while none is. */
  readonly place: number;
  readonly target: FindTarget | null;
  readonly go: (step: 1 | -1) => void;
  /** Goes to an entry, near a line of its text. */
  readonly show: (entry: number, line: number | null) => void;
}

/** The entry that is shown, and the line in it if it is known, from 1. */
export interface FindTarget {
  readonly entry: number;
  readonly line: number | null;
}

/** Entries asked for at once while finding. */
const PAGE_SIZE = 1000;
/** A pause in typing, or in what arrives, before all entries are gone through. */
const PAUSE_MS = 120;

interface Matches {
  readonly query: string;
  readonly found: readonly number[];
}

/** The matches of a query in what has arrived; again when entries were added, not with every delta. */
function useMatches(runId: string, query: string, first: number): Matches | null {
  const [matches, setMatches] = useState<Matches | null>(null);
  const count = useEntryCount(runId);
  useEffect(() => {
    if (query.trim() === '') return;
    const timer = setTimeout(() => {
      setMatches({ query, found: findEntries(useLive.getState().transcripts.get(runId), query) });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [runId, query, first, count]);
  return matches?.query === query ? matches : null;
}

/** Opens what hides an entry: its fold, or its own body. */
function unfold(runId: string, { items }: ItemList, entry: number): void {
  const item = items[placeOf(items, entry)];
  if (item?.type === 'reads') {
    setRowOpen(`${runId}/g${item.first}`, true);
    setRowOpen(`${runId}/r${entry}`, true);
  } else setRowOpen(`${runId}/e${entry}`, true);
}

const NONE: readonly number[] = [];

/** Finds in one transcript. While something is looked for, what has not arrived yet is brought, page by page. */
export function useFind(runId: string, list: ItemList): Find {
  const [query, setQuery] = useState('');
  const [target, setTarget] = useState<FindTarget | null>(null);
  const matches = useMatches(runId, query, list.first);
  const found = matches?.found ?? NONE;

  const looking = query.trim() !== '';
  useEffect(() => {
    const gap = gapAbove(list.first, PAGE_SIZE);
    if (!looking || gap === null) return;
    // Without them the matches are those of what is here; scrolling up asks again.
    loadEntries(runId, gap.from, gap.limit).catch(() => undefined);
  }, [looking, runId, list.first]);

  return {
    query,
    setQuery: (next) => {
      setQuery(next);
      setTarget(null);
    },
    found,
    behind: matches === null,
    place: target === null ? -1 : found.indexOf(target.entry),
    target,
    go: (step) => {
      const entry = nextMatch(found, target?.entry ?? null, step);
      if (entry === null) return;
      unfold(runId, list, entry);
      setTarget({ entry, line: null });
    },
    show: (entry, line) => {
      unfold(runId, list, entry);
      setTarget({ entry, line });
    },
  };
}
