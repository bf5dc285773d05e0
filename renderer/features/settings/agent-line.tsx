import { useState } from 'react';
import type { AgentDefinition, AgentListed } from '../../../core/protocol/agents.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { IconButton } from '../../ui/button.tsx';
import { AgentHealthCheck } from './agent-health.tsx';

const words = settingsStrings.agents;

/** What is to be said of an agent, by name; what it leaves open is left out. */
function factsOf(agent: AgentDefinition): readonly (readonly [name: string, value: string])[] {
  const { model, tools, permission, command, args, skills, mcp_servers, limits, prompt, path } = agent;
  const facts: [string, string | undefined][] = [
    [words.path, path],
    [words.model, model],
    [words.permission, permission === undefined ? undefined : settingsStrings.permissions.modes[permission]],
    [words.tools, tools?.join(', ')],
    [words.command, command === undefined ? undefined : [command, ...(args ?? [])].join(' ')],
    [words.skills, skills?.join(', ')],
    [words.servers, mcp_servers?.join(', ')],
    [
      words.limits,
      limits &&
        Object.entries(limits)
          .map(([name, value]) => `${name} ${value}`)
          .join(', '),
    ],
    [words.prompt, prompt],
  ];
  return facts.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value] as const]));
}

/** A swatch of an agent's colour: beside its name, which says the same. */
function Swatch({ color }: { readonly color: string | undefined }) {
  if (color === undefined || !/^(?:#[0-9a-f]{3,8}|[a-z]{3,20})$/i.test(color)) return null;
  return <span className="agent-swatch" style={{ background: color }} aria-hidden />;
}

function Notes({ agent }: { readonly agent: AgentListed }) {
  const { conflicts, warnings, installed } = agent;
  const others = conflicts.map(({ source, path }) => (path === null ? words.sources[source] : visibleText(path)));
  return (
    <>
      {installed === false && <span className="text-11 text-ink-3">{words.notInstalled}</span>}
      {others.length > 0 && <span className="block text-11 text-ink-3">{words.wins(others.join(', '))}</span>}
      {warnings.length > 0 && (
        <ul className="text-11 text-warn" aria-label={words.oddities(warnings.length)}>
          {warnings.map((warning) => (
            <li key={warning}>{visibleText(warning)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function Details({ agent, projectId }: { readonly agent: AgentListed; readonly projectId: string | null }) {
  const isOutside = agent.runner === 'acp' || agent.runner === 'cli';
  return (
    <>
      <dl className="settings-facts pl-10">
        {factsOf(agent).map(([fact, value]) => (
          <div key={fact} className="contents">
            <dt className="text-ink-3">{fact}</dt>
            <dd className="whitespace-pre-wrap">{visibleText(value)}</dd>
          </div>
        ))}
      </dl>
      {isOutside && <AgentHealthCheck id={agent.id} projectId={projectId} />}
    </>
  );
}

interface AgentActions {
  /** Null for one that no file defines. */
  readonly onEdit: (() => void) | null;
  readonly onRemove: (() => void) | null;
  readonly onDuplicate: () => void;
}

/** One agent that can be named, with where it is defined, what it stands over, and what can be done with it. */
export function AgentLine({
  agent,
  isDefault,
  projectId,
  onEdit,
  onRemove,
  onDuplicate,
}: AgentActions & {
  readonly agent: AgentListed;
  readonly isDefault: boolean;
  readonly projectId: string | null;
}) {
  const [open, setOpen] = useState(false);
  const name = visibleText(agent.id);
  return (
    <li aria-label={name}>
      <div className="settings-line">
        <AgentMark agent={agent.id} />
        <span>
          <span className="font-med">{name}</span>
          <Swatch color={agent.color} />
          {isDefault && <span className="ml-2 text-11 text-ink-3">{words.isDefault}</span>}
          <span className="block text-11 text-ink-3">
            {words.runners[agent.runner]} · {words.sources[agent.source]}
          </span>
        </span>
        <span className="line-detail min-w-0 text-ink-2">
          <span className="block">{visibleText(agent.description)}</span>
          <Notes agent={agent} />
        </span>
        <span className="flex items-center">
          {onEdit !== null && <IconButton icon="edit" name={words.editOf(name)} onClick={onEdit} />}
          <IconButton icon="copy" name={words.duplicateOf(name)} onClick={onDuplicate} />
          {onRemove !== null && <IconButton icon="close" name={words.removeOf(name)} onClick={onRemove} />}
          <IconButton
            icon={open ? 'down' : 'right'}
            name={words.details(name)}
            aria-expanded={open}
            onClick={() => {
              setOpen(!open);
            }}
          />
        </span>
      </div>
      {open && <Details agent={agent} projectId={projectId} />}
    </li>
  );
}
