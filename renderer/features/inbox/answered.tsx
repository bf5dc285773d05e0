import type { AskRow } from '../../../core/protocol/rows.ts';
import { useConversation } from '../../app/live-rows.ts';
import { ui } from '../../app/ui-store.ts';
import { clientName } from '../../shared/client-name.ts';
import { formatTime } from '../../shared/format.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { answeredAt } from './inbox-words.ts';

const words = runStrings.asks;

function what(ask: AskRow): string {
  const choices: Readonly<Record<string, string>> = words.choices;
  const denied = ask.choice === 'deny' && ask.note !== null && ask.note !== '' ? words.denied(ask.note) : null;
  const done = denied ?? choices[ask.choice ?? ''] ?? ask.choice ?? '';
  const other = ask.answered_by !== null && ask.answered_by !== clientName();
  return other ? `${done} ${words.by(ask.answered_by ?? '')}` : done;
}

/** Agent, task and conversation of the run that asked; it opens that run. */
function Whose({ ask }: { readonly ask: AskRow }) {
  const conversation = useConversation(ask.conversation_id)?.title;
  const name = ask.asker?.name ?? ask.chain.at(-1)?.words ?? '';
  const parts = [ask.asker?.agent ?? '', name, conversation === name ? '' : (conversation ?? '')];
  const text = visibleText(parts.filter((part) => part !== '').join(' · '));
  return (
    <button
      type="button"
      className="el text-start hover:underline"
      dir="auto"
      aria-label={words.openRun(text)}
      title={text}
      onClick={() => {
        ui.reveal(ask.conversation_id, ask.run_id);
      }}
    >
      {text}
    </button>
  );
}

/** What was answered today, as far as this page has seen it. */
export function Answered({ asks }: { readonly asks: readonly AskRow[] }) {
  if (asks.length === 0) return null;
  return (
    <section className="inbox-answered" aria-label={words.answered}>
      <h2 className="text-11 text-ink-3">{words.answered}</h2>
      <ul>
        {asks.map((ask) => (
          <li key={ask.ask_id}>
            <span className={ask.choice === 'deny' ? 'text-ink-3' : 'text-ok'}>
              <Icon name={ask.choice === 'deny' ? 'stop' : 'check'} />
            </span>
            <span className="el text-ink-2">{visibleText(what(ask))}</span>
            <code className="el text-ink-2">{visibleText(ask.detail.split('\n', 1)[0] ?? ask.title)}</code>
            <Whose ask={ask} />
            <span className="num text-ink-3">{formatTime(answeredAt(ask))}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
