import { formatDay } from '../../shared/format.ts';
import { workStrings } from '../../shared/work-strings.ts';
import type { DayTotal } from './days.ts';

const words = workStrings.usage;
const WIDTH = 640;
const HEIGHT = 132;
const FOOT = 16;

/** One bar a day; the line across is the limit of a day. A picture of the table beside it, so readers of the screen get that. */
export function DayChart({
  days,
  valueOf,
  wordsOf,
  limit,
}: {
  readonly days: readonly DayTotal[];
  readonly valueOf: (day: DayTotal) => number;
  readonly wordsOf: (day: DayTotal) => string;
  readonly limit: number | null;
}) {
  const most = Math.max(...days.map(valueOf), limit ?? 0, Number.MIN_VALUE);
  const room = HEIGHT - FOOT - 8;
  const step = WIDTH / days.length;
  const heightOf = (value: number): number => (value / most) * room;
  const base = HEIGHT - FOOT;
  return (
    <svg className="usage-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden>
      <path d={`M0 ${base + 0.5}H${WIDTH}`} stroke="var(--line-strong)" />
      {days.map((day, at) => {
        const value = valueOf(day);
        const height = value === 0 ? 0 : Math.max(2, heightOf(value));
        const over = limit !== null && value > limit;
        return (
          <g key={day.day}>
            <title>{`${formatDay(day.day)} · ${wordsOf(day)}`}</title>
            <rect x={at * step} y="0" width={step} height={base} fill="transparent" />
            <rect
              x={at * step + step * 0.15}
              y={base - height}
              width={step * 0.7}
              height={height}
              rx="1.5"
              fill={over ? 'var(--warn)' : 'var(--run-fill)'}
            />
          </g>
        );
      })}
      {limit !== null && (
        <path d={`M0 ${base - heightOf(limit)}H${WIDTH}`} stroke="var(--text-2)" strokeDasharray="3 3" />
      )}
      <text x="0" y={HEIGHT - 3}>
        {days[0] !== undefined && formatDay(days[0].day)}
      </text>
      <text x={WIDTH} y={HEIGHT - 3} textAnchor="end">
        {words.today}
      </text>
    </svg>
  );
}
