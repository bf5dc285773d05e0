import type { KeyboardEvent, RefObject } from 'react';
import { settingsStrings as words } from '../../shared/settings-strings.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { findSettings, SECTIONS, type SectionId } from './settings-index.ts';

/** Goes to a section, and perhaps to one setting of it. */
export type Go = (section: SectionId, item?: string) => void;

/** What is looked for among the settings; Escape clears it. */
export function Search({
  query,
  onChange,
  input,
}: {
  readonly query: string;
  readonly onChange: (query: string) => void;
  readonly input: RefObject<HTMLInputElement | null>;
}) {
  return (
    <div className="settings-search">
      <Icon name="search" />
      <input
        ref={input}
        type="text"
        aria-label={words.search}
        placeholder={words.search}
        value={query}
        onChange={(event) => {
          onChange(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || query === '') return;
          event.stopPropagation();
          onChange('');
        }}
      />
      {query !== '' && (
        <IconButton
          icon="close"
          name={words.clear}
          onClick={() => {
            onChange('');
            input.current?.focus();
          }}
        />
      )}
    </div>
  );
}

/** The settings that match; each leads to itself. */
export function Found({ query, onGo }: { readonly query: string; readonly onGo: Go }) {
  const found = findSettings(query);
  return (
    <nav className="settings-nav" aria-label={words.found}>
      {found.map(({ id, section, name }) => (
        <button
          key={id}
          type="button"
          onClick={() => {
            onGo(section, id);
          }}
        >
          {name}
          <span className="block text-11 text-ink-3">{words.sections[section]}</span>
        </button>
      ))}
      {found.length === 0 && (
        <p role="status" className="px-4 py-2 text-ink-3">
          {words.nothing(query.trim())}
        </p>
      )}
    </nav>
  );
}

/** The sections; arrows go through them. */
export function Sections({ section, onGo }: { readonly section: SectionId; readonly onGo: Go }) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step === undefined ? undefined : SECTIONS[SECTIONS.indexOf(section) + step];
    if (next === undefined) return;
    event.preventDefault();
    onGo(next);
    event.currentTarget.querySelectorAll('button')[SECTIONS.indexOf(next)]?.focus();
  };
  return (
    <nav className="settings-nav" aria-label={words.sectionsOf} onKeyDown={onKeyDown}>
      {SECTIONS.map((id) => (
        <button
          key={id}
          type="button"
          aria-current={id === section ? 'true' : undefined}
          onClick={() => {
            onGo(id);
          }}
        >
          {words.sections[id]}
        </button>
      ))}
    </nav>
  );
}
