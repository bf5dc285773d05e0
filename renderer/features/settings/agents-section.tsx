import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AgentDefinition, AgentFile, AgentListed } from '../../../core/protocol/agents.ts';
import { api, attempt, core } from '../../app/client.ts';
import { useProjects } from '../../app/live-rows.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { fieldsOf, freeName, newText, type AgentDraft } from './agent-draft.ts';
import { AgentEditorForm } from './agent-editor.tsx';
import { UnusedFiles } from './agent-files.tsx';
import { AgentLine } from './agent-line.tsx';
import { Group, Note, Section, Setting } from './setting.tsx';
import { agentsChanged } from './use-agent-editor.ts';
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

/** Of whom agents are shown. */
function Scope({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const projects = useProjects();
  return (
    <Select
      name={words.scope}
      className="w-[160px] flex-none"
      value={value}
      options={[
        { value: '', label: words.everywhere },
        ...projects.map(({ project_id, name }) => ({ value: project_id, label: visibleText(name) })),
      ]}
      onChange={onChange}
    />
  );
}

function RemoveFile({ file, onDone }: { readonly file: AgentFile; readonly onDone: () => void }) {
  const { path, digest, source } = file;
  const remove = (project_id: string | null): void => {
    void attempt(settingsStrings.failed, async () => {
      await core.agents.remove({ project_id, path, digest });
      agentsChanged();
      onDone();
    });
  };
  const projects = useProjects();
  const project =
    source === 'user'
      ? undefined
      : projects.find(({ path: root }) => path.startsWith(root) && /^[\\/]/.test(path.slice(root.length)));
  return (
    <div className="flex flex-wrap items-center gap-2 px-3 py-2" role="group" aria-label={words.removeSure(path)}>
      <span className="min-w-0 grow break-all">{words.removeSure(visibleText(path))}</span>
      <Button autoFocus onClick={onDone}>
        {settingsStrings.cancel}
      </Button>
      <Button
        onClick={() => {
          remove(project?.project_id ?? null);
        }}
      >
        {words.removeYes}
      </Button>
    </div>
  );
}

type Doing =
  { readonly type: 'edit'; readonly draft: AgentDraft } | { readonly type: 'remove'; readonly file: AgentFile };

function Doings({ doing, onDone }: { readonly doing: Doing; readonly onDone: () => void }) {
  return (
    <Group>
      {doing.type === 'edit' ? (
        <AgentEditorForm key={`${doing.draft.path ?? ''} ${doing.draft.text}`} draft={doing.draft} onDone={onDone} />
      ) : (
        <RemoveFile file={doing.file} onDone={onDone} />
      )}
    </Group>
  );
}

/** Reads what is to be edited or copied; a failure is told. */
function useDrafts(projectId: string | null, agents: readonly AgentListed[], show: (doing: Doing) => void) {
  const open = (make: () => Promise<AgentDraft>): void => {
    void attempt(settingsStrings.unreadable, async () => {
      show({ type: 'edit', draft: await make() });
    });
  };
  const taken = agents.map(({ id }) => id);
  return {
    add: () => {
      show({ type: 'edit', draft: { projectId, path: null, text: newText(taken), digest: null } });
    },
    edit: ({ path, source }: Pick<AgentFile, 'path' | 'source'>) => {
      const owner = source === 'user' ? null : projectId;
      open(async () => {
        const { text, digest } = await core.agents.read({ project_id: owner, path });
        return { projectId: owner, path, text, digest };
      });
    },
    duplicate: (agent: AgentListed) => {
      const { path, source, prompt = '' } = agent;
      open(async () => {
        const owner = source === 'project' ? projectId : null;
        const text = path === undefined ? '' : (await core.agents.read({ project_id: owner, path })).text;
        const set = { ...(path === undefined ? fieldsOf(agent) : {}), name: freeName(agent.id, taken) };
        const edited = await core.agents.edit({ text, set, ...(path === undefined ? { body: prompt } : {}) });
        return { projectId: owner, path: null, text: edited.text, digest: null };
      });
    },
  };
}

/** All agents with where they come from, which one wins, and an editor for those that files define; and the one that is taken when nobody names one. */
export function AgentsSection() {
  const [scope, setScope] = useState('');
  const [doing, setDoing] = useState<Doing | null>(null);
  const project_id = scope === '' ? null : scope;
  const agents = useQuery(api.agents.list.queryOptions({ input: { project_id } })).data;
  const files = useQuery(api.agents.files.queryOptions({ input: { project_id } })).data ?? [];
  const standard = useSettingValues()?.defaultAgent;
  const drafts = useDrafts(project_id, agents ?? [], setDoing);
  const done = (): void => {
    setDoing(null);
  };
  if (agents === undefined) return <Note>{settingsStrings.loading}</Note>;
  const fileOf = (agent: AgentListed): AgentFile | undefined => files.find(({ path }) => path === agent.path);
  const line = (agent: AgentListed) => {
    const file = fileOf(agent);
    const onEdit = file === undefined ? null : () => drafts.edit(file);
    const onRemove = file === undefined ? null : () => setDoing({ type: 'remove', file });
    return {
      agent,
      projectId: project_id,
      isDefault: agent.id === standard,
      onEdit,
      onRemove,
      onDuplicate: () => drafts.duplicate(agent),
    };
  };
  return (
    <Section title={settingsStrings.sections.agents} intro={words.intro}>
      <Group>
        <DefaultAgent agents={agents} />
      </Group>
      {doing !== null && <Doings doing={doing} onDone={done} />}
      <div data-setting="agents">
        <Group
          title={words.list}
          end={
            <>
              <Scope value={scope} onChange={setScope} />
              <Button icon="plus" onClick={drafts.add}>
                {words.add}
              </Button>
            </>
          }
        >
          <ul className="settings-items" aria-label={words.list}>
            {agents.map((agent) => (
              <AgentLine key={`${agent.source} ${agent.id}`} {...line(agent)} />
            ))}
          </ul>
        </Group>
      </div>
      <UnusedFiles files={files} onEdit={drafts.edit} onRemove={(file) => setDoing({ type: 'remove', file })} />
    </Section>
  );
}
