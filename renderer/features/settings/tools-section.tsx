import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { McpServerSettings } from '../../../core/protocol/settings.ts';
import { api } from '../../app/client.ts';
import { useProjects } from '../../app/live-rows.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { Select } from '../../ui/select.tsx';
import { Group, Note, Section } from './setting.tsx';
import { useSettingValues } from './use-settings.ts';

const words = settingsStrings.tools;

function Skills() {
  const projects = useProjects();
  const [project, setProject] = useState('');
  const input = { project_id: project === '' ? null : project };
  const answer = useQuery(api.skills.list.queryOptions({ input })).data;
  return (
    <Group
      title={words.skills}
      end={
        <Select
          name={words.skillsOf}
          className="w-[160px] flex-none"
          value={project}
          options={[
            { value: '', label: words.yoursOnly },
            ...projects.map(({ project_id, name }) => ({ value: project_id, label: visibleText(name) })),
          ]}
          onChange={setProject}
        />
      }
    >
      <div data-setting="skills">
        {answer === undefined && <Note>{settingsStrings.loading}</Note>}
        {answer?.skills.length === 0 && <Note>{words.noSkills}</Note>}
        {answer !== undefined && (
          <ul className="settings-items" aria-label={words.skills}>
            {answer.skills.map(({ name, description, path }) => (
              <li key={path} className="settings-line">
                <Icon name="file" />
                <span className="font-med">{visibleText(name)}</span>
                <span className="line-detail">
                  {visibleText(description)}
                  <code className="block text-11 text-ink-3">{visibleText(path)}</code>
                </span>
                <span />
              </li>
            ))}
          </ul>
        )}
      </div>
      {answer !== undefined && answer.warnings.length > 0 && (
        <div className="px-3 py-2">
          <p className="text-11 text-warn">{words.warnings}</p>
          <ul aria-label={words.warnings} className="text-11 text-ink-2">
            {answer.warnings.map((warning) => (
              <li key={warning}>{visibleText(warning)}</li>
            ))}
          </ul>
        </div>
      )}
    </Group>
  );
}

/** What a server is started by or reached at. What may be secret is not shown: values, arguments, and what an address says beside the place. */
function placeOf(server: McpServerSettings): {
  readonly kind: string;
  readonly place: string;
  readonly named: string[];
} {
  if ('url' in server) {
    const { origin, pathname } = new URL(server.url);
    return { kind: words.address, place: `${origin}${pathname}`, named: Object.keys(server.headers ?? {}) };
  }
  const { command, args = [], env = {} } = server;
  return {
    kind: words.program,
    place: command,
    named: [...(args.length > 0 ? [words.args(args.length)] : []), ...Object.keys(env)],
  };
}

function Servers() {
  const servers = Object.entries(useSettingValues()?.mcpServers ?? {});
  return (
    <Group title={words.servers}>
      <div data-setting="servers">
        {servers.length === 0 && <Note>{words.noServers}</Note>}
        <ul className="settings-items" aria-label={words.servers}>
          {servers.map(([name, server]) => {
            const { kind, place, named } = placeOf(server);
            return (
              <li key={name} className="settings-line">
                <Icon name="tool" />
                <span className="font-med">{visibleText(name)}</span>
                <span className="line-detail">
                  <span className="text-ink-3">{kind}</span> <code>{visibleText(place)}</code>
                  {named.length > 0 && (
                    <span className="block text-11 text-ink-3">{words.secrets(named.map(visibleText).join(', '))}</span>
                  )}
                </span>
                <span />
              </li>
            );
          })}
        </ul>
      </div>
      <Note>{words.serverHint}</Note>
    </Group>
  );
}

/** Skills and MCP servers, as agents can be given them (K1). */
export function ToolsSection() {
  return (
    <Section title={settingsStrings.sections.tools} intro={words.intro}>
      <Skills />
      <Servers />
    </Section>
  );
}
