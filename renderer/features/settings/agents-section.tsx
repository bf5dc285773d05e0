import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AgentDefinition } from '../../../core/protocol/agents.ts';
import { api } from '../../app/client.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { AgentMark } from '../../ui/agent-mark.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { Group, Note, Section, Setting } from './setting.tsx';
import { useIsSet, useSave, useSettingValues } from './use-settings.ts';

const words = settingsStrings.agents;

function DefaultAgent({ agents }: { readonly agents: readonly AgentDefinition[] }) {
  const agent = useSettingValues()?.defaultAgent ?? '';
  const isSet = useIsSet()('defaultAgent');
  const { save, error } = useSave();
  return (
    <Setting
      id="defaultAgent"
      label={words.agent}
      hint={words.agentHint}
      error={error}
      fallback={{ isSet, words: 'general', onReset: () => void save('defaultAgent', null) }}
    >
      <Select
        name={words.agent}
        className="w-[240px] flex-none"
        value={agent}
        options={agents.map(({ id }) => ({ value: id, label: visibleText(id) }))}
        onChange={(value) => void save('defaultAgent', value)}
      />
    </Setting>
  );
}

/** What is to be said of an agent, by name; what it leaves open is left out. */
function factsOf(agent: AgentDefinition): readonly (readonly [name: string, value: string])[] {
  const { model, tools, permission, command, args, skills, mcp_servers, limits, prompt } = agent;
  const facts: [string, string | undefined][] = [
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

function AgentLine({ agent, isDefault }: { readonly agent: AgentDefinition; readonly isDefault: boolean }) {
  const [open, setOpen] = useState(false);
  const facts = factsOf(agent);
  const name = visibleText(agent.id);
  return (
    <li>
      <div className="settings-line">
        <AgentMark agent={agent.id} />
        <span>
          <span className="font-med">{name}</span>
          {isDefault && <span className="ml-2 text-11 text-ink-3">{words.isDefault}</span>}
          <span className="block text-11 text-ink-3">
            {words.runners[agent.runner]} · {words.sources[agent.source]}
          </span>
        </span>
        <span className="line-detail text-ink-2">{visibleText(agent.description)}</span>
        {facts.length > 0 ? (
          <IconButton
            icon={open ? 'down' : 'right'}
            name={words.details(name)}
            aria-expanded={open}
            onClick={() => {
              setOpen(!open);
            }}
          />
        ) : (
          <span />
        )}
      </div>
      {open && (
        <dl className="settings-facts pl-10">
          {facts.map(([fact, value]) => (
            <div key={fact} className="contents">
              <dt className="text-ink-3">{fact}</dt>
              <dd className="whitespace-pre-wrap">{visibleText(value)}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

/** All agents with where they come from, and the one that is taken when nobody names one. */
export function AgentsSection() {
  const agents = useQuery(api.agents.list.queryOptions()).data;
  const standard = useSettingValues()?.defaultAgent;
  if (agents === undefined) return <Note>{settingsStrings.loading}</Note>;
  return (
    <Section title={settingsStrings.sections.agents} intro={words.intro}>
      <Group>
        <DefaultAgent agents={agents} />
      </Group>
      <div data-setting="agents">
        <Group title={words.list}>
          <ul className="settings-items" aria-label={words.list}>
            {agents.map((agent) => (
              <AgentLine key={`${agent.source} ${agent.id}`} agent={agent} isDefault={agent.id === standard} />
            ))}
          </ul>
        </Group>
      </div>
    </Section>
  );
}
