import { Command as Parts } from 'cmdk';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useCommands } from '../../app/commands.ts';
import { markOfConversation } from '../../app/conversation-item.tsx';
import { useLive } from '../../app/live.ts';
import { closeOverlay, openOverlay, requestFocus, requestRows, ui, useOverlay } from '../../app/ui-store.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { markOf } from '../../shared/status.ts';
import { strings } from '../../shared/strings.ts';
import { KeyCap } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Glyph } from '../../ui/glyph.tsx';
import { Icon } from '../../ui/icon.tsx';
import { paletteGroups, type PaletteItem } from './palette-items.ts';
import './palette.css';

const words = startStrings.palette;

function act(item: PaletteItem): void {
  closeOverlay();
  switch (item.type) {
    case 'command':
      // The focus is back where it was before the action moves it.
      requestAnimationFrame(item.command.run);
      return;
    case 'conversation':
      ui.openConversation(item.id);
      requestRows();
      return;
    case 'set':
      ui.openConversation(item.row.conversation_id);
      ui.selectSet(item.id);
      requestRows();
      return;
    case 'run':
      ui.reveal(item.row.conversation_id, item.id);
      requestRows();
      return;
    case 'project':
      ui.beginIn(item.id);
      requestFocus('composer');
      return;
    case 'search':
      openOverlay({ type: 'search', text: item.query });
      return;
  }
}

function Line({ mark, text, end }: { readonly mark: ReactNode; readonly text: string; readonly end?: ReactNode }) {
  return (
    <>
      <span className="flex w-4 flex-none justify-center text-ink-3">{mark}</span>
      <span className="el grow">{text}</span>
      {end !== undefined && <span className="flex-none text-11 text-ink-3">{end}</span>}
    </>
  );
}

function ItemLine({ item }: { readonly item: PaletteItem }) {
  switch (item.type) {
    case 'command': {
      const { chord, title } = item.command;
      return (
        <Line mark={<Icon name="right" />} text={title} end={chord === null ? undefined : <KeyCap chord={chord} />} />
      );
    }
    case 'conversation': {
      const { title, runs, ended } = item.row;
      return (
        <Line
          mark={<Glyph mark={markOfConversation(item.row)} named />}
          text={title}
          end={runs > 0 ? `${ended}/${runs}` : undefined}
        />
      );
    }
    case 'set': {
      const { ended, count } = item.row;
      return <Line mark={<Icon name="delegate" />} text={item.text} end={strings.tree.ended(ended, count)} />;
    }
    case 'run':
      return (
        <Line
          mark={<Glyph mark={markOf(item.row)} named />}
          text={item.row.label ?? item.row.goal}
          end={item.row.words}
        />
      );
    case 'project':
      return <Line mark={<Icon name="folder" />} text={item.text} />;
    case 'search':
      return <Line mark={<Icon name="search" />} text={item.text} />;
  }
}

function PaletteBody() {
  const [query, setQuery] = useState('');
  const input = useRef<HTMLInputElement>(null);
  // The dialog gives the focus to the first thing that can have it, which is the whole.
  useEffect(() => input.current?.focus(), []);
  const commands = useCommands((state) => state.commands);
  // What was there when it opened: lines do not move under the pointer.
  const [live] = useState(useLive.getState);
  const groups = useMemo(() => paletteGroups(live, commands, query), [live, commands, query]);
  return (
    <Parts label={words.label} shouldFilter={false} loop>
      <div className="palette-search">
        <Icon name="search" />
        <Parts.Input ref={input} placeholder={words.placeholder} value={query} onValueChange={setQuery} />
        <KeyCap chord="escape" />
      </div>
      <Parts.List className="palette-list" label={words.open}>
        {groups.length === 0 && <p className="px-3 py-3 text-ink-3">{words.nothing}</p>}
        {groups.map(({ title, items }) => (
          <Parts.Group key={title} heading={title}>
            {items.map((item) => (
              <Parts.Item key={item.id} value={item.id} className="palette-item" onSelect={() => act(item)}>
                <ItemLine item={item} />
              </Parts.Item>
            ))}
          </Parts.Group>
        ))}
      </Parts.List>
    </Parts>
  );
}

/** The command palette: every action, run, set, project and conversation. */
export function Palette() {
  const open = useOverlay((state) => state.overlay?.type === 'palette');
  if (!open) return null;
  return (
    <Dialog name={words.open} onClose={closeOverlay} className="w-[600px]" top>
      <PaletteBody />
    </Dialog>
  );
}
