import { create } from 'zustand';
import { attempt, core } from '../../app/client.ts';
import { showBegun } from '../../app/window-size.ts';
import { startStrings } from '../../shared/start-strings.ts';

/** Whether the demo is being set up. */
export const useDemo = create<{ readonly starting: boolean }>(() => ({ starting: false }));

/** Makes the scratch project, runs the demo batch in it and shows it. A second press while it starts does nothing. */
export async function startDemo(): Promise<boolean> {
  if (useDemo.getState().starting) return false;
  useDemo.setState({ starting: true });
  const started = await attempt(startStrings.demo.failed, async () => {
    showBegun(await core.onboarding.demo());
  });
  useDemo.setState({ starting: false });
  return started;
}
