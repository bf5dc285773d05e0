import { strings } from '../shared/strings.ts';
import { useConversation } from './live-rows.ts';

const words = strings.frame;

/** Whether what a conversation cost is only what it would have cost: a script answered in place of a model. */
export const useScripted = (conversationId: string): boolean => useConversation(conversationId)?.scripted === true;

/** Money that work in a conversation has cost. Of a script it is marked, for it was not spent; a total has room for the `word`. */
export function Cost({
  of,
  text,
  word = false,
}: {
  readonly of: string;
  readonly text: string;
  readonly word?: boolean;
}) {
  const scripted = useScripted(of);
  if (!scripted || text === '') return text;
  return (
    <span className="cost-scripted" title={words.scriptedCostTitle}>
      <span>{text}</span>
      <span className={word ? 'ml-1' : 'sr-note'}>{words.scriptedWord}</span>
    </span>
  );
}
