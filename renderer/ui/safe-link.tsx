import { Popover } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import { linkTarget } from '../shared/link-target.ts';
import { runStrings } from '../shared/run-strings.ts';
import { Button } from './button.tsx';

/** Opens an address outside: a new tab in a browser, the system's browser on the desktop. */
function openOutside(href: string): void {
  window.open(href, '_blank', 'noopener,noreferrer');
}

/**
 * A link in agent text: it never navigates by itself, but shows its real target and opens outside after a second press.
 * There is no `href` on the page, so that neither a middle click nor a drag gets around it.
 */
export function SafeLink({ href, children }: { readonly href?: string; readonly children?: ReactNode }) {
  const [open, setOpen] = useState(false);
  const target = linkTarget(href ?? '');
  if (target.type === 'refused') return <>{children}</>;
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <button type="button" role="link" className="prose-link">
          {children}
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="link-card"
          side="top"
          sideOffset={6}
          collisionPadding={8}
          aria-label={runStrings.link.title}
        >
          <p className="font-med">{target.host}</p>
          <p className="mt-1 font-mono text-mono text-ink-2 select-text break-all">{target.href}</p>
          <div className="mt-2 flex justify-end gap-2">
            <Button
              onClick={() => {
                void navigator.clipboard.writeText(target.href);
                setOpen(false);
              }}
            >
              {runStrings.link.copy}
            </Button>
            <Button
              kind="primary"
              onClick={() => {
                setOpen(false);
                openOutside(target.href);
              }}
            >
              {runStrings.link.open}
            </Button>
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
