import type { Entry, ToolDisplay } from '../../../core/protocol/entry.ts';
import { ui } from '../../app/ui-store.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import { BoundedText } from '../../ui/bounded-text.tsx';
import { OutputText } from './output-text.tsx';
import { argumentLines, argumentsOf, outputText, textArgument, type ToolCall } from './tool-look.ts';

function Arguments({ call }: { readonly call: ToolCall }) {
  const lines = argumentLines(call);
  if (lines.length === 0) return null;
  return (
    <dl className="tool-arguments" aria-label={runStrings.transcript.arguments}>
      {lines.map(({ name, value }) => (
        <div key={name}>
          <dt>{visibleText(name)}</dt>
          <dd>
            <BoundedText text={value} bounds={{ lines: 8, characters: 2000 }} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Delegation({
  call,
  display,
}: {
  readonly call: ToolCall;
  readonly display: Extract<ToolDisplay, { type: 'delegation' }>;
}) {
  const title = textArgument(argumentsOf(call), 'title');
  return (
    <div className="tool-body">
      {title !== null && (
        <p className="el">
          <span className="text-ink-3">title</span> {visibleText(title)}
        </p>
      )}
      <p>
        <span className="text-ink-3">→</span>{' '}
        <button
          type="button"
          className="link"
          title={runStrings.transcript.openSet(display.set)}
          onClick={() => {
            ui.selectSet(display.delegation_id);
          }}
        >
          {runStrings.transcript.delegating(display.set, display.count)}
        </button>
      </p>
    </div>
  );
}

function Result({ entry, call }: { readonly entry: Entry; readonly call: ToolCall }) {
  return (
    <>
      <Arguments call={call} />
      {(entry.text !== '' || (entry.ended && call.status !== 'waiting')) && (
        <div className="tool-body" role="group" aria-label={runStrings.transcript.result}>
          <BoundedText
            text={entry.text === '' ? runStrings.transcript.noResult : entry.text}
            className={call.status === 'error' ? 'text-bad-text' : ''}
          />
        </div>
      )}
    </>
  );
}

/** A command of several lines, or too long for the head of its card, is written out above its output. */
const LONG_COMMAND = 44;

function Output({ id, entry, call }: { readonly id: string; readonly entry: Entry; readonly call: ToolCall }) {
  const { display } = call;
  const command = display?.type === 'output' ? display.command : textArgument(argumentsOf(call), 'command', 'cmd');
  const long = command !== null && (command.includes('\n') || command.length > LONG_COMMAND);
  const spill = display?.type === 'output' ? display.spill_path : null;
  return (
    <div className="tool-body is-terminal">
      {long && (
        <div className="tool-command">
          <span className="text-accent">$</span> <BoundedText text={command} bounds={{ lines: 8, characters: 2000 }} />
        </div>
      )}
      <OutputText
        id={id}
        runId={entry.run_id}
        first={entry.entry}
        last={entry.entry}
        text={outputText(call, entry.text)}
        live={call.status === 'running'}
      />
      {spill !== null && <p className="text-ink-3 select-text">{runStrings.transcript.spilled(visibleText(spill))}</p>}
    </div>
  );
}

/** What a call did: a diff, output, the set it made, or its arguments and result. */
export function ToolBody({ id, entry, call }: { readonly id: string; readonly entry: Entry; readonly call: ToolCall }) {
  const { display } = call;
  if (display?.type === 'diff') {
    return (
      <div className="border-t border-line">
        <DiffView diff={display.diff} name={runStrings.transcript.changed(visibleText(display.path))} />
      </div>
    );
  }
  if (display?.type === 'delegation') return <Delegation call={call} display={display} />;
  const refused = call.status === 'refused' || call.status === 'waiting';
  const runs = textArgument(argumentsOf(call), 'command', 'cmd') !== null;
  if (display?.type === 'output' || (runs && !refused)) return <Output id={id} entry={entry} call={call} />;
  return <Result entry={entry} call={call} />;
}
