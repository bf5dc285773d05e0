import { useQuery } from '@tanstack/react-query';
import { useId, useRef, useState, type ReactNode } from 'react';
import { api, attempt, clientToken, core } from '../../app/client.ts';
import { useApp } from '../../app/live-rows.ts';
import { closeOverlay, closeOverlayOf, useOverlay } from '../../app/ui-store.ts';
import { showBegun } from '../../app/window-size.ts';
import { isChord } from '../../shared/keys.ts';
import { strings } from '../../shared/strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { workStrings } from '../../shared/work-strings.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { toast } from '../../ui/toast.tsx';
import { modelsFor, reviewers, withWish } from './review-batch.ts';

const words = workStrings.review;

interface Choice {
  readonly agent: string;
  readonly model: string;
  readonly wish: string;
}

/** Begins the review in the conversation of what it looks at. The same press twice begins it once (S7). */
async function startReview(id: string, { agent, model, wish }: Choice, token: string): Promise<boolean> {
  return attempt(words.failed, async () => {
    const { project_id, conversation_id, batch } = await core.history.review({ id });
    const answer = await core.batches.dispatch({
      project_id,
      conversation_id,
      batch: withWish(batch, wish),
      options: { agent, permission: 'plan', ...(model === '' ? {} : { model }) },
      client_token: token,
    });
    closeOverlayOf('review');
    showBegun(answer);
    toast(words.started(answer.set));
  });
}

function Pair({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 grow basis-0 flex-col gap-1">
      <span className="text-11 text-ink-3" aria-hidden>
        {label}
      </span>
      {children}
    </div>
  );
}

function useChoices(agent: string): {
  readonly agents: readonly SelectOption[];
  readonly models: readonly SelectOption[];
} {
  const agents = useQuery(api.agents.list.queryOptions()).data ?? [];
  const models = useQuery(api.models.list.queryOptions()).data ?? [];
  return { agents: reviewers(agents), models: modelsFor(agents, models, agent) };
}

/** Who reviews, and with which model; another agent has a model of its own. */
function Who({
  choice,
  hint,
  onChange,
}: {
  readonly choice: Choice;
  readonly hint: string;
  readonly onChange: (choice: Choice) => void;
}) {
  const { agents, models } = useChoices(choice.agent);
  return (
    <div className="flex gap-3">
      <Pair label={words.agent}>
        <Select
          name={words.agent}
          value={choice.agent}
          options={agents}
          describedBy={hint}
          onChange={(agent) => onChange({ ...choice, agent, model: '' })}
        />
      </Pair>
      <Pair label={words.model}>
        <Select
          name={words.model}
          value={choice.model}
          options={models}
          disabled={models.length < 2}
          onChange={(model) => onChange({ ...choice, model })}
        />
      </Pair>
    </div>
  );
}

function Form({ id, what }: { readonly id: string; readonly what: string }) {
  const usual = useApp()?.default_agent ?? 'general';
  const [choice, setChoice] = useState<Choice>({ agent: usual, model: '', wish: '' });
  const [starting, setStarting] = useState(false);
  const token = useRef(clientToken());
  const hint = useId();
  const start = async (): Promise<void> => {
    if (starting) return;
    setStarting(true);
    if (!(await startReview(id, choice, token.current))) setStarting(false);
  };
  return (
    <form
      className="flex flex-col gap-3 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
      onKeyDown={(event) => {
        if (isChord(event.nativeEvent, 'mod+enter')) void start();
      }}
    >
      <h2 className="text-15 font-semi break-words">{words.title(visibleText(what))}</h2>
      <Who choice={choice} hint={hint} onChange={setChoice} />
      <Pair label={words.more}>
        <textarea
          className="field max-h-[200px] min-h-[56px] resize-none field-sizing-content"
          aria-label={words.more}
          placeholder={words.morePlaceholder}
          maxLength={20_000}
          value={choice.wish}
          onChange={(event) => setChoice({ ...choice, wish: event.target.value })}
        />
      </Pair>
      <p id={hint} className="text-11 text-ink-3">
        {words.hint}
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={closeOverlay}>{strings.dialog.cancel}</Button>
        <Button kind="primary" type="submit" chord="mod+enter" disabled={starting}>
          {starting ? words.starting : words.start}
        </Button>
      </div>
    </form>
  );
}

/** Has a run or set that has ended reviewed by another agent: the overlay `review`. */
export function ReviewDialog() {
  const overlay = useOverlay((state) => state.overlay);
  if (overlay?.type !== 'review') return null;
  return (
    <Dialog name={words.name} onClose={closeOverlay} className="w-[480px]">
      <Form key={overlay.id} id={overlay.id} what={overlay.what} />
    </Dialog>
  );
}
