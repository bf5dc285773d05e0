import { memo } from 'react';
import type { Entry } from '../../../core/protocol/entry.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { setRowOpen, useRowOpen } from './open-rows.ts';
import { ToolBody } from './tool-body.tsx';
import { endWords, lookOf, opensByItself, type ToolCall } from './tool-look.ts';

const TONES = { bad: 'text-bad-text', need: 'text-need', quiet: 'text-ink-3' } as const;

function End({ call }: { readonly call: ToolCall }) {
  const words = endWords(call);
  const { display } = call;
  return (
    <>
      {display?.type === 'diff' && (
        <>
          <span className="flex-none text-11 text-add">+{display.added.toLocaleString()}</span>
          <span className="flex-none text-11 text-del">−{display.removed.toLocaleString()}</span>
        </>
      )}
      {call.seconds !== null && display?.type === 'output' && (
        <span className="flex-none text-11 text-ink-3">{runStrings.transcript.seconds(call.seconds)}</span>
      )}
      {words !== null && <span className={`flex-none text-11 font-med ${TONES[words.tone]}`}>{words.text}</span>}
      {call.status === 'running' && (
        <span role="img" aria-label={runStrings.transcript.running}>
          <Glyph mark="running" />
        </span>
      )}
      {call.status === 'ok' && display?.type === 'delegation' && (
        <span className="text-ok">
          <Icon name="check" />
        </span>
      )}
    </>
  );
}

/** A tool call: what it is at its head, what it did below. */
export const ToolCard = memo(function ToolCard({
  id,
  entry,
  call,
}: {
  readonly id: string;
  readonly entry: Entry;
  readonly call: ToolCall;
}) {
  const open = useRowOpen(id, opensByItself(call));
  const { icon, code, words } = lookOf(call);
  const asks = call.status === 'waiting';
  return (
    <div role="group" className="tool" data-asks={asks} aria-label={visibleText(call.title)}>
      <button
        type="button"
        className="tool-head"
        aria-expanded={open}
        title={visibleText(call.title)}
        onClick={() => {
          setRowOpen(id, !open);
        }}
      >
        <span className={asks ? 'text-need' : ''}>
          <Icon name={asks ? 'lock' : icon} />
        </span>
        <code className="el">{visibleText(code)}</code>
        {words !== '' && <span className="el text-ink-3">{visibleText(words)}</span>}
        <span className="grow" />
        <End call={call} />
      </button>
      {open && <ToolBody id={id} entry={entry} call={call} />}
    </div>
  );
});
