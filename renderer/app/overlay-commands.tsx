import { runStrings } from '../shared/run-strings.ts';
import { startStrings } from '../shared/start-strings.ts';
import { viewStrings } from '../shared/view-strings.ts';
import { workStrings } from '../shared/work-strings.ts';
import { useCommand } from './commands.ts';
import { pickForCompare } from './compare.ts';
import { closeOverlay, openOverlay, useOverlay, useUi, type Overlay } from './ui-store.ts';

interface Opener {
  readonly id: string;
  readonly title: string;
  readonly chord: string | null;
  readonly overlay: Overlay;
}

/** What lies over the page and is opened by a command of its own, from the start, also before its code is read. */
const OPENERS: readonly Opener[] = [
  { id: 'palette', title: startStrings.palette.open, chord: 'mod+k', overlay: { type: 'palette' } },
  { id: 'search', title: workStrings.search.title, chord: 'mod+shift+f', overlay: { type: 'search', text: '' } },
  { id: 'shortcuts', title: startStrings.shortcuts.title, chord: '?', overlay: { type: 'shortcuts' } },
  { id: 'usage', title: workStrings.usage.title, chord: null, overlay: { type: 'usage' } },
];

function OpenCommand({ opener }: { readonly opener: Opener }) {
  const { id, title, chord, overlay } = opener;
  useCommand({ id, title, chord, run: () => openOverlay(overlay) });
  return null;
}

/** Opens the inbox, or puts it away. */
function InboxCommand() {
  const open = useOverlay((state) => state.overlay?.type === 'inbox');
  useCommand({
    id: 'inbox',
    title: runStrings.asks.inbox,
    chord: 'mod+i',
    run: () => {
      if (open) closeOverlay();
      else openOverlay({ type: 'inbox', ask_id: null });
    },
  });
  return null;
}

/** Takes the selected run for comparing. */
function CompareCommand() {
  const selected = useUi((state) => (state.node?.type === 'run' ? state.node.id : null));
  useCommand({
    id: 'compare',
    title: viewStrings.compare.command,
    chord: 'alt+c',
    run: () => {
      if (selected !== null) pickForCompare(selected);
    },
  });
  return null;
}

/** The commands that open what lies over the page. */
export function OverlayCommands() {
  return (
    <>
      {OPENERS.map((opener) => (
        <OpenCommand key={opener.id} opener={opener} />
      ))}
      <InboxCommand />
      <CompareCommand />
    </>
  );
}
