import type { AskRow } from '../../../core/protocol/rows.ts';
import { formatTime } from '../../shared/format.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Icon } from '../../ui/icon.tsx';

const words = runStrings.asks;

function what(ask: AskRow): string {
  if (ask.choice === 'deny' && ask.note !== null && ask.note !== '') return words.denied(ask.note);
  const choices: Readonly<Record<string, string>> = words.choices;
  return choices[ask.choice ?? ''] ?? ask.choice ?? '';
}

/** What was answered today, as far as this page has seen it. */
export function Answered({ asks }: { readonly asks: readonly AskRow[] }) {
  if (asks.length === 0) return null;
  return (
    <section className="inbox-answered" aria-label={words.answered}>
      <h3 className="text-11 text-ink-3">{words.answered}</h3>
      <ul>
        {asks.map((ask) => (
          <li key={ask.ask_id}>
            <span className={ask.choice === 'deny' ? 'text-ink-3' : 'text-ok'}>
              <Icon name={ask.choice === 'deny' ? 'stop' : 'check'} />
            </span>
            <span className="el text-ink-2">{visibleText(what(ask))}</span>
            <code className="el text-ink-2">{visibleText(ask.detail.split('\n', 1)[0] ?? ask.title)}</code>
            <span className="num text-ink-3">{formatTime(ask.opened_at)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
