import { useState } from 'react';
import type { ConversationRow } from '../../core/protocol/rows.ts';
import type { Mark } from '../shared/status.ts';
import { strings } from '../shared/strings.ts';
import { visibleText } from '../shared/visible-text.ts';
import { IconButton } from '../ui/button.tsx';
import { Glyph } from '../ui/glyph.tsx';
import { Menu, type MenuItem } from '../ui/menu.tsx';
import { SideItem } from '../ui/side-item.tsx';
import { toastUndo } from '../ui/toast.tsx';
import { attempt, core } from './client.ts';
import { exportItems } from './export.ts';
import { setPaused } from './pause.ts';
import { openOverlay, ui, useOverlay, useUi } from './ui-store.ts';
import { showLead } from './window-size.ts';

/** All in it has ended. What was looked at has failed all the same, and what completed with a caveat has it still. */
function markOfEnded({ failed = 0, stopped = 0, caveats = 0 }: ConversationRow): Mark {
  if (failed > 0) return 'failed';
  if (stopped > 0) return 'stopped';
  return caveats > 0 ? 'caveat' : 'completed';
}

/** The mark of a conversation as a whole. */
export function markOfConversation(row: ConversationRow): Mark {
  if (row.working > 0) return 'running';
  if (row.needs_you > 0) return 'permission';
  if (row.unseen_failures > 0) return 'failed';
  if (row.paused || (row.held > 0 && row.ended + row.held >= row.runs)) return 'paused';
  if (row.runs === 0) return 'queued';
  return row.ended < row.runs ? 'waiting' : markOfEnded(row);
}

/** Nothing in it can still act by itself. */
export function isQuiet(row: ConversationRow): boolean {
  return row.working === 0 && row.needs_you === 0 && row.held === 0;
}

function Rename({ row, onDone }: { readonly row: ConversationRow; readonly onDone: () => void }) {
  const save = (title: string): void => {
    onDone();
    const next = title.trim();
    if (next === '' || next === row.title) return;
    void attempt(strings.sidebar.renameFailed, () =>
      core.conversations.rename({ id: row.conversation_id, title: next.slice(0, 200) }),
    );
  };
  return (
    <li className="px-3 py-0.5">
      <input
        className="field w-full"
        aria-label={strings.sidebar.rename}
        defaultValue={row.title}
        autoFocus
        onFocus={(event) => {
          event.target.select();
        }}
        onBlur={(event) => {
          save(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save(event.currentTarget.value);
          if (event.key !== 'Escape') return;
          // It ends the renaming, not what is open.
          event.stopPropagation();
          onDone();
        }}
      />
    </li>
  );
}

function remove(row: ConversationRow): void {
  openOverlay({
    type: 'confirm',
    title: strings.sidebar.removeTitle(visibleText(row.title)),
    text: strings.sidebar.removeText,
    action: strings.dialog.remove,
    onConfirm: () => {
      void attempt(strings.sidebar.removeFailed, async () => {
        await core.conversations.remove({ id: row.conversation_id });
        if (useUi.getState().conversation === row.conversation_id) ui.openConversation(null);
      });
    },
  });
}

/** Puts a conversation aside, which takes it out of sight, or back among the others. */
async function setArchived({ conversation_id: id, title }: ConversationRow, archived: boolean): Promise<void> {
  const set = (to: boolean): Promise<boolean> =>
    attempt(strings.sidebar.archiveFailed, () => core.conversations.archive({ id, archived: to }));
  if ((await set(archived)) && archived) {
    toastUndo(strings.sidebar.archivedNow(visibleText(title)), () => void set(false));
  }
}

function menuOf(row: ConversationRow, rename: () => void): readonly (readonly MenuItem[])[] {
  const id = row.conversation_id;
  return [
    [
      { label: strings.sidebar.rename, onSelect: rename },
      {
        label: row.paused ? strings.pause.resume : strings.pause.pause,
        disabled: !row.paused && row.ended >= row.runs,
        onSelect: () => void setPaused(id, !row.paused),
      },
      {
        label: row.archived ? strings.sidebar.unarchive : strings.sidebar.archive,
        onSelect: () => void setArchived(row, !row.archived),
      },
      {
        label: strings.sidebar.markSeen,
        disabled: row.unseen_failures === 0,
        onSelect: () => void attempt(strings.sidebar.markSeen, () => core.conversations.seen({ id })),
      },
    ],
    exportItems(id),
    [
      {
        label: isQuiet(row) ? strings.sidebar.remove : strings.sidebar.removeLive,
        disabled: !isQuiet(row),
        onSelect: () => {
          remove(row);
        },
      },
    ],
  ];
}

/** A conversation in the sidebar, with its menu. */
export function ConversationItem({
  row,
  indent = false,
}: {
  readonly row: ConversationRow;
  readonly indent?: boolean;
}) {
  const [renaming, setRenaming] = useState(false);
  const open = useUi((state) => state.conversation === row.conversation_id);
  // The inbox lies over it, and is what is open then.
  const current = useOverlay((state) => state.overlay?.type !== 'inbox') && open;
  if (renaming) {
    return (
      <Rename
        row={row}
        onDone={() => {
          setRenaming(false);
        }}
      />
    );
  }
  return (
    <SideItem
      mark={<Glyph mark={markOfConversation(row)} named />}
      text={visibleText(row.title)}
      title={visibleText(row.title)}
      current={current}
      indent={indent}
      // A lead alone is no count of tasks.
      end={row.sets > 0 && `${row.ended}/${row.runs}`}
      onClick={() => {
        showLead(row.conversation_id, row.sets === 0 ? row.lead_run_id : null);
      }}
      actions={
        <Menu
          trigger={<IconButton icon="more" name={strings.sidebar.actions(visibleText(row.title))} />}
          groups={menuOf(row, () => {
            setRenaming(true);
          })}
        />
      }
    />
  );
}
