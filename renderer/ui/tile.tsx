import type { ReactNode } from 'react';
import type { Mark } from '../shared/status.ts';

const outline = (colour: string, fill?: string): ReactNode => (
  <rect x=".75" y=".75" width="14.5" height="14.5" rx="2.5" fill={fill} stroke={colour} strokeWidth="1.5" />
);

const broken = (sign: string): ReactNode => (
  <>
    <rect width="16" height="16" rx="3" fill="var(--bad)" />
    <path d={sign} stroke="var(--bad-ink)" strokeWidth="1.75" strokeLinecap="round" />
  </>
);

const lozenge = (sign: string): ReactNode => (
  <>
    <path d="M8 .2 15.8 8 8 15.8.2 8z" fill="var(--need-fill)" />
    <path d={sign} stroke="var(--need-ink)" strokeWidth="1.6" strokeLinecap="round" />
  </>
);

/** The marks as tiles of a large set: the same form and hue as glyph and bar. */
const TILES: Readonly<Record<Mark, ReactNode>> = {
  queued: <rect x=".5" y=".5" width="15" height="15" rx="2.5" stroke="var(--edge)" />,
  running: (
    <>
      {outline('var(--accent)')}
      <circle cx="8" cy="8" r="2.5" fill="var(--accent)" />
    </>
  ),
  waiting: (
    <>
      {outline('var(--wait)')}
      <path d="M8 4.5V8l2.2 1.5" stroke="var(--wait)" strokeWidth="1.5" strokeLinecap="round" />
    </>
  ),
  permission: lozenge('M8 4.6v3.9M8 11.1v.01'),
  question: lozenge('M6.4 6.3a1.65 1.65 0 1 1 2.3 1.7c-.5.25-.7.5-.7 1.05M8 11.3v.01'),
  completed: (
    <>
      <rect width="16" height="16" rx="3" fill="var(--ok-fill)" />
      <path
        d="m5 8.3 2.2 2.2L11 6"
        stroke="var(--ok-ink)"
        strokeWidth="1.25"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  caveat: (
    <>
      {outline('var(--warn)', 'var(--ok-fill)')}
      <path d="M8 4.3v4.2M8 11.3v.01" stroke="var(--warn)" strokeWidth="1.75" strokeLinecap="round" />
    </>
  ),
  failed: broken('m5 5 6 6m0-6-6 6'),
  timed_out: broken('M8 4.4V8l2.4 1.6'),
  lost: broken('M6.3 6.2a1.75 1.75 0 1 1 2.4 1.8c-.5.25-.7.5-.7 1.1M8 11.4v.01'),
  stopped: (
    <>
      {outline('var(--edge)')}
      <rect x="5" y="5" width="6" height="6" rx="1" fill="var(--idle)" />
    </>
  ),
  paused: (
    <>
      {outline('var(--edge)')}
      <path d="M6.5 5v6M9.5 5v6" stroke="var(--idle)" strokeWidth="1.75" strokeLinecap="round" />
    </>
  ),
};

/** One run as a tile; the name belongs to the thing around it. */
export function Tile({ mark, size = 16 }: { readonly mark: Mark; readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" aria-hidden>
      {TILES[mark]}
    </svg>
  );
}
