import { useEffect, useState } from 'react';
import { currentRuns } from '../../app/current-runs.ts';
import type { LiveState } from '../../app/live-state.ts';
import { useLive } from '../../app/live.ts';
import { MARK_FACTS, markOf } from '../../shared/status.ts';
import { strings } from '../../shared/strings.ts';

/** A reader is told at most this often; what happened meanwhile is told together. */
const EVERY_MS = 4000;

/** How each set of a conversation stands, as a line to be read aloud. */
function standings(state: LiveState, conversationId: string): readonly string[] {
  return (state.setsOf.get(conversationId) ?? []).flatMap((id) => {
    const set = state.sets.get(id);
    if (set === undefined) return [];
    const failed = currentRuns(state, id).filter((run) => MARK_FACTS[markOf(run)].broken).length;
    const ended = `${strings.tree.set(set.set)}: ${strings.tree.ended(set.ended, set.count)}`;
    return [failed === 0 ? ended : `${ended}, ${strings.tree.failedCount(failed)}`];
  });
}

/** Tells a screen reader how the sets go on, without talking all the time. */
export function TreeAnnouncer({ conversationId }: { readonly conversationId: string }) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    // What is there when the tree is opened is no news.
    let told: readonly string[] | null = null;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const tell = (): void => {
      timer = null;
      const now = standings(useLive.getState(), conversationId);
      const before = new Set(told ?? now);
      told = now;
      const news = now.filter((line) => !before.has(line));
      if (news.length > 0) setSaid(news.join('. '));
    };
    const unsubscribe = useLive.subscribe((state, last) => {
      if (timer === null && (state.sets !== last.sets || state.runs !== last.runs)) timer = setTimeout(tell, EVERY_MS);
    });
    return () => {
      unsubscribe();
      if (timer !== null) clearTimeout(timer);
    };
  }, [conversationId]);
  return (
    <div className="sr-note" role="status">
      {said}
    </div>
  );
}
