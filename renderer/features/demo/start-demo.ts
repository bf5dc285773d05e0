import { create } from 'zustand';
import { attempt, core } from '../../app/client.ts';
import { ui } from '../../app/ui-store.ts';
import { startStrings } from '../../shared/start-strings.ts';

/** Whether the demo is being set up. */
export const useDemo = create<{ readonly starting: boolean }>(() => ({ starting: false }));

/** Makes the scratch project, runs the demo batch in it and shows it. A second press while it starts does nothing. */
export async function startDemo(): Promise<boolean> {
  if (useDemo.getState().starting) return false;
  useDemo.setState({ starting: true });
  const started = await attempt(startStrings.demo.failed, async () => {
    const answer = await core.onboarding.demo();
    ui.openConversation(answer.conversation_id);
    ui.selectSet(answer.delegation_id);
  });
  useDemo.setState({ starting: false });
  return started;
}
