import type { SetRow } from '../../core/protocol/rows.ts';
import { workStrings } from '../shared/work-strings.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { exportItems } from './export.ts';
import { historyMenu } from './history.ts';
import { useConversation } from './live-rows.ts';

/** What can be done again with a set. `failed`: some of it did not complete. */
export function SetMenu({ set, failed }: { readonly set: SetRow; readonly failed: boolean }) {
  const project = useConversation(set.conversation_id)?.project_id ?? null;
  return (
    // Keys and clicks in the menu are its own, not those of the card or tree around its trigger.
    <span
      className="contents"
      role="presentation"
      onKeyDown={(event) => {
        event.stopPropagation();
      }}
      onClick={(event) => {
        event.stopPropagation();
      }}
    >
      <Menu
        trigger={<IconButton icon="more" name={workStrings.history.more(set.set)} />}
        groups={[historyMenu(set, project, failed), exportItems(set.delegation_id)]}
      />
    </span>
  );
}
