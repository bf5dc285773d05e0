import { useState } from 'react';
import type { AskRow } from '../../../core/protocol/rows.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { boundedHead } from '../../shared/text-bounds.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import { commandLines } from './ask-words.ts';

const words = runStrings.asks;
/** Consent is to what was seen: only a very long text is cut, and says so. */
const BOUNDS = { lines: 200, characters: 20_000 };

function Lines({ ask, text }: { readonly ask: AskRow; readonly text: string }) {
  const command = commandLines({ ...ask, detail: text });
  if (command === null) return <>{visibleText(text)}</>;
  return (
    <>
      {command.map((line, place) => (
        <span key={place} className="block">
          <span className="text-accent select-none">{place === 0 ? '$ ' : '  '}</span>
          {visibleText(line)}
        </span>
      ))}
    </>
  );
}

/** A change says its file in its title already. */
const repeatsTitle = (ask: AskRow): boolean => ask.diff !== null && ask.title.includes(ask.detail.trim());

/** The exact command, arguments or change that an ask is about. Hidden characters are written out. */
export function AskDetail({ ask }: { readonly ask: AskRow }) {
  const [all, setAll] = useState(false);
  const shown = all ? { text: ask.detail, hiddenCharacters: 0 } : boundedHead(ask.detail, BOUNDS);
  const question = ask.kind === 'question';
  const name = commandLines(ask) === null ? words.detail : words.command;
  return (
    <>
      {ask.detail.trim() !== '' && !repeatsTitle(ask) && (
        <div className={question ? 'ask-question' : 'ask-command'} role="group" aria-label={name} tabIndex={0}>
          <Lines ask={ask} text={shown.text} />
        </div>
      )}
      {shown.hiddenCharacters > 0 && (
        <button
          type="button"
          className="show-more"
          onClick={() => {
            setAll(true);
          }}
        >
          {runStrings.characters(shown.hiddenCharacters)}
        </button>
      )}
      {ask.diff !== null && (
        <div className="ask-diff">
          <DiffView diff={ask.diff} name={words.change} />
        </div>
      )}
    </>
  );
}
