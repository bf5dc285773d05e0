import { useEffect, useRef, useState, type ComponentType, type RefObject } from 'react';
import { cover } from '../../app/cover.ts';
import { PaneBoundary } from '../../app/pane-boundary.tsx';
import { closeOverlay } from '../../app/ui-store.ts';
import { useWaysOut } from '../../app/ways-out.ts';
import { useSidebar } from '../../app/window-size.ts';
import { settingsStrings as words } from '../../shared/settings-strings.ts';
import { IconButton } from '../../ui/button.tsx';
import { AboutSection } from './about-section.tsx';
import { AgentsSection } from './agents-section.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { LimitsSection } from './limits-section.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { PermissionsSection } from './permissions-section.tsx';
import { ProjectsSection } from './projects-section.tsx';
import { ProvidersSection } from './providers-section.tsx';
import type { SectionId } from './settings-index.ts';
import { Found, Search, Sections, type Go } from './settings-nav.tsx';
import { ShortcutsSection } from './shortcuts-section.tsx';
import { StorageSection } from './storage-section.tsx';
import { ToolsSection } from './tools-section.tsx';
import './settings.css';

const COMPONENTS: Readonly<Record<SectionId, ComponentType>> = {
  providers: ProvidersSection,
  agents: AgentsSection,
  tools: ToolsSection,
  projects: ProjectsSection,
  permissions: PermissionsSection,
  limits: LimitsSection,
  notifications: NotificationsSection,
  storage: StorageSection,
  appearance: AppearanceSection,
  shortcuts: ShortcutsSection,
  about: AboutSection,
};

/** While they are open, what is under them is out of reach; afterwards the focus is where it was. */
function useOver(first: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    const lift = cover('settings');
    first.current?.focus();
    return () => {
      lift();
      // What was under it takes the focus again only when it is drawn without the cover.
      requestAnimationFrame(() => {
        if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
      });
    };
  }, [first]);
}

/** Shows the setting that was asked for, marks it and gives its control the focus, as soon as it is drawn. */
function useReached(page: RefObject<HTMLElement | null>, section: SectionId, item: string | null): void {
  useEffect(() => {
    const element = page.current;
    if (element === null || item === null) return;
    const reach = (): boolean => {
      const row = [...element.querySelectorAll<HTMLElement>('[data-setting]')].find(
        (one) => one.dataset['setting'] === item,
      );
      if (row === undefined) return false;
      for (const other of element.querySelectorAll('[data-reached]')) other.removeAttribute('data-reached');
      row.dataset['reached'] = 'true';
      row.scrollIntoView({ block: 'center' });
      row.querySelector<HTMLElement>('select, input, [tabindex="0"], button:not(.link)')?.focus();
      return true;
    };
    if (reach()) return;
    const watch = new MutationObserver(() => {
      if (reach()) watch.disconnect();
    });
    watch.observe(element, { childList: true, subtree: true });
    return () => {
      watch.disconnect();
    };
  }, [page, section, item]);
}

/** The pane: search, sections, and the chosen one. */
export function SettingsPane({
  section,
  item,
  onGo,
}: {
  readonly section: SectionId;
  readonly item: string | null;
  readonly onGo: Go;
}) {
  const [query, setQuery] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const page = useRef<HTMLDivElement>(null);
  const sidebar = useSidebar() === 'beside';
  useOver(search);
  useWaysOut('settings');
  useReached(page, section, item);
  const Shown = COMPONENTS[section];
  return (
    <main className="settings" data-sidebar={sidebar} aria-label={words.title} tabIndex={-1}>
      <div className="settings-bar">
        <h1 className="grow font-semi">{words.title}</h1>
        <Search query={query} onChange={setQuery} input={search} />
        <IconButton icon="close" name={words.close} onClick={closeOverlay} />
      </div>
      {query.trim() === '' ? <Sections section={section} onGo={onGo} /> : <Found query={query} onGo={onGo} />}
      <div
        ref={page}
        className="settings-page"
        key={section}
        tabIndex={0}
        role="group"
        aria-label={words.sections[section]}
      >
        <PaneBoundary>
          <Shown />
        </PaneBoundary>
      </div>
    </main>
  );
}
