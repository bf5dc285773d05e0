import { useEffect, useRef } from 'react';
import { useCommands } from '../../app/commands.ts';
import { onFocusRequest, openOverlay } from '../../app/ui-store.ts';
import { strings } from '../../shared/strings.ts';
import { IconButton, KeyCap } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Filters the conversations as one types; Enter searches everything, Escape clears it. */
export function SearchBox({ query, onChange }: { readonly query: string; readonly onChange: (query: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const palette = useCommands(({ commands }) => commands.find(({ id }) => id === 'palette')?.chord ?? null);
  useEffect(() => onFocusRequest('search', () => input.current?.focus()), []);
  return (
    <div className="side-search" role="search">
      <Icon name="search" />
      <input
        ref={input}
        className="min-w-0 grow bg-transparent outline-none text-ink-1"
        type="text"
        aria-label={strings.sidebar.searchLabel}
        placeholder={strings.sidebar.search}
        value={query}
        onChange={(event) => {
          onChange(event.target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('');
          const text = query.trim();
          if (event.key === 'Enter' && !event.nativeEvent.isComposing && text !== '')
            openOverlay({ type: 'search', text });
        }}
      />
      {query !== '' ? (
        <IconButton
          icon="close"
          name={strings.sidebar.clear}
          className="-mr-1"
          onClick={() => {
            onChange('');
            input.current?.focus();
          }}
        />
      ) : (
        palette !== null && <KeyCap chord={palette} />
      )}
    </div>
  );
}
