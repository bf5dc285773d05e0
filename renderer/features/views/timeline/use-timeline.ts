import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { isLive } from '../../../../core/protocol/lifecycle.ts';
import type { RunRow } from '../../../../core/protocol/rows.ts';
import { api } from '../../../app/client.ts';
import { useLive } from '../../../app/live.ts';
import type { LiveState } from '../../../app/live-state.ts';
import { useNow } from '../../../shared/ticks.ts';
import { livesOf, type Life } from './lives.ts';
import { busyTimes, idleGaps, type Interval } from './time-scale.ts';

/** Bars need not follow each delta: the rows beside them do. */
const SLOW_MS = 500;
/** A move of a run is asked for again after this, and later the more there is to read. */
const AGAIN_MS = 1000;
const AGAIN_PER_SPAN_MS = 0.2;

/** The live rows, looked at twice a second while they change. */
function useSlowRows(): LiveState {
  const [state, setState] = useState(useLive.getState);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const unsubscribe = useLive.subscribe((next, last) => {
      if (next.runs === last.runs && next.sets === last.sets) return;
      timer ??= setTimeout(() => {
        timer = null;
        setState(useLive.getState());
      }, SLOW_MS);
    });
    return () => {
      unsubscribe();
      if (timer !== null) clearTimeout(timer);
    };
  }, []);
  return state;
}

const signatureOf = (runs: readonly RunRow[]): string =>
  runs.map(({ run_id, state, reason }) => `${run_id}${state}${reason ?? ''}`).join();

/** Asks again for what has happened whenever a run has moved. */
function useAgain(signature: string, spans: number, again: () => void): void {
  const asked = useRef<string | null>(null);
  useEffect(() => {
    if (asked.current === null) {
      asked.current = signature;
      return;
    }
    if (asked.current === signature) return;
    const timer = setTimeout(
      () => {
        asked.current = signature;
        again();
      },
      AGAIN_MS + spans * AGAIN_PER_SPAN_MS,
    );
    return () => {
      clearTimeout(timer);
    };
  }, [signature, spans, again]);
}

/** All that the timeline of a conversation is drawn from. */
export interface TimelineData {
  readonly rows: LiveState;
  /** Every run of the conversation, those that others have replaced too. */
  readonly runs: readonly RunRow[];
  readonly lives: ReadonlyMap<string, Life>;
  readonly from: number;
  /** The last moment: now, or the end of what has ended. */
  readonly to: number;
  readonly live: boolean;
  readonly busy: readonly Interval[];
  readonly gaps: readonly Interval[];
}

function endOf(lives: Iterable<Life>, from: number): number {
  let end = from;
  for (const life of lives) end = Math.max(end, life.endedAt ?? 0, life.stretches.at(-1)?.to ?? 0);
  return end;
}

/** A lead that waits to be spoken to keeps the conversation open, but nothing goes on. */
const goesOn = (run: RunRow): boolean => isLive(run.state) && !(run.lead && run.reason === 'user');

/** Reads what has happened in a conversation, and goes on with it. */
export function useTimeline(conversationId: string) {
  const rows = useSlowRows();
  const query = useQuery({
    ...api.history.timeline.queryOptions({ input: { conversation_id: conversationId } }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const runs = useMemo(
    () => [...rows.runs.values()].filter((run) => run.conversation_id === conversationId),
    [rows.runs, conversationId],
  );
  const spans = query.data?.spans;
  const signature = useMemo(() => signatureOf(runs), [runs]);
  const { refetch } = query;
  const again = useMemo(() => () => void refetch(), [refetch]);
  useAgain(signature, spans?.length ?? 0, again);
  const live = runs.some(goesOn);
  const now = useNow(live);
  const lives = useMemo(() => livesOf(spans ?? [], runs), [spans, runs]);
  const data = useMemo((): TimelineData => {
    const from = [...lives.values()].reduce(
      (least, { stretches }) => Math.min(least, stretches[0]?.from ?? least),
      now,
    );
    const to = live ? Math.max(now, from) : endOf(lives.values(), from);
    const busy = busyTimes(lives.values(), to);
    return { rows, runs, lives, from, to, live, busy, gaps: idleGaps(busy, from, to) };
  }, [rows, runs, lives, live, now]);
  return { data, ready: spans !== undefined, error: query.error, cut: query.data?.cut ?? false, again };
}
