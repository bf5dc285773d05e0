import type { ReactNode } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { setRowOpen, useRowOpen } from './open-rows.ts';

/** A line that opens: `Read 7 files`, `Reasoned for 12 s`. */
export function Fold({
  id,
  title,
  detail,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly children: () => ReactNode;
}) {
  const open = useRowOpen(id, false);
  return (
    <div className="fold">
      <button
        type="button"
        className="fold-head"
        aria-expanded={open}
        onClick={() => {
          setRowOpen(id, !open);
        }}
      >
        <Icon name={open ? 'down' : 'right'} />
        <span className="flex-none">{title}</span>
        {!open && <span className="el">{detail}</span>}
      </button>
      {open && <div className="fold-body">{children()}</div>}
    </div>
  );
}
