import { useState } from 'react';
import type { AgentHealth } from '../../../core/protocol/agents.ts';
import { core, describeFailure } from '../../app/client.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Icon } from '../../ui/icon.tsx';

const words = settingsStrings.agents;
const LOOK = {
  ready: ['check', 'text-ok'],
  sign_in: ['warning', 'text-warn'],
  missing: ['minus', 'text-ink-3'],
  faulty: ['warning', 'text-bad'],
} as const;

function Facts({ health }: { readonly health: AgentHealth }) {
  const { path, command, found_by, version, detail, authentication, install, state, id } = health;
  const [icon, colour] = LOOK[state];
  return (
    <dl className="settings-facts" aria-label={words.checkOf(visibleText(id))}>
      <dt>{words.health.program}</dt>
      <dd>
        {path === null ? words.health.notThere(visibleText(command)) : <code>{visibleText(path)}</code>}
        {found_by !== null && <span className="block text-11 text-ink-3">{words.foundBy[found_by]}</span>}
      </dd>
      {path !== null && (
        <>
          <dt>{words.health.version}</dt>
          <dd>{version === null ? words.health.unknownVersion : visibleText(version)}</dd>
        </>
      )}
      <dt>{words.health.protocol}</dt>
      <dd className="flex gap-1.5">
        <span className={colour}>
          <Icon name={icon} />
        </span>
        <span>{visibleText(detail)}</span>
      </dd>
      {path !== null && (
        <>
          <dt>{words.health.login}</dt>
          <dd>{visibleText(authentication)}</dd>
        </>
      )}
      {path === null && (
        <>
          <dt>{words.health.install}</dt>
          <dd className="flex items-center gap-2">
            <code>{visibleText(install)}</code>
            <CopyButton name={words.copyInstall(visibleText(id))} text={() => install} />
          </dd>
        </>
      )}
    </dl>
  );
}

/** Looks at one outside agent: its program and how it was found, its version, whether it answers and is signed in, and what to do. */
export function AgentHealthCheck({ id, projectId }: { readonly id: string; readonly projectId: string | null }) {
  const [state, setState] = useState<AgentHealth | string | 'checking' | null>(null);
  const checking = state === 'checking';
  const check = async (): Promise<void> => {
    setState('checking');
    try {
      const [health] = await core.agents.check({ id, project_id: projectId });
      setState(health ?? null);
    } catch (error) {
      setState(describeFailure(error).message);
    }
  };
  return (
    <div className="px-3 pb-2 pl-10">
      <Button aria-label={words.checkOf(visibleText(id))} disabled={checking} onClick={() => void check()}>
        {checking ? words.checking : words.check}
      </Button>
      <div role="status">
        {state !== null && typeof state === 'object' && <Facts health={state} />}
        {typeof state === 'string' && !checking && <p className="mt-1 text-bad-text">{visibleText(state)}</p>}
      </div>
    </div>
  );
}
