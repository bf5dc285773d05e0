import type { AskRow } from '../../../core/protocol/rows.ts';
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

/** Who asks: agent, task, place; while the run's row is not loaded, the end of the chain says it. */
export function AskWho({ ask }: { readonly ask: AskRow }) {
  const run = useRun(ask.run_id);
  const conversation = useConversation(ask.conversation_id);
  const label =
    run === undefined ? (ask.chain.at(-1)?.words ?? '') : (run.label ?? run.goal.trim().split('\n', 1)[0] ?? '');
  const parts = [
    { id: 'label', text: label },
    { id: 'place', text: run?.tag.replaceAll(/^\[|\]$/g, '') ?? '' },
    { id: 'conversation', text: conversation?.title ?? '' },
  ];
  return (
    <div className="ask-who">
      {run !== undefined && (
        <span className="flex flex-none items-center gap-1">
          <AgentMark agent={run.agent} />
          <span>{run.agent}</span>
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
  const mode = useRun(ask.run_id)?.permission;
  if (mode === undefined || ask.kind === 'question') return null;
  return <p className="mt-2 text-11 text-ink-3">{runStrings.asks.mode(mode)}</p>;
}
