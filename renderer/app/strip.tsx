import type { AppRow } from '../../core/protocol/rows.ts';
import { formatClock } from '../shared/format.ts';
import { inspectStrings } from '../shared/inspect-strings.ts';
import { strings } from '../shared/strings.ts';
import { useTimeOfDay } from '../shared/ticks.ts';
import { KeyCap } from '../ui/button.tsx';
import { useCanvasView } from './canvas-view.ts';
import { useConnection } from './connection.ts';
import { useApp } from './live-rows.ts';
import { useStripNote } from './strip-note.ts';
import { PausedNote } from './paused-note.tsx';
import { togglePanel } from './panel.ts';
import { useUi } from './ui-store.ts';

function Clock() {
  return <span className="num">{formatClock(useTimeOfDay())}</span>;
}

/** Whether what is shown is safe on disk; without a line to the core nobody can say. */
function savedWords(open: boolean, app: AppRow | null): string {
  if (!open || app === null) return strings.frame.notConnected;
  return app.storage_banner === null ? strings.frame.saved : strings.frame.notSaved;
}

/** The status strip under the canvas. */
export function Strip() {
  const { zoom, fit } = useCanvasView();
  const app = useApp();
  const note = useStripNote((state) => state.note);
  const panelOpen = useUi((state) => state.panelOpen);
  const open = useConnection((connection) => connection.state === 'open');
  return (
    <div className="strip">
      {zoom !== null && (
        <>
          <span className="num">{Math.round(zoom * 100)} %</span>
          <button type="button" onClick={fit}>
            {strings.frame.fit} <KeyCap chord="0" />
          </button>
        </>
      )}
      <PausedNote />
      {note !== null && (
        <span className="el text-ink-2" title={note}>
          {note}
        </span>
      )}
      <span className="grow" />
      <Clock />
      <span className="strip-saved">{savedWords(open, app)}</span>
      <button type="button" aria-pressed={panelOpen} onClick={togglePanel}>
        {inspectStrings.terminal.name} <KeyCap chord="mod+j" />
      </button>
    </div>
  );
}
