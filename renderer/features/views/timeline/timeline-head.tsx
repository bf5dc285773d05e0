import { formatClock, formatDuration, formatTime } from '../../../shared/format.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { useDrawing } from './timeline-context.ts';
import { GAP_PX, type Tick } from './time-scale.ts';
import { END_PX } from './use-zoom.ts';

const words = viewStrings.timeline;

/** Labels nearer to each other than this would touch. */
const LABEL_ROOM = 44;

/** Whether the moment that the line stands at needs its seconds said. */
const shownTime = (at: number, seconds: boolean): string => (seconds ? formatClock(at) : formatTime(at));

/** The times above the axis: round ones, folded gaps, and the moment that is shown. */
export function TimelineTimes({
  ticks,
  gapPaused,
}: {
  readonly ticks: readonly Tick[];
  /** Whether somebody had paused it in that gap. */
  readonly gapPaused: (from: number, to: number) => boolean;
}) {
  const { scale, to, at } = useDrawing();
  const moment = at ?? to;
  const x = scale.x(moment);
  const seconds = ticks.some((tick) => tick.seconds) || at !== null;
  const half = seconds ? 27 : 18;
  const flag = Math.min(scale.width + END_PX - half, Math.max(half - 4, x));
  const gaps = scale.gaps.map((gap) => ({ ...gap, x: scale.x(gap.from) + GAP_PX / 2 }));
  // The first may begin under the names beside it: then it is left out.
  const free = (tick: Tick): boolean =>
    tick.x >= (tick.seconds ? 27 : 18) &&
    Math.abs(tick.x - x) > LABEL_ROOM + half &&
    gaps.every((gap) => Math.abs(gap.x - tick.x) > LABEL_ROOM + 20);
  return (
    <svg className="timeline-times" width={scale.width} height="40" aria-hidden>
      {ticks.filter(free).map((tick) => (
        <text key={tick.at} x={tick.x} y="20" textAnchor="middle">
          {shownTime(tick.at, tick.seconds)}
        </text>
      ))}
      {gaps.map((gap) => (
        <text key={gap.from} x={gap.x} y="20" textAnchor="middle">
          {words.gap(formatDuration((gap.to - gap.from) / 1000), gapPaused(gap.from, gap.to))}
        </text>
      ))}
      <path d={`M${x} 24V40`} stroke="var(--text-1)" />
      <rect x={flag - half} y="6" width={half * 2} height="18" rx="3" fill="var(--text-1)" />
      <text x={flag} y="19" textAnchor="middle" className="is-flag">
        {shownTime(moment, seconds)}
      </text>
    </svg>
  );
}

/** The moment that is shown, as a line over the rows. */
export function MomentLine({ height }: { readonly height: number }) {
  const { scale, to, at } = useDrawing();
  return (
    <svg className="timeline-lines" width={scale.width} height={height} aria-hidden>
      <path d={`M${scale.x(at ?? to)} 0V${height}`} stroke="var(--text-1)" />
    </svg>
  );
}

/** The lines behind the rows: round times, and folded gaps with their seams. */
export function TimelineLines({ ticks, height }: { readonly ticks: readonly Tick[]; readonly height: number }) {
  const { scale } = useDrawing();
  return (
    <svg className="timeline-lines" width={scale.width} height={height} aria-hidden>
      <path d={`M-.5 0V${height}`} stroke="var(--line)" />
      {ticks.map((tick) => (
        <path key={tick.at} d={`M${Math.round(tick.x) + 0.5} 0V${height}`} stroke="var(--line)" />
      ))}
      {scale.gaps.map((gap) => {
        const left = scale.x(gap.from);
        return (
          <g key={gap.from}>
            <rect x={left} width={GAP_PX} height={height} fill="var(--bg-1)" />
            <path
              d={`M${left + 0.5} 0V${height}M${left + GAP_PX - 0.5} 0V${height}`}
              stroke="var(--line-strong)"
              strokeDasharray="2 3"
            />
          </g>
        );
      })}
    </svg>
  );
}
