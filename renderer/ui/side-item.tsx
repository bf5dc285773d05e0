import type { MouseEvent, ReactNode } from 'react';

/** A right click opens the menu that the entry's own button opens; text that is typed keeps the browser's. */
function openActions(event: MouseEvent<HTMLElement>): void {
  const button = event.currentTarget.querySelector<HTMLElement>('.side-actions [aria-haspopup="menu"]');
  if (button === null || (event.target instanceof Element && event.target.closest('input') !== null)) return;
  event.preventDefault();
  if (button.getAttribute('aria-expanded') === 'true') return;
  button.focus();
  // What opens it by the pointer or the keyboard takes it the same way here.
  button.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
}

/** One entry of the sidebar: mark, text, a count or age at the right; with `sub` it has a second line. */
export function SideItem({
  mark,
  text,
  sub,
  note,
  end,
  current = false,
  expanded,
  indent = false,
  title,
  actions,
  onClick,
}: {
  readonly mark: ReactNode;
  readonly text: ReactNode;
  readonly sub?: ReactNode;
  /** A control of its own below the text. */
  readonly note?: ReactNode;
  readonly end?: ReactNode;
  readonly current?: boolean;
  readonly expanded?: boolean;
  readonly indent?: boolean;
  readonly title?: string;
  /** Shown in place of `end` while the entry is hovered or has the focus. */
  readonly actions?: ReactNode;
  readonly onClick: () => void;
}) {
  return (
    <li
      className={`side-item ${sub === undefined ? '' : 'is-two'} ${indent ? 'is-indented' : ''}`}
      data-current={current}
      onContextMenu={actions === undefined ? undefined : openActions}
    >
      <button
        type="button"
        className="side-press"
        aria-current={current ? 'true' : undefined}
        aria-expanded={expanded}
        title={title}
        onClick={onClick}
      >
        <span className="side-mark">{mark}</span>
        <span className={`el ${current ? 'font-med' : ''}`} dir="auto">
          {text}
        </span>
        <span className={actions === undefined ? 'side-end' : 'side-end has-actions'}>{end}</span>
        {sub !== undefined && <span className="side-sub el">{sub}</span>}
      </button>
      {note !== undefined && <span className="side-note">{note}</span>}
      {actions !== undefined && <span className="side-actions">{actions}</span>}
    </li>
  );
}

/** A titled part of the sidebar. */
export function SideSection({
  title,
  end,
  children,
}: {
  readonly title: string;
  readonly end?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={title}>
      <div className="side-title">
        <h2>{title}</h2>
        {end}
      </div>
      <ul>{children}</ul>
    </section>
  );
}
