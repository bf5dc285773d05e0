import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, attempt, core, queryClient } from '../../app/client.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Select } from '../../ui/select.tsx';
import { draftOf, NEW_PROVIDER } from './provider-draft.ts';
import { ProviderForm } from './provider-form.tsx';
import { ProviderLine } from './provider-line.tsx';
import { Group, Note, Section, Setting } from './setting.tsx';
import { useIsSet, useSave, useSettingValues } from './use-settings.ts';

const words = settingsStrings.providers;

function DefaultModel() {
  const model = useSettingValues()?.defaultModel ?? '';
  const models = useQuery(api.models.list.queryOptions()).data ?? [];
  const isSet = useIsSet()('defaultModel');
  const { save, error } = useSave();
  return (
    <Setting
      id="defaultModel"
      label={words.model}
      hint={words.modelHint}
      error={error}
      fallback={{ isSet, words: words.none, onReset: () => void save('defaultModel', null) }}
    >
      <Select
        name={words.model}
        className="w-[240px] flex-none"
        value={model}
        disabled={models.length === 0}
        options={[
          ...(model === '' ? [{ value: '', label: words.none, disabled: true }] : []),
          ...models.map(({ ref, has_key }) => ({
            value: ref,
            label: has_key ? visibleText(ref) : `${visibleText(ref)} (${words.noKey})`,
            disabled: !has_key,
          })),
        ]}
        onChange={(value) => void save('defaultModel', value)}
      />
    </Setting>
  );
}

/** Whether the models of a provider can be used now; null when it names none. */
function useReady(): (id: string) => boolean | null {
  const models = useQuery(api.models.list.queryOptions()).data ?? [];
  return (id) => {
    const own = models.filter(({ ref }) => ref.startsWith(`${id}/`));
    return own.length === 0 ? null : own.some(({ has_key }) => has_key);
  };
}

function Own() {
  const providers = Object.entries(useSettingValues()?.providers ?? {});
  const [editing, setEditing] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const { save, error } = useSave();
  const ready = useReady();
  const done = (): void => {
    setAdding(false);
    setEditing(null);
  };
  return (
    <Group
      title={words.yours}
      end={
        !adding && (
          <Button
            icon="plus"
            onClick={() => {
              setAdding(true);
            }}
          >
            {words.add}
          </Button>
        )
      }
    >
      {adding && (
        <ProviderForm first={NEW_PROVIDER} before={undefined} taken={providers.map(([id]) => id)} onDone={done} />
      )}
      {error !== null && (
        <p role="alert" className="px-3 py-2 text-bad-text">
          {error}
        </p>
      )}
      {providers.map(([id, provider]) =>
        editing === id ? (
          <ProviderForm key={id} first={draftOf(id, provider)} before={provider} taken={[]} onDone={done} />
        ) : (
          <ProviderLine
            key={id}
            id={id}
            provider={provider}
            ready={ready(id)}
            check={null}
            onEdit={() => {
              setEditing(id);
            }}
            onRemove={() => void save(`providers.${id}`, null)}
          />
        ),
      )}
      {providers.length === 0 && !adding && <Note>{words.nothing}</Note>}
    </Group>
  );
}

function use(id: string): void {
  void attempt(settingsStrings.failed, async () => {
    await core.onboarding.use({ finding_id: id, model: null });
    for (const list of [api.settings, api.models]) await queryClient.invalidateQueries({ queryKey: list.key() });
  });
}

/** Keys in the environment and model servers on this machine, as the core finds them. */
function Found() {
  const query = useQuery(api.onboarding.detect.queryOptions());
  const model = useSettingValues()?.defaultModel ?? '';
  return (
    <div data-setting="local">
      <Group
        title={words.local}
        end={
          <Button disabled={query.isFetching} onClick={() => void query.refetch()}>
            {query.isFetching ? words.looking : words.look}
          </Button>
        }
      >
        {query.data === undefined && <Note>{words.looking}</Note>}
        {query.data?.map(({ id, name, found, detail }) => (
          <div key={id} className="settings-line">
            <span className={found ? 'text-ok' : 'text-ink-3'}>
              <Icon name={found ? 'check' : 'close'} />
            </span>
            <span className={found ? 'font-med' : 'text-ink-2'}>
              {visibleText(name)}
              <span className="sr-note">{found ? words.found : words.notFound}</span>
            </span>
            <span className="line-detail text-11 text-ink-3">{visibleText(detail)}</span>
            {found && !model.startsWith(`${id}/`) ? (
              <Button
                aria-label={words.useOf(visibleText(name))}
                onClick={() => {
                  use(id);
                }}
              >
                {words.use}
              </Button>
            ) : (
              <span />
            )}
          </div>
        ))}
      </Group>
    </div>
  );
}

/** Where models come from: the default, the user's own, and what is found (K4). */
export function ProvidersSection() {
  return (
    <Section title={settingsStrings.sections.providers} intro={words.intro}>
      <Group>
        <DefaultModel />
      </Group>
      <div data-setting="providers">
        <Own />
      </div>
      <Found />
    </Section>
  );
}
