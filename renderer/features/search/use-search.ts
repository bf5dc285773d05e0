import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SearchAnswer } from '../../../core/protocol/search.ts';
import { api, describeFailure } from '../../app/client.ts';
import { kindsOf, type SearchScope } from './hits.ts';

/** A pause in typing before the core is asked. */
const PAUSE_MS = 150;
const FIRST = 50;
/** The most that can be asked for. */
const MOST = 200;

/** What is searched for, and where. */
export interface Search {
  readonly text: string;
  readonly scope: SearchScope;
  readonly project: string | null;
}

export interface SearchState {
  readonly answer: SearchAnswer | null;
  /** The answer is to an earlier question. */
  readonly behind: boolean;
  readonly failure: string | null;
  /** Asks for further hits; null when there are none, or no more can be shown. */
  readonly more: (() => void) | null;
}

function usePaused<T>(value: T): T {
  const [held, setHeld] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      setHeld(value);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [value]);
  return held;
}

/** Searches as one types. What was found stays on the page until the next answer is there. */
export function useSearch({ text, scope, project }: Search): SearchState {
  const typed = text.trim();
  const asked = usePaused(typed);
  const question = JSON.stringify([asked, scope, project]);
  const [wide, setWide] = useState<string | null>(null);
  const limit = wide === question ? MOST : FIRST;
  const kinds = kindsOf(scope);
  const input = { text: asked.slice(0, 1000), project_id: project, limit, ...(kinds === undefined ? {} : { kinds }) };
  const query = useQuery({
    ...api.search.find.queryOptions({ input }),
    enabled: asked !== '',
    // What runs write meanwhile is found too: an old answer is none.
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  if (typed === '') return { answer: null, behind: false, failure: null, more: null };
  const { data, error } = query;
  return {
    answer: data ?? null,
    behind: typed !== asked || query.isPlaceholderData || query.isPending,
    failure: error === null ? null : describeFailure(error).message,
    more: data?.more === true && limit < MOST ? () => setWide(question) : null,
  };
}
