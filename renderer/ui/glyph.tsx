import type { ReactNode } from 'react';
import type { Mark } from '../shared/status.ts';
import { strings } from '../shared/strings.ts';

const disc = (cross: ReactNode): ReactNode => (
  <>
    <circle cx="8" cy="8" r="6" fill="var(--bad)" stroke="none" />
    {cross}
  </>
);

const lozenge = (sign: ReactNode): ReactNode => (
  <>
    <path d="M8 .8 15.2 8 8 15.2.8 8z" fill="var(--need-fill)" stroke="none" />
    {sign}
  </>
);

/** Shapes in a 16-px box. Filled means broken or waits for you; stroked means calm. */
const SHAPES: Readonly<Record<Mark, ReactNode>> = {
  queued: <circle cx="8" cy="8" r="5" stroke="var(--idle)" strokeDasharray="1.5 2.43" />,
  running: (
    <g stroke="var(--accent)">
      <circle cx="8" cy="8" r="5.5" stroke="var(--accent-line)" />
      <path d="M8 2.5a5.5 5.5 0 0 1 5.5 5.5" strokeWidth="2" />
      <circle cx="8" cy="8" r="2" fill="var(--accent)" stroke="none" />
    </g>
  ),
  waiting: (
    <g stroke="var(--wait)">
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 4.9V8l2.2 1.5" />
    </g>
  ),
  permission: lozenge(<path d="M8 4.6v3.9M8 11.1v.01" stroke="var(--need-ink)" strokeWidth="1.6" />),
  question: lozenge(
    <path
      d="M6.4 6.3a1.65 1.65 0 1 1 2.3 1.7c-.5.25-.7.5-.7 1.05M8 11.3v.01"
      stroke="var(--need-ink)"
      strokeWidth="1.4"
    />,
  ),
  completed: <path d="m3.5 8.5 3 3 6-7" stroke="var(--ok)" strokeWidth="1.75" />,
  caveat: (
    <g stroke="var(--warn)">
      <path d="M8 2.8 14 13H2z" />
      <path d="M8 6.8v2.7M8 11.2v.01" />
    </g>
  ),
  failed: disc(<path d="m5.8 5.8 4.4 4.4m0-4.4-4.4 4.4" stroke="var(--bad-ink)" />),
  timed_out: disc(<path d="M8 4.9V8l2.1 1.4" stroke="var(--bad-ink)" />),
  lost: disc(
    <path d="M6.5 6.5a1.55 1.55 0 1 1 2.2 1.6c-.5.25-.7.5-.7.95M8 11v.01" stroke="var(--bad-ink)" strokeWidth="1.4" />,
  ),
  stopped: <rect x="4" y="4" width="8" height="8" rx="1" fill="var(--idle)" stroke="none" />,
  paused: <path d="M6 4v8M10 4v8" stroke="var(--idle)" strokeWidth="2" />,
};

export interface GlyphProps {
  readonly mark: Mark;
  /** Names the glyph for a reader; without it the glyph is decoration beside words that say the same. */
  readonly named?: boolean;
}

/** The status glyph of a run: shape and colour, never colour alone. */
export function Glyph({ mark, named = false }: GlyphProps) {
  const name = named ? { role: 'img', 'aria-label': strings.marks[mark] } : { 'aria-hidden': true };
  return (
    <svg
      className={mark === 'running' ? 'arc' : undefined}
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      {...name}
    >
      {SHAPES[mark]}
    </svg>
  );
}
