import { useCallback, useRef, useState } from 'react';
import { loadEntries } from '../../app/live.ts';

export interface Earlier {
  readonly state: 'idle' | 'loading' | 'failed';
  /** Asks for the entries before the first one that is there; while it does, a further call does nothing. */
  readonly load: () => void;
}

/** Entries asked for at once when one scrolls up. */
const PAGE_SIZE = 200;

/** Brings earlier entries of a transcript, from the one before `first` upwards. */
export function useEarlier(runId: string, first: number): Earlier {
  const [state, setState] = useState<Earlier['state']>('idle');
  const busy = useRef(false);
  const load = useCallback(() => {
    if (busy.current || first === 0) return;
    busy.current = true;
    setState('loading');
    const from = Math.max(0, first - PAGE_SIZE);
    loadEntries(runId, from, first - from)
      .then(
        () => {
          setState('idle');
        },
        () => {
          setState('failed');
        },
      )
      .finally(() => {
        busy.current = false;
      });
  }, [runId, first]);
  return { state, load };
}
