import { useQuery } from '@tanstack/react-query';
import { useId, useState, type KeyboardEvent } from 'react';
import type { RunRow } from '../../../core/protocol/rows.ts';
import { retryRun } from '../../app/again.ts';
import { api } from '../../app/client.ts';
import { useRun } from '../../app/live-rows.ts';
import { useModels } from '../../app/named-models.ts';
import { closeOverlay, closeOverlayOf, useOverlay } from '../../app/ui-store.ts';
import { agentLabel } from '../../shared/agent-label.ts';
import { isChord } from '../../shared/keys.ts';
import { runStrings } from '../../shared/run-strings.ts';
import { strings } from '../../shared/strings.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { editsOf, type RetryForm } from './retry-edits.ts';

const words = runStrings.retry;

function useChoices(
  run: RunRow,
  agent: string,
): {
  readonly agents: readonly SelectOption[];
  readonly models: readonly SelectOption[];
} {
  const agents = useQuery(api.agents.list.queryOptions()).data ?? [];
  const models = useModels(run.project_id);
  const runner = agents.find(({ id }) => id === agent)?.runner ?? run.runner;
  const named = models.filter(({ has_key }) => has_key).map(({ ref }) => ({ value: ref, label: ref }));
  const own = run.model === null || agent !== run.agent ? [{ value: '', label: words.ownModel }] : [];
  return {
    agents: agents.map((one) => ({ value: one.id, label: agentLabel(one) })),
    // A program has no model, and an external agent knows its own names better than we do.
    models: runner === 'builtin' ? [...own, ...named] : [{ value: '', label: words.ownModel }],
  };
}

function Pair({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div className="flex min-w-0 grow basis-0 flex-col gap-1">
      <span className="text-11 text-ink-3" aria-hidden>
        {label}
      </span>
      {children}
    </div>
  );
}

/** Goal, agent and model; another agent has no model of the earlier run. */
function Fields({
  run,
  form,
  hint,
  onChange,
}: {
  readonly run: RunRow;
  readonly form: RetryForm;
  /** Id of what describes the form. */
  readonly hint: string;
  readonly onChange: (form: RetryForm) => void;
}) {
  const { agents, models } = useChoices(run, form.agent);
  return (
    <>
      <div className="flex flex-col gap-1">
        <span className="text-11 text-ink-3" aria-hidden>
          {words.goal}
        </span>
        <textarea
          className="field max-h-[320px] min-h-[96px] resize-none field-sizing-content text-13"
          aria-label={words.goal}
          aria-describedby={hint}
          autoFocus
          spellCheck={false}
          value={form.goal}
          onChange={(event) => {
            onChange({ ...form, goal: event.target.value });
          }}
        />
      </div>
      <div className="flex gap-3">
        <Pair label={words.agent}>
          <Select
            name={words.agent}
            value={form.agent}
            options={agents}
            onChange={(agent) => {
              onChange({ ...form, agent, model: agent === run.agent ? (run.model ?? '') : '' });
            }}
          />
        </Pair>
        <Pair label={words.model}>
          <Select
            name={words.model}
            value={form.model}
            options={models}
            disabled={models.length < 2}
            onChange={(model) => {
              onChange({ ...form, model });
            }}
          />
        </Pair>
      </div>
    </>
  );
}

function Form({ run }: { readonly run: RunRow }) {
  const first: RetryForm = { goal: run.goal, agent: run.agent, model: run.model ?? '' };
  const [form, setForm] = useState(first);
  const [sending, setSending] = useState(false);
  const hint = useId();
  const send = async (): Promise<void> => {
    if (sending || form.goal.trim() === '') return;
    setSending(true);
    if (await retryRun(run, editsOf(first, form))) closeOverlayOf('retry');
    else setSending(false);
  };
  return (
    <form
      className="flex flex-col gap-3 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event: KeyboardEvent) => {
        if (isChord(event.nativeEvent, 'mod+enter')) void send();
      }}
    >
      <h2 className="text-15 font-semi">{words.title(run.tag.replaceAll(/^\[|\]$/g, ''))}</h2>
      <Fields run={run} form={form} hint={hint} onChange={setForm} />
      <p id={hint} className="text-11 text-ink-3">
        {words.hint}
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={closeOverlay}>{strings.dialog.cancel}</Button>
        <Button kind="primary" type="submit" chord="mod+enter" disabled={sending || form.goal.trim() === ''}>
          {sending ? words.sending : words.send}
        </Button>
      </div>
    </form>
  );
}

/** Retry with edits: the overlay `retry` (C5). */
export function RetryDialog() {
  const overlay = useOverlay((state) => state.overlay);
  const run = useRun(overlay?.type === 'retry' ? overlay.run_id : null);
  if (run === undefined) return null;
  return (
    <Dialog name={words.name} onClose={closeOverlay} className="w-[520px]">
      <Form key={run.run_id} run={run} />
    </Dialog>
  );
}
