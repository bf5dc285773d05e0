import { formatCount } from '../shared/format.ts';
import { useId, type ReactNode } from 'react';
import type { Mark } from '../shared/status.ts';
import { strings } from '../shared/strings.ts';
import { barSegments, type BarSegment } from './bar-segments.ts';

const broken = ({ x, width }: BarSegment): ReactNode => (
  <rect x={x} y="0" width={width} height="10" rx="1" fill="var(--bad)" />
);

/** Lozenge ends. */
const asks = ({ x, width }: BarSegment): ReactNode => {
  const tip = Math.min(5, width / 2);
  return (
    <path d={`M${x} 5l${tip}-5h${width - 2 * tip}l${tip} 5-${tip} 5h-${width - 2 * tip}z`} fill="var(--need-fill)" />
  );
};

const line = ({ x, width }: BarSegment): ReactNode => (
  <rect x={x} y="4" width={width} height="2" rx="1" fill="var(--idle)" />
);

type Draw = (segment: BarSegment, hatch: string) => ReactNode;

const DRAW: Readonly<Record<Mark, Draw>> = {
  completed: ({ x, width }) => (
    <>
      <rect x={x} y="2" width={width} height="6" rx="1" fill="var(--ok-fill)" />
      <path d={`M${x} 7.5h${width}`} stroke="var(--ok)" />
    </>
  ),
  caveat: ({ x, width }, hatch) => <rect x={x} y="2" width={width} height="6" rx="1" fill={`url(#${hatch})`} />,
  failed: broken,
  timed_out: broken,
  lost: broken,
  stopped: line,
  paused: line,
  running: ({ x, width }) => (
    <>
      <rect x={x} y="2" width={width} height="6" rx="1" fill="var(--run-fill)" />
      <rect x={x + width - 3} y="0" width="3" height="10" rx="1" fill="var(--accent)" />
    </>
  ),
  permission: asks,
  question: asks,
  waiting: ({ x, width }) => (
    <rect x={x + 0.5} y="2.5" width={Math.max(1, width - 1)} height="5" rx="1" fill="none" stroke="var(--wait)" />
  ),
  queued: ({ x, width }) => <path d={`M${x} 5h${width}`} stroke="var(--edge)" strokeWidth="2" strokeDasharray="2 2" />,
};

/** How a set stands, as one bar: a stretch per mark. The name says the counts in words. */
export function OutcomeBar({ counts, width }: { readonly counts: ReadonlyMap<Mark, number>; readonly width: number }) {
  const hatch = useId();
  const segments = barSegments(counts, width);
  const name = segments.map(({ mark, count }) => `${formatCount(count)} ${strings.marks[mark].toLowerCase()}`);
  return (
    <svg
      width={width}
      height="10"
      viewBox={`0 0 ${width} 10`}
      preserveAspectRatio="none"
      role="img"
      aria-label={name.join(', ')}
    >
      <defs>
        <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="5" height="5" fill="var(--ok-fill)" />
          <rect width="1.75" height="5" fill="var(--warn)" />
        </pattern>
      </defs>
      {segments.map((segment) => (
        <g key={segment.mark}>{DRAW[segment.mark](segment, hatch)}</g>
      ))}
    </svg>
  );
}
