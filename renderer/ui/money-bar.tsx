import { useId } from 'react';

/** Money of a run or tree: solid is spent, hatched is held, the tick is the limit. Decoration beside the same numbers. */
export function MoneyBar({
  spent,
  held = 0,
  limit,
  width,
}: {
  readonly spent: number;
  readonly held?: number;
  readonly limit: number;
  readonly width: number;
}) {
  const hatch = useId();
  const scale = (usd: number): number => Math.min(width - 1, (usd / limit) * (width - 1));
  const solid = scale(spent);
  const end = scale(spent + held);
  return (
    <svg width={width} height="8" viewBox={`0 0 ${width} 8`} aria-hidden>
      <defs>
        <pattern id={hatch} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="1.5" height="4" fill="var(--text-3)" />
        </pattern>
      </defs>
      <rect y="3" width={width} height="2" rx="1" fill="var(--line-strong)" />
      <rect y="1" width={solid} height="6" rx="1" fill="var(--text-1)" />
      {end > solid + 1 && <rect x={solid + 1} y="1" width={end - solid - 1} height="6" fill={`url(#${hatch})`} />}
      <rect x={width - 1} width="1" height="8" fill="var(--text-2)" />
    </svg>
  );
}
