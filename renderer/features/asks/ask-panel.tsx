import { useState } from 'react';
import { useAskOf } from '../../app/live-rows.ts';
import { useLive } from '../../app/live.ts';
import { clientName } from '../../shared/client-name.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { AskForm } from './ask-form.tsx';
import { AskAge } from './ask-who.tsx';
import { settledWords } from './ask-words.ts';
import './asks.css';

const words = runStrings.asks;

/** What became of an ask that was open here: told once, also when somebody else answered it. */
function Settled({ askId, onDismiss }: { readonly askId: string; readonly onDismiss: () => void }) {
  const ask = useLive((state) => state.asks.get(askId));
  if (ask === undefined || ask.state === 'open') return null;
  const mine = ask.answered_by === clientName();
  return (
    <div role="status" className="ask-settled">
      <span className="el grow" title={visibleText(ask.title)}>
        {visibleText(mine ? settledWords({ ...ask, answered_by: null }) : settledWords(ask))}
        <span className="text-ink-3"> · {visibleText(ask.title)}</span>
      </span>
      <IconButton icon="close" name={words.dismiss} onClick={onDismiss} />
    </div>
  );
}

/** The open ask of a run, above its steer box. */
export function AskPanel({ runId }: { readonly runId: string }) {
  const ask = useAskOf(runId);
  const [last, setLast] = useState<string | null>(null);
  if (ask !== undefined && ask.ask_id !== last) setLast(ask.ask_id);
  if (ask === undefined) {
    if (last === null) return null;
    return (
      <Settled
        askId={last}
        onDismiss={() => {
          setLast(null);
        }}
      />
    );
  }
  return (
    <section className="ask-panel" aria-label={words.panel} data-ask={ask.ask_id}>
      <div className="flex items-center gap-2">
        <Glyph mark={ask.kind} named />
        <h3 className="grow font-semi break-words">{visibleText(ask.title)}</h3>
        <AskAge since={ask.opened_at} />
      </div>
      <AskForm key={ask.ask_id} ask={ask} />
    </section>
  );
}
