import { useState } from 'react';
import type { RunRow, SteerMode } from '../../../core/protocol/rows.ts';
import { clientToken, core, describeFailure } from '../../app/client.ts';
import { ui, useUi } from '../../app/ui-store.ts';

interface Sending {
  readonly sending: boolean;
  /** Why the last message was refused; it is still in the box. */
  readonly refused: string | null;
  /** Sends a message; empty ones are not sent. */
  readonly send: (text: string, mode: SteerMode) => void;
  readonly forget: () => void;
}

/** The place of a run's unsent text. */
export const draftPlace = (runId: string): string => `steer:${runId}`;

/** A text that was tried before keeps its token, so that trying again cannot send it twice (S7). */
interface Tried {
  readonly text: string;
  readonly mode: SteerMode;
  readonly token: string;
}

async function deliver(run: RunRow, message: boolean, { text, mode, token }: Tried): Promise<void> {
  if (message) {
    const { project_id, conversation_id } = run;
    await core.leads.send({ project_id, conversation_id, text, client_token: token });
  } else await core.runs.steer({ run_id: run.run_id, text, mode, client_token: token });
}

/** Sends messages to a run. The draft goes when the core has it; a refused one stays, with the reason. */
export function useSend(run: RunRow, message: boolean): Sending {
  const [sending, setSending] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const [tried, setTried] = useState<Tried | null>(null);
  const send = (text: string, mode: SteerMode): void => {
    if (text.trim() === '' || sending) return;
    const again = tried !== null && tried.text === text && tried.mode === mode;
    const attempt = again ? tried : { text, mode, token: clientToken() };
    setTried(attempt);
    setSending(true);
    setRefused(null);
    deliver(run, message, attempt)
      .then(
        () => {
          setTried(null);
          const place = draftPlace(run.run_id);
          if (useUi.getState().drafts[place] === text) ui.keepDraft(place, '');
        },
        (error: unknown) => {
          setRefused(describeFailure(error).message);
        },
      )
      .finally(() => {
        setSending(false);
      });
  };
  return {
    sending,
    refused,
    send,
    forget: () => {
      setRefused(null);
    },
  };
}
