import { useState } from 'react';
import { ConversationItem } from '../../app/conversation-item.tsx';
import { useConversations } from '../../app/live-rows.ts';
import { useStill } from '../../app/still.ts';
import { formatCount } from '../../shared/format.ts';
import { strings } from '../../shared/strings.ts';
import { Icon } from '../../ui/icon.tsx';
import { SideItem } from '../../ui/side-item.tsx';

/** The conversations that were put aside, folded until asked for. */
export function Archived({ still }: { readonly still: boolean }) {
  const [open, setOpen] = useState(false);
  const rows = useStill(useConversations(), still).filter((row) => row.archived);
  if (rows.length === 0) return null;
  return (
    <ul className="mt-2">
      <SideItem
        mark={<Icon name={open ? 'down' : 'right'} />}
        text={strings.sidebar.archived}
        end={formatCount(rows.length)}
        expanded={open}
        onClick={() => {
          setOpen(!open);
        }}
      />
      {open && rows.map((row) => <ConversationItem key={row.conversation_id} row={row} indent />)}
    </ul>
  );
}
