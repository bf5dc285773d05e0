import { formatClock } from '../shared/format.ts';
import { strings } from '../shared/strings.ts';
import { useNow } from '../shared/ticks.ts';
import { KeyCap } from '../ui/button.tsx';
import { useCanvasView } from './canvas-view.ts';
import { useConnection } from './connection.ts';
import { useApp } from './live-rows.ts';

function Clock() {
  return <span className="num">{formatClock(useNow())}</span>;
}

/** The status strip under the canvas. */
export function Strip() {
  const { zoom, fit } = useCanvasView();
  const app = useApp();
  const open = useConnection((connection) => connection.state === 'open');
  const saved = open && app !== null && app.storage_banner === null;
  return (
    <div className="strip">
      {zoom !== null && (
        <>
          <span className="num">{Math.round(zoom * 100)} %</span>
          <button type="button" onClick={fit}>
            {strings.frame.fit} <KeyCap chord="1" />
          </button>
        </>
      )}
      <span className="grow" />
      <Clock />
      <span>{saved ? strings.frame.saved : strings.frame.notSaved}</span>
    </div>
  );
}
