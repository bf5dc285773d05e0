import { useMemo } from 'react';
import { strings } from '../shared/strings.ts';
import { Glyph } from '../ui/glyph.tsx';
import { pausedNow, type PausedNow } from './controls.ts';
import { useLive } from './live.ts';
import { resumeAll } from './pause.ts';
import { ui, useUi } from './ui-store.ts';

/** What is paused, in words; the widest gate alone, because the others matter only once it is open. */
export function pausedWords(now: PausedNow): {
  readonly text: string;
  readonly action: string;
  readonly ids: readonly (string | null)[];
} | null {
  const words = strings.pause;
  if (now.app) return { text: words.everything, action: words.resumeAll, ids: [null] };
  if (now.conversation !== null) {
    const { conversation_id, held } = now.conversation;
    return { text: words.conversation(held), action: words.resumeConversation, ids: [conversation_id] };
  }
  const ids = [...now.sets.map((row) => row.delegation_id), ...now.runs.map((row) => row.run_id)];
  if (ids.length === 0) return null;
  const text = words.parts(
    now.sets.map(({ set }) => set),
    now.runs.length,
  );
  return { text, action: ids.length === 1 ? words.resume : words.resumeThem, ids };
}

/** Says in the strip what is paused, and how to undo it (R9). */
export function PausedNote() {
  const open = useUi((state) => state.conversation);
  const app = useLive((state) => state.app);
  const conversations = useLive((state) => state.conversations);
  const sets = useLive((state) => state.sets);
  const runs = useLive((state) => state.runs);
  const now = useMemo(
    () => pausedNow({ app, conversations, sets, runs }, open),
    [app, conversations, sets, runs, open],
  );
  const words = pausedWords(now);
  const [other] = now.others;
  return (
    <span role="status" className="paused-note">
      {words !== null && (
        <>
          <Glyph mark="paused" />
          <span className="el">{words.text}</span>
          <button type="button" className="link" onClick={() => void resumeAll(words.ids)}>
            {words.action}
          </button>
        </>
      )}
      {words === null && other !== undefined && (
        <>
          <Glyph mark="paused" />
          <span className="el">{strings.pause.others(now.others.length)}</span>
          <button
            type="button"
            className="link"
            onClick={() => {
              ui.openConversation(other.conversation_id);
            }}
          >
            {strings.pause.show}
          </button>
        </>
      )}
    </span>
  );
}
