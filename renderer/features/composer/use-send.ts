import { useRef, useState } from 'react';
import { attempt, clientToken, core } from '../../app/client.ts';
import { ui } from '../../app/ui-store.ts';
import { showLead } from '../../app/window-size.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { forgetImages, useAttachedImages } from './attached-images.ts';

const words = startStrings.composer;

/** Who leads, and with which model; empty for what holds without a choice. */
export interface Choice {
  readonly agent: string;
  readonly model: string;
}

/** Where a message goes, and where its draft is kept. */
export interface Destination {
  readonly place: string;
  readonly project: string | null;
  readonly conversation: string | null;
}

/** Sends a message; the token stays the same until what is sent changes, so that a second try makes no second message (S7). */
export function useSend(
  { place, project, conversation }: Destination,
  choice: Choice,
  onSent: () => void,
): { readonly sending: boolean; readonly send: (text: string) => Promise<void> } {
  const [sending, setSending] = useState(false);
  const sent = useRef({ what: '', token: '' });
  const images = useAttachedImages(place).map(({ path }) => path);
  const send = async (text: string): Promise<void> => {
    if (sending || project === null || text.trim() === '') return;
    const what = JSON.stringify([text, images, choice]);
    if (sent.current.what !== what) sent.current = { what, token: clientToken() };
    setSending(true);
    await attempt(words.sendFailed, async () => {
      const answer = await core.leads.send({
        project_id: project,
        conversation_id: conversation,
        text,
        ...(images.length === 0 ? {} : { images }),
        client_token: sent.current.token,
        options: {
          ...(choice.agent === '' ? {} : { agent: choice.agent }),
          ...(choice.model === '' ? {} : { model: choice.model }),
        },
      });
      sent.current = { what: '', token: '' };
      onSent();
      ui.keepDraft(place, '');
      forgetImages(place);
      if (conversation === null) showLead(answer.conversation_id, answer.run_id);
      else ui.openConversation(answer.conversation_id);
    });
    setSending(false);
  };
  return { sending, send };
}
