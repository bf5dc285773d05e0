import { useRef, type KeyboardEvent } from 'react';
import { viewStrings } from '../shared/view-strings.ts';
import { placeAfterKey } from '../ui/tabs.tsx';
import { useCommand } from './commands.ts';
import { VIEWS, type View } from './ui-state.ts';
import { ui, useView } from './ui-store.ts';

const words = viewStrings.views;

/** The command of one view, for the palette and its digit. */
function ViewCommand({
  conversation,
  view,
  chord,
}: {
  readonly conversation: string;
  readonly view: View;
  readonly chord: string;
}) {
  useCommand({
    id: `view-${view}`,
    title: words.show(words.names[view]),
    chord,
    run: () => {
      ui.showView(conversation, view);
    },
  });
  return null;
}

/** The ways to look at the open conversation: one is on. */
export function ViewSwitch({ conversation }: { readonly conversation: string }) {
  const current = useView(conversation);
  const group = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const place = placeAfterKey(event.key, VIEWS.indexOf(current), VIEWS.length);
    const view = place === null ? undefined : VIEWS[place];
    if (view === undefined || place === null) return;
    event.preventDefault();
    ui.showView(conversation, view);
    group.current?.querySelectorAll<HTMLElement>('[role="radio"]')[place]?.focus();
  };
  return (
    <div ref={group} role="radiogroup" aria-label={words.name} className="segmented flex-none" onKeyDown={onKeyDown}>
      {VIEWS.map((view, place) => (
        <button
          key={view}
          type="button"
          role="radio"
          aria-checked={view === current}
          tabIndex={view === current ? 0 : -1}
          title={`${words.show(words.names[view])} (${place + 1})`}
          onClick={() => {
            ui.showView(conversation, view);
          }}
        >
          {words.names[view]}
        </button>
      ))}
      {VIEWS.map((view, place) => (
        <ViewCommand key={view} conversation={conversation} view={view} chord={String(place + 1)} />
      ))}
    </div>
  );
}
