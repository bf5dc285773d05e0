import { useEffect, useRef } from 'react';
import type { AskRow } from '../../../core/protocol/rows.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { AskForm } from './ask-form.tsx';
import { AskAge, AskMode, AskWho } from './ask-who.tsx';
import './asks.css';

/** One ask in a list of asks. The current one has the focus, and answers to the keys. */
export function AskCard({
  ask,
  current,
  onCurrent,
}: {
  readonly ask: AskRow;
  readonly current: boolean;
  readonly onCurrent: () => void;
}) {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!current) return;
    element.current?.scrollIntoView({ block: 'nearest' });
    if (element.current?.contains(document.activeElement) !== true) {
      element.current?.querySelector<HTMLElement>('.ask-form')?.focus({ preventScroll: true });
    }
  }, [current]);
  return (
    <section
      ref={element}
      className="ask-card"
      aria-label={visibleText(ask.title)}
      aria-current={current ? 'true' : undefined}
      data-ask={ask.ask_id}
      onPointerDown={onCurrent}
      onFocus={onCurrent}
    >
      <Glyph mark={ask.kind} named />
      <div className="flex items-center gap-2">
        <h2 className="grow text-15 font-semi break-words">{visibleText(ask.title)}</h2>
        <AskAge since={ask.opened_at} />
      </div>
      <AskWho ask={ask} />
      <AskForm ask={ask} big />
      <AskMode ask={ask} />
    </section>
  );
}
