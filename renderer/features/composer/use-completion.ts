import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState, type KeyboardEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { api } from '../../app/client.ts';
import { useLive } from '../../app/live.ts';
import { candidates, complete, tokenAt, type Candidate, type Token } from './completion.ts';

/** Files asked for at once. */
const FILES = 8;

/** What can be put in place of an `@…` that is being typed. */
export interface Completion {
  readonly items: readonly Candidate[];
  /** Place of the chosen one among them. */
  readonly at: number;
  readonly choose: (item: Candidate) => void;
  /** Reads where the caret is now. */
  readonly look: () => void;
  readonly close: () => void;
  /** Takes the keys of the list; answers whether it did. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

const NONE: readonly string[] = [];

function useCandidates(
  token: Token | null,
  projectId: string | null,
  conversationId: string | null,
): readonly Candidate[] {
  const open = token !== null;
  const query = token?.query ?? '';
  const files = useQuery({
    ...api.folders.find.queryOptions({ input: { project_id: projectId ?? '', text: query, limit: FILES } }),
    enabled: open && projectId !== null,
    placeholderData: keepPreviousData,
  }).data;
  const agents = useQuery({ ...api.agents.list.queryOptions(), enabled: open }).data;
  const runs = useLive((state) => (open ? state.runs : null));
  return useMemo(() => {
    if (!open) return [];
    const here = [...(runs?.values() ?? [])].filter((run) => run.conversation_id === conversationId).reverse();
    return candidates(query, {
      agents: agents?.map(({ id }) => id) ?? NONE,
      runs: here,
      files: files?.paths ?? NONE,
    });
  }, [open, query, agents, files, runs, conversationId]);
}

/** Completes files, agents and runs after an `@`. */
export function useCompletion(
  box: RefObject<HTMLTextAreaElement | null>,
  place: { readonly project: string | null; readonly conversation: string | null },
  setText: (text: string) => void,
): Completion {
  const [token, setToken] = useState<Token | null>(null);
  const [at, setAt] = useState(0);
  const items = useCandidates(token, place.project, place.conversation);
  const close = (): void => setToken(null);
  const choose = (item: Candidate): void => {
    const { current } = box;
    if (current === null || token === null) return;
    const next = complete(current.value, token, current.selectionEnd, item.insert);
    // Drawn at once, so that the caret is in its place before the next key: in a frame it would move back over what was typed.
    flushSync(() => {
      setText(next.text);
      close();
    });
    current.focus();
    current.setSelectionRange(next.caret, next.caret);
  };
  const chosen = Math.min(at, Math.max(0, items.length - 1));
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => setAt((chosen + 1) % items.length),
    ArrowUp: () => setAt((chosen - 1 + items.length) % items.length),
    Enter: () => items[chosen] !== undefined && choose(items[chosen]),
    Tab: () => items[chosen] !== undefined && choose(items[chosen]),
    Escape: close,
  };
  return {
    items,
    at: chosen,
    choose,
    close,
    look: () => {
      const { current } = box;
      const next = current === null ? null : tokenAt(current.value, current.selectionEnd);
      if (next?.query !== token?.query) setAt(0);
      setToken(next);
    },
    onKey: (event) => {
      const act = items.length === 0 || event.nativeEvent.isComposing || event.shiftKey ? undefined : keys[event.key];
      if (act === undefined) return false;
      event.preventDefault();
      act();
      return true;
    },
  };
}
