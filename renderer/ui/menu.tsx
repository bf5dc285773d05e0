import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  readonly disabled?: boolean;
  /** Shown with a check: the item is a choice that is on. */
  readonly checked?: boolean;
  readonly onSelect: () => void;
}

/** A drop-down of actions on `trigger`, which must be one button. Groups are told apart by a hairline. */
export function Menu({
  trigger,
  groups,
  align = 'end',
}: {
  readonly trigger: ReactNode;
  readonly groups: readonly (readonly MenuItem[])[];
  readonly align?: 'start' | 'end';
}) {
  return (
    // Not modal: a modal menu would lock scrolling with an injected style element, which the content policy forbids.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={keepTakenFocus}
        >
          {groups.map((items, place) => (
            <DropdownMenu.Group key={items[0]?.label ?? place}>
              {place > 0 && <DropdownMenu.Separator className="my-1 h-px bg-line" />}
              {items.map((item) => (
                <DropdownMenu.Item
                  key={item.label}
                  className="menu-item"
                  disabled={item.disabled ?? false}
                  onSelect={item.onSelect}
                >
                  {item.icon !== undefined && <Icon name={item.icon} />}
                  <span className="el grow">{item.label}</span>
                  {item.checked === true && <Icon name="check" />}
                </DropdownMenu.Item>
              ))}
            </DropdownMenu.Group>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** An item may have sent the keyboard elsewhere: then it stays there, and does not go back to the button. */
function keepTakenFocus(event: Event): void {
  const now = document.activeElement;
  if (now !== null && now !== document.body && now.closest('.menu') === null) event.preventDefault();
}
