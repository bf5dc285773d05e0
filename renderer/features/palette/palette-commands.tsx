import { pressStop } from '../../app/stop.ts';
import { useCommand } from '../../app/commands.ts';
import { liveBelow, useApp, useConversation } from '../../app/live-rows.ts';
import { useLive } from '../../app/live.ts';
import { setPaused } from '../../app/pause.ts';
import { openOverlay, ui, useUi } from '../../app/ui-store.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { strings } from '../../shared/strings.ts';

const words = startStrings.palette;

function toggleTheme(): void {
  ui.setTheme(document.documentElement.dataset['theme'] === 'light' ? 'dark' : 'light');
}

function StopCommand({ conversation }: { readonly conversation: string }) {
  const run = (): void => {
    const affected = liveBelow(useLive.getState(), conversation).length;
    openOverlay({
      type: 'confirm',
      title: words.stopTitle(affected),
      text: words.stopText,
      action: words.stopAction,
      onConfirm: () => {
        const now = liveBelow(useLive.getState(), conversation).length;
        pressStop(conversation);
        // With several runs the first press only arms; this was the confirmation.
        if (now > 1) pressStop(conversation);
      },
    });
  };
  useCommand({ id: 'stop-conversation', title: words.stop, chord: null, run });
  return null;
}

/** Pauses everything, or the open conversation; the words say which way it goes. */
function PauseCommands({ conversation }: { readonly conversation: string | null }) {
  const everything = useApp()?.paused ?? false;
  const here = useConversation(conversation)?.paused ?? false;
  useCommand({
    id: 'pause-all',
    title: everything ? strings.frame.resumeAll : strings.frame.pauseAll,
    chord: null,
    run: () => void setPaused(null, !everything),
  });
  useCommand({
    id: 'pause-conversation',
    title: here ? words.resume : words.pause,
    chord: null,
    run: () => {
      if (conversation !== null) void setPaused(conversation, !here);
    },
  });
  return null;
}

/** Actions that have no place of their own on the page. */
export function PaletteCommands() {
  const conversation = useUi((state) => state.conversation);
  const running = useLive((state) => conversation !== null && liveBelow(state, conversation).length > 0);
  useCommand({ id: 'theme', title: words.toggleTheme, chord: null, run: toggleTheme });
  return (
    <>
      <PauseCommands conversation={conversation} />
      {conversation !== null && running && <StopCommand conversation={conversation} />}
    </>
  );
}
