import { viewStrings } from '../../../shared/view-strings.ts';
import { IconButton } from '../../../ui/button.tsx';
import type { Bar, BarLook } from './bars.ts';
import { Bars } from './bar-shapes.tsx';

const words = viewStrings.timeline;

const ENTRIES: readonly (readonly [look: BarLook, text: string])[] = [
  ['running', words.legend.running],
  ['completed', words.legend.completed],
  ['caveat', words.legend.caveat],
  ['failed', words.legend.failed],
  ['stopped', words.legend.stopped],
  ['needs', words.legend.needs],
  ['waiting', words.legend.waiting],
  ['queued', words.legend.queued],
];

const sample = (look: BarLook): Bar => ({ x: 0, width: 20, look, edge: look === 'running', cross: look === 'failed' });

/** What the bars mean, and how far one has zoomed. */
export function Legend({
  folded,
  onZoomIn,
  onZoomOut,
}: {
  readonly folded: boolean;
  readonly onZoomIn: () => void;
  readonly onZoomOut: () => void;
}) {
  return (
    <div className="timeline-legend">
      <ul aria-label={words.legend.name}>
        {ENTRIES.map(([look, text]) => (
          <li key={look}>
            <svg width="20" height="12" aria-hidden>
              <Bars bars={[sample(look)]} y={1} height={10} />
            </svg>
            {text}
          </li>
        ))}
      </ul>
      <span className="grow" />
      {folded && <span className="flex-none">{words.gapsFolded}</span>}
      <span className="flex flex-none items-center">
        <span className="mr-1">{words.zoom}</span>
        <IconButton icon="plus" name={words.zoomIn} onClick={onZoomIn} />
        <IconButton icon="minus" name={words.zoomOut} onClick={onZoomOut} />
      </span>
    </div>
  );
}
