import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Finding } from '../../../core/protocol/health.ts';
import { api, attempt, core, describeFailure, queryClient } from '../../app/client.ts';
import { useApp } from '../../app/live-rows.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Select } from '../../ui/select.tsx';
import { stateOf, subjectOf, type FindingState } from './findings.ts';
import { Step } from './step.tsx';

const words = startStrings.first;

function Ready({ text }: { readonly text: string }) {
  return (
    <span className="flex items-center gap-2 text-ink-2">
      <span className="text-ok">
        <Icon name="check" />
      </span>
      {text}
    </span>
  );
}

/** Takes a finding into the settings, with a model where there are several. */
function Use({ finding }: { readonly finding: Finding }) {
  const [model, setModel] = useState(finding.models[0] ?? '');
  const [taking, setTaking] = useState(false);
  const use = async (): Promise<void> => {
    setTaking(true);
    await attempt(words.useFailed, async () => {
      await core.onboarding.use({ finding_id: finding.id, model: model === '' ? null : model });
      await queryClient.invalidateQueries();
    });
    setTaking(false);
  };
  return (
    <span className="flex items-center gap-2">
      {finding.models.length > 1 && (
        <Select
          bare
          className="max-w-[180px]"
          name={words.useModel(finding.name)}
          value={model}
          options={finding.models.map((one) => ({ value: one, label: one }))}
          onChange={setModel}
        />
      )}
      <Button disabled={taking} aria-label={`${words.use}: ${finding.name}`} onClick={() => void use()}>
        {words.use}
      </Button>
    </span>
  );
}

function Row({ finding, state }: { readonly finding: Finding; readonly state: FindingState }) {
  return (
    <li className="find-row">
      <AgentMark agent={subjectOf(finding)} />
      <span className="el font-med" title={finding.name}>
        {finding.name}
      </span>
      <span className="el text-ink-2" title={finding.detail}>
        {finding.detail}
      </span>
      {state === 'usable' ? (
        <Use finding={finding} />
      ) : (
        <Ready text={state === 'default' ? words.used : words.isReady} />
      )}
    </li>
  );
}

function Missing({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <details className="mt-[6px] text-11 text-ink-3">
      <summary>
        {words.missing}: {findings.map(({ name }) => name).join(', ')}.{' '}
        <span className="link text-ink-2">{words.missingMore}</span>
      </summary>
      <ul className="mt-1 flex flex-col gap-1 pl-4">
        {findings.map(({ id, name, detail }) => (
          <li key={id} className="select-text">
            <span className="text-ink-2">{name}:</span> {detail}
          </li>
        ))}
      </ul>
    </details>
  );
}

interface Heading {
  readonly title: string;
  readonly hint: string;
}

/** What the step says at its head: `count` findings, null while they are looked for. */
function headingOf(count: number | null): Heading {
  if (count === null) return { title: words.looking, hint: '' };
  if (count === 0) return { title: words.nothingFound, hint: words.nothingHint };
  // Programs can always be run.
  return { title: words.ready(count + 1), hint: words.readyHint };
}

function Foot({
  missing,
  busy,
  failure,
  onAgain,
}: {
  readonly missing: readonly Finding[];
  readonly busy: boolean;
  readonly failure: unknown;
  readonly onAgain: () => void;
}) {
  return (
    <>
      {failure !== null && (
        <p role="alert" className="mt-1 text-11 text-bad-text">
          {words.detectFailed}: {describeFailure(failure).message}
        </p>
      )}
      <div className="flex items-start justify-between gap-4">
        <Missing findings={missing} />
        <span className="grow" />
        <Button kind="text" className="mt-[2px] text-11 text-ink-2" disabled={busy} onClick={onAgain}>
          {words.again}
        </Button>
      </div>
    </>
  );
}

/** The first step: what there is to run tasks with, how it was found, and what is missing for the rest. */
export function FindingsStep() {
  const { data, error, isFetching, refetch } = useQuery({ ...api.onboarding.detect.queryOptions(), staleTime: 60_000 });
  const agents = useQuery(api.agents.list.queryOptions()).data ?? [];
  const defaultModel = useApp()?.default_model ?? null;
  const all = data ?? [];
  const found = all.filter((finding) => finding.found);
  const looking = data === undefined && error === null;
  const { title, hint } = headingOf(looking ? null : found.length);
  return (
    <Step state={looking ? 'now' : 'done'} title={title} hint={hint}>
      <ul className="step-panel" aria-label={title} aria-busy={isFetching}>
        {found.map((finding) => (
          <Row key={finding.id} finding={finding} state={stateOf(finding, agents, defaultModel)} />
        ))}
        <li className="find-row">
          <AgentMark agent="command" />
          <span className="font-med">{words.command}</span>
          <span className="el text-ink-2">{words.commandDetail}</span>
          <Ready text={words.isReady} />
        </li>
      </ul>
      <Foot
        missing={all.filter((finding) => !finding.found)}
        busy={isFetching}
        failure={error}
        onAgain={() => void refetch()}
      />
    </Step>
  );
}
