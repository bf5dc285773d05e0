import type { AskRow } from '../../../core/protocol/rows.ts';
import { useConversation } from '../../app/live-rows.ts';
import { ui } from '../../app/ui-store.ts';
import { formatTime } from '../../shared/format.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon, TrunkMark } from '../../ui/icon.tsx';

/** Who gave the work to whom, from you down to the run that asks; each run leads to itself in the tree. */
export function Chain({ ask, onOpen }: { readonly ask: AskRow; readonly onOpen: () => void }) {
  const conversation = useConversation(ask.conversation_id);
  return (
    <ol className="chain" aria-label={runStrings.asks.from}>
      {ask.chain.map((link, depth) => {
        const last = depth === ask.chain.length - 1;
        const { run_id: id } = link;
        const words = visibleText(link.words).replace(/^\[(.+?)\] /, '$1 · ');
        return (
          <li key={id ?? 'you'} style={{ paddingLeft: Math.max(0, depth - 1) * 16 + (depth > 0 ? 6 : 0) }}>
            {depth > 0 && (
              <svg width="12" height="24" fill="none" stroke="var(--line-strong)" aria-hidden>
                <path d="M1.5 0v8q0 4 4 4H12" />
              </svg>
            )}
            {depth === 0 ? <TrunkMark /> : last ? <Glyph mark={ask.kind} /> : <Icon name="delegate" />}
            {id === null ? (
              <span className="el grow" dir="auto">
                <span className="font-med text-ink-1">{words}</span>
                {conversation !== undefined && ` ${visibleText(conversation.title)}`}
              </span>
            ) : (
              <button
                type="button"
                className="el grow text-start hover:underline"
                dir="auto"
                title={runStrings.asks.open}
                onClick={() => {
                  ui.reveal(ask.conversation_id, id);
                  onOpen();
                }}
              >
                {words}
              </button>
            )}
            {last && <span className="num text-11 text-ink-3">{formatTime(ask.opened_at)}</span>}
            {depth === 0 && conversation !== undefined && (
              <span className="num text-11 text-ink-3">{formatTime(conversation.created_at)}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
