import { useState } from 'react';
import { useCommand } from '../../app/commands.ts';
import { lazyPart } from '../../app/lazy-part.tsx';
import { OverWaiting } from '../../app/pane-waiting.tsx';
import { closeOverlay, openOverlay, useOverlay, usePane } from '../../app/ui-store.ts';
import { settingsStrings as words } from '../../shared/settings-strings.ts';
import { isSection, SECTIONS, type SectionId } from './settings-index.ts';

const SettingsPane = lazyPart(async () => (await import('./settings-pane.tsx')).SettingsPane, {
  waiting: <OverWaiting />,
  onClose: closeOverlay,
});

/** A section as a command: the palette leads to it. */
function SectionCommand({ section }: { readonly section: SectionId }) {
  useCommand({
    id: `settings-${section}`,
    title: words.command(words.sections[section]),
    chord: null,
    run: () => {
      openOverlay({ type: 'settings', section });
    },
  });
  return null;
}

/** The settings, over the tree and beside the sidebar; they come back at the section where they were left. */
export function Settings() {
  const overlay = useOverlay((state) => state.overlay);
  const [last, setLast] = useState<SectionId>('providers');
  useCommand({
    id: 'settings',
    title: words.title,
    chord: 'mod+,',
    run: () => {
      if (overlay?.type === 'settings') closeOverlay();
      else openOverlay({ type: 'settings' });
    },
  });
  const open = usePane('settings');
  return (
    <>
      {SECTIONS.map((section) => (
        <SectionCommand key={section} section={section} />
      ))}
      {open !== null && (
        <SettingsPane
          section={isSection(open.section) ? open.section : last}
          item={open.item ?? null}
          onGo={(section, item) => {
            setLast(section);
            openOverlay({ type: 'settings', section, ...(item === undefined ? {} : { item }) });
          }}
        />
      )}
    </>
  );
}
