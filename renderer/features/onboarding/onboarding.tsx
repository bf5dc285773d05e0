import { useEffect, type ReactNode } from 'react';
import { useCommand } from '../../app/commands.ts';
import { useConnection } from '../../app/connection.ts';
import { useCover } from '../../app/cover.ts';
import { lazyPart } from '../../app/lazy-part.tsx';
import { useApp, useProjects } from '../../app/live-rows.ts';
import { OverWaiting } from '../../app/pane-waiting.tsx';
import { useUi } from '../../app/ui-store.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { closeFirstStart, openFirstStart, useFirstStart } from './onboarding-state.ts';

const words = startStrings.first;
const Screen = lazyPart(async () => (await import('./first-screen.tsx')).FirstScreen, {
  waiting: <OverWaiting />,
  onClose: closeFirstStart,
});

/** Shows the first start when the app has come up without a project; leaves when a conversation is opened. */
function useFirst(): boolean {
  const open = useFirstStart((state) => state.open);
  const asked = useFirstStart((state) => state.asked);
  const app = useApp();
  const count = useProjects().length;
  const connected = useConnection((connection) => connection.state === 'open');
  const conversation = useUi((state) => state.conversation);
  const under = useCover((state) => state.by === 'batch');
  useEffect(() => {
    if (app !== null && useFirstStart.getState().open === null) useFirstStart.setState({ open: count === 0 });
  }, [app, count]);
  useEffect(
    () =>
      useUi.subscribe((state, before) => {
        if (state.conversation !== null && state.conversation !== before.conversation) closeFirstStart();
      }),
    [],
  );
  useCommand({ id: 'first', title: words.open, chord: null, run: openFirstStart });
  // A conversation that was kept from another time is no reason to hide that there is no project.
  return open === true && connected && app !== null && !under && (asked || conversation === null || count === 0);
}

/** The first start: what is there, a folder, a first batch that runs. `demo` starts the demo, `keys` takes the key of a provider. */
export function Onboarding({ demo, keys }: { readonly demo: ReactNode; readonly keys: ReactNode }) {
  return useFirst() ? <Screen demo={demo} keys={keys} /> : null;
}
