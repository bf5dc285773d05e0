import type { RunRow } from '../../../../core/protocol/rows.ts';
import { failureText } from '../../../app/row-text.ts';
import { MARK_FACTS, markOf } from '../../../shared/status.ts';
import type { Bar } from './bars.ts';
import { notePlace } from './note-place.ts';
import { useDrawing } from './timeline-context.ts';

/** What is said beside the bars of a run that did not end well; null for one that did, or has not ended. */
export function endNoteOf(run: RunRow): string | null {
  if (run.ended_at === null) return null;
  const mark = markOf(run);
  if (MARK_FACTS[mark].broken) return failureText(run);
  return mark === 'stopped' ? run.words.toLowerCase() : null;
}

/** The note beside the bars of a run: one line as long as there is room, whole as the tooltip and while the row has the keyboard. */
export function EndNote({
  run,
  text,
  bars,
}: {
  readonly run: RunRow;
  readonly text: string;
  readonly bars: readonly Bar[];
}) {
  const { scale } = useDrawing();
  const last = bars.at(-1);
  if (last === undefined) return null;
  const { side, left, width } = notePlace(bars[0]?.x ?? last.x, last.x + last.width, scale.width);
  return (
    // The picture of the bars says it to those who do not see.
    <span
      className={`timeline-note ${MARK_FACTS[markOf(run)].broken ? 'is-bad' : ''}`}
      data-side={side}
      style={{ left, width }}
      title={text}
      aria-hidden
    >
      <span>{text}</span>
    </span>
  );
}
