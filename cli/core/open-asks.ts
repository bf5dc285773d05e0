import { oneLineOf } from '../../core/host/export/plain-words.ts';
import type { AskRow } from '../../core/protocol/rows.ts';

/** Of these asks the open ones of a run, and of what was started below it. */
export function asksBelow(asks: readonly AskRow[], runIds: Iterable<string>): AskRow[] {
  const wanted = new Set(runIds);
  return asks.filter(
    ({ run_id, chain, state }) =>
      state === 'open' && (wanted.has(run_id) || chain.some((link) => link.run_id !== null && wanted.has(link.run_id))),
  );
}

/** Of these asks the open ones of a conversation. */
export function asksIn(asks: readonly AskRow[], conversationId: string): AskRow[] {
  return asks.filter(({ conversation_id, state }) => state === 'open' && conversation_id === conversationId);
}

/** An open ask for people: its id with what is asked, and the command that answers it (A2). */
export function askLines({ ask_id, kind, title, detail }: AskRow): [string, string] {
  const isMore = kind === 'permission' && detail.trim() !== '' && !title.includes(detail);
  const asked = oneLineOf(isMore ? `${title}: ${detail}` : title, 300);
  const answer = kind === 'question' ? "'your answer'" : 'once';
  const others = kind === 'question' ? '' : '  (or run, set, project, deny)';
  return [`? ${ask_id}  ${asked}`, `  espalier answer ${ask_id} ${answer}${others}`];
}
