import { Popover as Parts } from 'radix-ui';
import { useState, type ReactNode } from 'react';

/** A small form on `trigger`, which must be one button. Escape and a click beside it close it. */
export function Popover({
  name,
  trigger,
  children,
  align = 'end',
  className = '',
}: {
  /** The accessible name. */
  readonly name: string;
  readonly trigger: ReactNode;
  readonly children: (close: () => void) => ReactNode;
  readonly align?: 'start' | 'end';
  readonly className?: string;
}) {
  const [open, setOpen] = useState(false);
  return (
    <Parts.Root open={open} onOpenChange={setOpen}>
      <Parts.Trigger asChild>{trigger}</Parts.Trigger>
      <Parts.Portal>
        <Parts.Content
          className={`popover ${className}`}
          aria-label={name}
          align={align}
          sideOffset={4}
          collisionPadding={8}
        >
          {children(() => {
            setOpen(false);
          })}
        </Parts.Content>
      </Parts.Portal>
    </Parts.Root>
  );
}
