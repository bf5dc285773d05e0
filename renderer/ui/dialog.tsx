import { useLayoutEffect, useRef, type ReactNode } from 'react';

export interface DialogProps {
  /** The accessible name. */
  readonly name: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly className?: string;
  /** Near the top instead of the middle: for the palette, whose height changes. */
  readonly top?: boolean;
}

/**
 * A modal dialog on the platform's own element: focus stays inside, Escape and a click beside it close it, focus goes
 * back to where it was. Mount it to open it.
 */
export function Dialog({ name, onClose, children, className = '', top = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  // Its end must come before the element goes, or the focus would not find its way back.
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog === null || dialog.open) return;
    dialog.showModal();
    return () => {
      dialog.close();
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-label={name}
      className={`dialog ${top ? 'dialog-top' : ''} ${className}`}
      onCancel={(event) => {
        // `cancel` of a file input inside bubbles too.
        if (event.target !== element.current) return;
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
