import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Finding } from '../../../core/protocol/health.ts';
import { api, describeFailure } from '../../app/client.ts';
import { useApp } from '../../app/live-rows.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { stateOf, subjectOf, type FindingState } from './findings.ts';
import { Ready } from './ready.tsx';
import { Step } from './step.tsx';
import { UseFinding } from './use-finding.tsx';

const words = startStrings.first;

function Row({
  finding,
  state,
  defaultModel,
}: {
  readonly finding: Finding;
  readonly state: FindingState;
  readonly defaultModel: string | null;
}) {
  return (
    <li className="find-row">
      <AgentMark agent={subjectOf(finding)} />
      <span className="el font-med" title={finding.name}>
        {finding.name}
      </span>
      <span className="el text-ink-2" title={finding.detail}>
        {finding.detail}
      </span>
      {finding.kind === 'agent' ? (
        <Ready text={words.isReady} />
      ) : (
        <UseFinding finding={finding} current={state === 'default' ? modelIn(defaultModel) : null} />
      )}
    </li>
  );
}

/** The model's own name. */
const modelIn = (ref: string | null): string | null => ref?.slice(ref.indexOf('/') + 1) ?? null;

/** What is missing, and how to get it; the command for it is set as one, and copied by a press. */
function HowTo({ name, detail, install }: Finding) {
  const at = install === undefined ? -1 : detail.indexOf(install);
  const who = <span className="text-ink-2">{name}:</span>;
  if (install === undefined || at < 0) {
    return (
      <span>
        {who} {detail}
      </span>
    );
  }
  return (
    <>
      <span>
        {who} {detail.slice(0, at)}
        <code>{install}</code>
        {detail.slice(at + install.length)}
      </span>
      <CopyButton className="-my-1" name={settingsStrings.agents.copyInstall(name)} text={() => install} />
    </>
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
        {findings.map((finding) => (
          <li key={finding.id} className="flex items-start gap-1 select-text">
            <HowTo {...finding} />
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
  keys,
  onAgain,
}: {
  readonly missing: readonly Finding[];
  readonly keys: ReactNode;
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
      <div className="mt-2">{keys}</div>
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

/** The first step: what there is to run tasks with, how it was found, and what is missing for the rest. `keys` takes the key of a provider. */
export function FindingsStep({ keys }: { readonly keys: ReactNode }) {
  const { data, error, isFetching, refetch } = useQuery({ ...api.onboarding.detect.queryOptions(), staleTime: 60_000 });
  const agents = useQuery(api.agents.list.queryOptions()).data ?? [];
  const defaultModel = useApp()?.default_model ?? null;
  const all = data ?? [];
  const found = all.filter((finding) => finding.found);
  const looking = data === undefined && error === null;
  const { title, hint } = headingOf(looking ? null : found.length);
  return (
    <Step state={looking ? 'now' : found.length === 0 ? 'later' : 'done'} title={title} hint={hint}>
      <ul className="step-panel" aria-label={title} aria-busy={isFetching}>
        {found.map((finding) => (
          <Row
            key={finding.id}
            finding={finding}
            state={stateOf(finding, agents, defaultModel)}
            defaultModel={defaultModel}
          />
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
        keys={keys}
        onAgain={() => void refetch()}
      />
    </Step>
  );
}
