import { byLastChange, byLastUse, byOpening } from '../../core/protocol/order.ts';
import { useEffect } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Entry } from '../../core/protocol/entry.ts';
import { isEnded, isLive } from '../../core/protocol/lifecycle.ts';
import type {
  AppRow,
  AskRow,
  ConversationRow,
  ProjectRow,
  RunRow,
  SetRow,
  SteerRow,
} from '../../core/protocol/rows.ts';
import { useLive, watchScope } from './live.ts';
import { entryAt, type LiveState } from './live-state.ts';

/* Hooks onto one slice each: a change of one row draws that row and nothing else. */

const NONE: readonly string[] = [];

export const useApp = (): AppRow | null => useLive((state) => state.app);
export const useProject = (id: string | null): ProjectRow | undefined =>
  useLive((state) => (id === null ? undefined : state.projects.get(id)));
export const useConversation = (id: string | null): ConversationRow | undefined =>
  useLive((state) => (id === null ? undefined : state.conversations.get(id)));
export const useSet = (id: string | null): SetRow | undefined =>
  useLive((state) => (id === null ? undefined : state.sets.get(id)));
export const useRun = (id: string | null): RunRow | undefined =>
  useLive((state) => (id === null ? undefined : state.runs.get(id)));

/** The projects, last used first. */
export const useProjects = (): readonly ProjectRow[] =>
  useLive(useShallow((state) => [...state.projects.values()].sort(byLastUse)));

/** The conversations, last changed first. */
export const useConversations = (): readonly ConversationRow[] =>
  useLive(useShallow((state) => [...state.conversations.values()].sort(byLastChange)));

/** Open permissions and questions of the whole app, oldest first. */
export const useOpenAsks = (): readonly AskRow[] => useLive(useShallow(openAsks));

/** Open asks, oldest first. */
function openAsks(state: LiveState): AskRow[] {
  return [...state.asks.values()].filter((ask) => ask.state === 'open').sort(byOpening);
}

/** The open ask of a run, if it has one. */
export const useAskOf = (runId: string): AskRow | undefined =>
  useLive((state) => {
    for (const ask of state.asks.values()) if (ask.run_id === runId && ask.state === 'open') return ask;
    return undefined;
  });

/** The steer ledger of a run, oldest first. */
export const useSteers = (runId: string): readonly SteerRow[] =>
  useLive(useShallow((state) => (state.steersOf.get(runId) ?? NONE).flatMap((id) => state.steers.get(id) ?? [])));

/** Number of entries of a transcript; undefined until it has arrived. Watch it with {@link useScope}. */
export const useEntryCount = (runId: string): number | undefined =>
  useLive((state) => state.transcripts.get(runId)?.count);

/** One entry of a transcript; undefined until it has arrived (`loadEntries` fetches it). */
export const useEntry = (runId: string, entry: number): Entry | undefined =>
  useLive((state) => entryAt(state.transcripts.get(runId), entry));

/** Watches the rows of a conversation while mounted. */
export function useConversationScope(conversationId: string | null): void {
  useEffect(
    () => (conversationId === null ? undefined : watchScope({ type: 'conversation', conversation_id: conversationId })),
    [conversationId],
  );
}

/** Watches the transcript of a run while mounted. */
export function useTranscriptScope(runId: string | null): void {
  useEffect(() => (runId === null ? undefined : watchScope({ type: 'transcript', run_id: runId })), [runId]);
}

/** Ids of the runs that a stop of this run, set or conversation would end: itself and everything below that is live. */
export function liveBelow(state: LiveState, id: string): readonly string[] {
  const found: string[] = [];
  const takeSet = (delegationId: string): void => {
    for (const runId of state.runsOf.get(delegationId) ?? NONE) takeRun(runId);
  };
  const takeRun = (runId: string): void => {
    const run = state.runs.get(runId);
    if (run === undefined) return;
    if (isLive(run.state) && !isEnded(run.state)) found.push(runId);
    for (const setId of state.setsOf.get(run.conversation_id) ?? NONE) {
      if (state.sets.get(setId)?.parent_run_id === runId) takeSet(setId);
    }
  };
  if (state.runs.has(id)) takeRun(id);
  else if (state.sets.has(id)) takeSet(id);
  else
    for (const run of state.runs.values()) if (run.conversation_id === id && isLive(run.state)) found.push(run.run_id);
  return found;
}
