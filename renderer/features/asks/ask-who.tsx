import type { Asker, AskRow } from '../../../core/protocol/rows.ts';
import { useConversation, useRun } from '../../app/live-rows.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { useNow } from '../../shared/ticks.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { waitWords } from './ask-words.ts';

/** How long an ask has waited; ticks. */
export function AskAge({ since }: { readonly since: number }) {
  return <span className="flex-none font-med text-need">{runStrings.asks.waiting(waitWords(since, useNow()))}</span>;
}

/** What is known of the run that asks; the same before and after its row is loaded, so that nothing moves under the pointer. */
export function useAsker(ask: AskRow): Asker | undefined {
  const run = useRun(ask.run_id);
  if (ask.asker !== undefined || run === undefined) return ask.asker;
  return { ...run, name: run.label ?? run.goal.trim().split('\n', 1)[0] ?? '' };
}

/** Who asks: agent, task, place; the end of the chain says it when no more is known. */
export function AskWho({ ask }: { readonly ask: AskRow }) {
  const asker = useAsker(ask);
  const conversation = useConversation(ask.conversation_id);
  const parts = [
    { id: 'label', text: asker?.name ?? ask.chain.at(-1)?.words ?? '' },
    { id: 'place', text: asker?.tag.replaceAll(/^\[|\]$/g, '') ?? '' },
    { id: 'conversation', text: conversation?.title ?? '' },
  ];
  return (
    <div className="ask-who">
      {asker !== undefined && (
        <span className="flex flex-none items-center gap-1">
          <AgentMark agent={asker.agent} />
          <span>{asker.agent}</span>
        </span>
      )}
      {parts
        .filter(({ text }) => text !== '')
        .map(({ id, text }) => (
          <span key={id} className={`el ask-${id}`} dir="auto" title={visibleText(text)}>
            {visibleText(text)}
          </span>
        ))}
    </div>
  );
}

/** The permission mode of the run: why it asks at all. */
export function AskMode({ ask }: { readonly ask: AskRow }) {
  const mode = useAsker(ask)?.permission;
  if (mode === undefined || ask.kind === 'question') return null;
  return <p className="mt-2 text-11 text-ink-3">{runStrings.asks.mode(mode)}</p>;
}
