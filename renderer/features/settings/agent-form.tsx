import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { AGENT_PROFILES } from '../../../core/protocol/profiles/agent-profiles.ts';
import { Isolation, Permission } from '../../../core/protocol/settings.ts';
import { api } from '../../app/client.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import type { SelectOption } from '../../ui/select.tsx';
import type { FormField } from './agent-draft.ts';
import { AgentChoice, AgentText, useTyped } from './agent-fields.tsx';
import type { AgentEditor } from './use-agent-editor.ts';

const words = settingsStrings.agents;

/** Keys that do nothing here, with a way to take each out. */
function Unknown({ editor }: { readonly editor: AgentEditor }) {
  const unknown = editor.review?.fields.filter(({ field }) => field === null) ?? [];
  if (unknown.length === 0) return null;
  return (
    <>
      <span className="form-label">{words.unknown}</span>
      <ul aria-label={words.unknown}>
        {unknown.map(({ name, warnings }) => (
          <li key={name} className="flex flex-wrap items-center gap-2 py-0.5">
            <code>{visibleText(name)}</code>
            <span className="grow text-11 text-warn">{warnings.map(visibleText).join(' ')}</span>
            <Button
              kind="text"
              aria-label={words.takeOut(visibleText(name))}
              onClick={() => void editor.change({ drop: [name] })}
            >
              {words.takeOutIt}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

const inherit = { value: '', label: words.inherit };
const RUNNERS: readonly SelectOption[] = [
  { value: 'builtin', label: words.runners.builtin },
  ...AGENT_PROFILES.map(({ id, name }) => ({ value: id, label: `${name} (${id})` })),
  { value: 'command', label: words.runners.command },
];
const PERMISSIONS = Permission.options.map((value) => ({ value, label: settingsStrings.permissions.modes[value] }));
const ISOLATIONS = Isolation.options.map((value) => ({ value, label: settingsStrings.permissions.isolations[value] }));
const COLORS = Object.entries(words.colors).map(([value, label]) => ({ value, label }));

function Prompt({ editor, body }: { readonly editor: AgentEditor; readonly body: string }) {
  const id = useId();
  const { shown, changed, type } = useTyped(body);
  return (
    <>
      <label htmlFor={id}>{words.prompt}</label>
      <div>
        <textarea
          id={id}
          className="field"
          rows={8}
          aria-describedby={`${id}-hint`}
          value={shown}
          onChange={(event) => {
            type(event.target.value);
          }}
          onBlur={() => {
            if (changed) void editor.change({ body: shown });
          }}
        />
        <p id={`${id}-hint`} className="mt-1 text-11 text-ink-3">
          {words.promptHint}
        </p>
      </div>
    </>
  );
}

/** The fields of a definition; each change goes into its text at once. */
export function AgentForm({
  editor,
  values,
}: {
  readonly editor: AgentEditor;
  readonly values: Readonly<Record<FormField, string>>;
}) {
  const models = useQuery(api.models.list.queryOptions()).data ?? [];
  const at = (field: FormField) => ({ editor, field, value: values[field] });
  const isBuiltin = values.runner === 'builtin';
  return (
    <>
      <AgentText {...at('name')} label={words.name} hint={words.nameHint} autoFocus />
      <AgentText {...at('description')} label={words.description} hint={words.descriptionHint} />
      <AgentChoice {...at('runner')} label={words.runner} options={RUNNERS} />
      {!isBuiltin && <AgentText {...at('command')} label={words.command} />}
      {values.runner !== 'command' && (
        <AgentText
          {...at('model')}
          label={words.model}
          hint={isBuiltin ? words.inherit : words.ownModel}
          list={isBuiltin ? models.map(({ ref }) => <option key={ref} value={ref} />) : undefined}
        />
      )}
      <AgentChoice {...at('permission')} label={words.permission} options={[inherit, ...PERMISSIONS]} />
      <AgentChoice
        {...at('isolation')}
        label={settingsStrings.permissions.isolation}
        options={[inherit, ...ISOLATIONS]}
      />
      <AgentText {...at('tools')} label={words.tools} hint={words.toolsHint} />
      <AgentText {...at('disallowed_tools')} label={words.denied} hint={words.listHint} />
      <AgentText {...at('skills')} label={words.skills} hint={words.listHint} />
      <AgentText {...at('mcp_servers')} label={words.servers} hint={words.listHint} />
      <AgentText {...at('max_turns')} label={words.turns} />
      <AgentChoice {...at('color')} label={words.color} options={COLORS} />
      <Prompt editor={editor} body={editor.review?.body ?? ''} />
      <Unknown editor={editor} />
    </>
  );
}
