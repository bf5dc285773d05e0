import { useState } from 'react';
import type { RunRow, SteerMode } from '../../../core/protocol/rows.ts';
import { follow } from '../../app/again.ts';
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

/** What a message to a run is: for its next safe boundary, the next turn of a lead, or the begin of a run that goes on with it. */
export type Way = 'steer' | 'message' | 'continue';

async function deliver(run: RunRow, way: Way, { text, mode, token }: Tried): Promise<void> {
  const { run_id, project_id, conversation_id } = run;
  switch (way) {
    case 'message':
      await core.leads.send({ project_id, conversation_id, text, client_token: token });
      return;
    case 'continue':
      follow(run_id, (await core.runs.continue({ run_id, text, client_token: token })).run_id);
      return;
    case 'steer':
      await core.runs.steer({ run_id, text, mode, client_token: token });
  }
}

/** Sends messages to a run. The draft goes when the core has it; a refused one stays, with the reason. */
export function useSend(run: RunRow, way: Way): Sending {
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
    deliver(run, way, attempt)
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
