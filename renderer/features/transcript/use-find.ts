import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useLive } from '../../app/live.ts';
import { loadEntries } from '../../app/live.ts';
import { findEntries, gapAbove, nextMatch } from './find.ts';
import { setRowOpen } from './open-rows.ts';

export interface Find {
  readonly query: string;
  readonly setQuery: (query: string) => void;
  readonly found: readonly number[];
  /** Place of the shown match among them, from 0; -1 while none is. */
  readonly place: number;
  readonly target: { readonly entry: number } | null;
  readonly go: (step: 1 | -1) => void;
}

/** Entries asked for at once while finding. */
const PAGE_SIZE = 1000;

/** Finds in one transcript. While something is looked for, what has not arrived yet is brought, page by page. */
export function useFind(runId: string, first: number): Find {
  const [query, setQuery] = useState('');
  const [target, setTarget] = useState<{ readonly entry: number } | null>(null);
  const wanted = useDeferredValue(query);
  const transcript = useLive((state) => (wanted.trim() === '' ? undefined : state.transcripts.get(runId)));
  const settled = useDeferredValue(transcript);
  const found = useMemo(() => findEntries(settled, wanted), [settled, wanted]);

  const looking = wanted.trim() !== '';
  useEffect(() => {
    const gap = gapAbove(first, PAGE_SIZE);
    if (!looking || gap === null) return;
    // Without them the matches are those of what is here; scrolling up asks again.
    loadEntries(runId, gap.from, gap.limit).catch(() => undefined);
  }, [looking, runId, first]);

  return {
    query,
    setQuery: (next) => {
      setQuery(next);
      setTarget(null);
    },
    found,
    place: target === null ? -1 : found.indexOf(target.entry),
    target,
    go: (step) => {
      const entry = nextMatch(found, target?.entry ?? null, step);
      if (entry === null) return;
      setRowOpen(`${runId}/e${entry}`, true);
      setTarget({ entry });
    },
  };
}
