import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { isLive } from '../../../core/protocol/lifecycle.ts';
import type { RunRow } from '../../../core/protocol/rows.ts';
import type { SentPrompt } from '../../../core/protocol/sent-prompt.ts';
import { api, describeFailure } from '../../app/client.ts';
import { useRun } from '../../app/live-rows.ts';
import { formatClock } from '../../shared/format.ts';
import { inspectStrings } from '../../shared/inspect-strings.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { BoundedText } from '../../ui/bounded-text.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { markMatches } from '../../ui/mark-matches.ts';
import { Select } from '../../ui/select.tsx';
import { FindField } from './find-field.tsx';
import { countMatches, promptJson, roleWords } from './prompt-words.ts';
import { Tools } from './tools.tsx';
import './prompt.css';

const words = inspectStrings.prompt;

/** While the first request is not made yet, it is asked for so often. */
const WAIT_MS = 2000;
const SHOWN = { lines: 24, characters: 4000 };
/** A search looks through everything, so everything is on the page then. */
const WHOLE = { lines: 100_000, characters: 600_000 };

function Section({
  title,
  text,
  children,
}: {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}) {
  return (
    <section className="prompt-section" aria-label={title}>
      <div className="prompt-head">
        <h3 className="font-med">{title}</h3>
        <span className="grow" />
        <span className="text-11 text-ink-3">{words.characters(text.length)}</span>
        <CopyButton name={words.copy(title)} text={() => text} />
      </div>
      {children}
    </section>
  );
}

function Text({ text, all }: { readonly text: string; readonly all: boolean }) {
  // Another key, so that the bounds of a search do not outlive it.
  return <BoundedText key={String(all)} text={text} bounds={all ? WHOLE : SHOWN} className="prompt-text" />;
}

function Sent({ prompt }: { readonly prompt: SentPrompt }) {
  const scroller = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  const count = useMemo(() => countMatches(prompt, query), [prompt, query]);
  const searching = count > 0;
  useEffect(() => {
    if (scroller.current === null) return;
    return markMatches(scroller.current, query);
  }, [query]);
  return (
    <>
      <FindField query={query} count={count} scroller={scroller} onQuery={setQuery} />
      <div
        ref={scroller}
        className="prompt-scroller"
        role="region"
        aria-label={words.name}
        tabIndex={0}
        data-pane-focus
      >
        <p className="flex items-center gap-2 text-11 text-ink-3">
          <span className="el grow">{words.sentTo(visibleText(prompt.model), formatClock(prompt.at))}</span>
          <CopyButton name={words.copyAll} label="JSON" text={() => promptJson(prompt)} />
        </p>
        {prompt.cut && <p className="text-11 text-warn">{words.cut}</p>}
        <Section title={words.system} text={prompt.system}>
          {prompt.system === '' ? (
            <p className="text-ink-3">{words.ownSystem}</p>
          ) : (
            <Text text={prompt.system} all={searching} />
          )}
        </Section>
        {prompt.messages.map(({ role, text }, place) => (
          <Section key={place} title={visibleText(roleWords(role))} text={text}>
            <Text text={text} all={searching} />
          </Section>
        ))}
        {prompt.tools.length > 0 && (
          <Section title={words.tools(prompt.tools.length)} text={JSON.stringify(prompt.tools, null, 2)}>
            <Tools tools={prompt.tools} all={searching} />
          </Section>
        )}
      </div>
    </>
  );
}

/** One of the attempts, the last one until another is chosen. */
function Attempts({ prompts }: { readonly prompts: readonly SentPrompt[] }) {
  const [chosen, setChosen] = useState<number | null>(null);
  const place = chosen ?? prompts.length - 1;
  const prompt = prompts[place];
  if (prompt === undefined) return null;
  return (
    <>
      {prompts.length > 1 && (
        <div className="prompt-attempts">
          <Select
            name={words.attempts}
            value={String(place)}
            options={prompts.map((_, n) => ({ value: String(n), label: words.attempt(n + 1) }))}
            onChange={(value) => {
              setChosen(Number(value));
            }}
          />
        </div>
      )}
      <Sent key={place} prompt={prompt} />
    </>
  );
}

const noneWords = (run: RunRow): string => {
  if (run.runner === 'command') return words.noneCommand;
  return isLive(run.state) || run.turns === 0 ? words.none : words.notKept;
};

/** What each attempt of a run sent first, exactly as it was sent. */
export function Prompt({ runId }: { readonly runId: string }) {
  const run = useRun(runId);
  const options = api.runs.prompt.queryOptions({ input: { run_id: runId } });
  const live = run !== undefined && isLive(run.state);
  const { data, error, refetch } = useQuery({
    ...options,
    queryKey: [...options.queryKey, run?.attempts, run?.ended_at],
    placeholderData: (before) => before,
    refetchInterval: ({ state }) =>
      live && (state.data?.prompts.length ?? 0) < (run?.attempts ?? 0) ? WAIT_MS : false,
  });
  if (run === undefined) return null;
  if (error !== null) {
    return (
      <div role="alert" className="p-4">
        <p className="font-med">{words.failed}</p>
        <p className="mb-2 text-ink-2 select-text">{describeFailure(error).message}</p>
        <Button onClick={() => void refetch()}>{runStrings.transcript.again}</Button>
      </div>
    );
  }
  if (data === undefined) return <p className="inspector-gone">{words.loading}</p>;
  if (data.prompts.length === 0) return <p className="inspector-gone">{noneWords(run)}</p>;
  return <Attempts prompts={data.prompts} />;
}
