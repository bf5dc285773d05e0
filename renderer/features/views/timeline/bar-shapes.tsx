import type { ReactNode } from 'react';
import type { Bar, BarLook } from './bars.ts';

/** Id of the hatch of a caveat; drawn once for the page (`TimelinePatterns`). */
const HATCH = 'timeline-caveat';

/** Patterns that bars are filled with. */
export function TimelinePatterns() {
  return (
    <svg width="0" height="0" className="absolute" aria-hidden>
      <defs>
        <pattern id={HATCH} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="5" height="5" fill="var(--ok-fill)" />
          <rect width="1.75" height="5" fill="var(--warn)" />
        </pattern>
      </defs>
    </svg>
  );
}

interface Box {
  readonly x: number;
  readonly width: number;
  readonly y: number;
  readonly height: number;
}

const solid = (fill: string) =>
  function Solid({ x, width, y, height }: Box): ReactNode {
    return <rect x={x} y={y} width={width} height={height} rx="2" fill={fill} />;
  };

const thin = (fill: string) =>
  function Thin({ x, width, y, height }: Box): ReactNode {
    return <rect x={x} y={y + height / 2 - 3} width={width} height="6" fill={fill} />;
  };

const DRAW: Readonly<Record<BarLook, (box: Box) => ReactNode>> = {
  running: solid('var(--run-fill)'),
  completed: (box) => (
    <>
      <rect x={box.x} y={box.y} width={box.width} height={box.height} rx="2" fill="var(--ok-fill)" />
      <path d={`M${box.x} ${box.y + box.height - 0.5}h${box.width}`} stroke="var(--ok)" />
    </>
  ),
  caveat: solid(`url(#${HATCH})`),
  failed: solid('var(--bad)'),
  stopped: solid('var(--idle)'),
  needs: thin('var(--need-fill)'),
  waiting: ({ x, width, y, height }) => (
    <rect
      x={x + 0.5}
      y={y + height / 2 - 3.5}
      width={Math.max(1, width - 1)}
      height="7"
      fill="none"
      stroke="var(--wait)"
    />
  ),
  paused: ({ x, width, y, height }) => (
    <rect x={x} y={y + height / 2 - 1} width={width} height="2" rx="1" fill="var(--idle)" />
  ),
  queued: ({ x, width, y, height }) => (
    <path d={`M${x} ${y + height / 2}h${width}`} stroke="var(--edge)" strokeWidth="2" strokeDasharray="1 3" />
  ),
};

/** The bars of one run, in a box `height` high at `y`. */
export function Bars({
  bars,
  y,
  height,
}: {
  readonly bars: readonly Bar[];
  readonly y: number;
  readonly height: number;
}) {
  return (
    <>
      {bars.map(({ x, width, look, edge, cross }, place) => (
        <g key={place}>
          {DRAW[look]({ x, width, y, height })}
          {edge && <rect x={x + Math.max(0, width - 3)} y={y - 1} width="3" height={height + 2} fill="var(--accent)" />}
          {cross && width > 14 && (
            <path
              d={`m${x + 5} ${y + height / 2 - 3} 6 6m0-6-6 6`}
              stroke="var(--bad-ink)"
              strokeWidth="1.5"
              strokeLinecap="round"
            />
          )}
        </g>
      ))}
    </>
  );
}
