import { create } from 'zustand';
import { core, describeFailure } from '../../app/client.ts';
import { clientName } from '../../shared/client-name.ts';
import type { Choice } from './ask-words.ts';

interface Answering {
  readonly state: 'answering' | 'failed';
  /** Why it was not taken, for people. */
  readonly message: string;
}

/** Answers under way, by ask. What an ask is in the end is told by the core alone. */
const useAnswers = create<{ readonly answers: ReadonlyMap<string, Answering> }>(() => ({ answers: new Map() }));

export const useAnswering = (askId: string): Answering | undefined => useAnswers((state) => state.answers.get(askId));

function note(askId: string, answer: Answering | null): void {
  useAnswers.setState(({ answers }) => {
    const next = new Map(answers);
    if (answer === null) next.delete(askId);
    else next.set(askId, answer);
    return { answers: next };
  });
}

/** Answers an ask. If somebody was first, or it failed, the reason stays beside it. */
export async function answer(askId: string, choice: Choice, text: string | null): Promise<boolean> {
  if (useAnswers.getState().answers.get(askId)?.state === 'answering') return false;
  note(askId, { state: 'answering', message: '' });
  try {
    await core.asks.answer({ ask_id: askId, choice, note: text === '' ? null : text, client: clientName() });
    note(askId, null);
    return true;
  } catch (error) {
    note(askId, { state: 'failed', message: describeFailure(error).message });
    return false;
  }
}
