import type { ReactNode } from 'react';
import { Glyph } from '../../ui/glyph.tsx';

function NowMark() {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="var(--accent)" strokeWidth="1.5" aria-hidden>
      <circle cx="8" cy="8" r="5" />
      <circle cx="8" cy="8" r="2" fill="var(--accent)" stroke="none" />
    </svg>
  );
}

/** One step on the trunk of the first start. */
export function Step({
  state,
  title,
  hint,
  children,
}: {
  readonly state: 'done' | 'now' | 'later';
  readonly title: string;
  readonly hint: string;
  readonly children: ReactNode;
}) {
  return (
    <li className="step" data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
      <div className="step-head">
        <span className="step-node">
          {state === 'now' ? <NowMark /> : <Glyph mark={state === 'done' ? 'completed' : 'queued'} />}
        </span>
        <h2 className="flex-none text-13 font-semi">{title}</h2>
        <span className="el text-ink-3">{hint}</span>
      </div>
      {children}
    </li>
  );
}
