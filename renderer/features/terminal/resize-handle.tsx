import type { KeyboardEvent, PointerEvent } from 'react';
import { PANEL } from '../../app/ui-state.ts';
import { ui } from '../../app/ui-store.ts';
import { usePanelHeight } from '../../app/window-size.ts';
import { inspectStrings } from '../../shared/inspect-strings.ts';

/** One press of an arrow key, px. */
const STEP = 24;

const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: STEP,
  ArrowDown: -STEP,
  PageUp: STEP * 5,
  PageDown: STEP * -5,
};

/** The upper border of the panel: dragged, or moved with the arrow keys. */
export function ResizeHandle() {
  const height = usePanelHeight();
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    ui.resizePanel(height + step);
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const bottom = event.currentTarget.parentElement?.getBoundingClientRect().bottom ?? window.innerHeight;
    ui.resizePanel(bottom - event.clientY);
  };
  return (
    <div
      className="panel-handle"
      role="separator"
      aria-orientation="horizontal"
      aria-label={inspectStrings.terminal.resize}
      aria-valuenow={height}
      aria-valuemin={PANEL.least}
      aria-valuemax={PANEL.most}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
    />
  );
}
