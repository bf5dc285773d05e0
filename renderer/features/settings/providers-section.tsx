import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Finding } from '../../../core/protocol/health.ts';
import type { ProviderListed } from '../../../core/protocol/providers.ts';
import { api } from '../../app/client.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Select } from '../../ui/select.tsx';
import { draftOf, NEW_PROVIDER } from './provider-draft.ts';
import { ProviderForm } from './provider-form.tsx';
import { ProviderItem } from './provider-item.tsx';
import { PricesGroup } from './prices-group.tsx';
import { Group, Note, Section, Setting } from './setting.tsx';
import { providersChanged } from './use-providers.ts';
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

function Providers() {
  const settings = useSettingValues()?.providers ?? {};
  const listed = useQuery(api.providers.list.queryOptions()).data ?? [];
  const [editing, setEditing] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const { save, error } = useSave();
  const done = (): void => {
    setAdding(false);
    setEditing(null);
    providersChanged();
  };
  const remove = async (id: string): Promise<void> => {
    if (await save(`providers.${id}`, null)) providersChanged();
  };
  return (
    <Group
      title={words.list}
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
      {adding && <ProviderForm first={NEW_PROVIDER} before={undefined} taken={Object.keys(settings)} onDone={done} />}
      {error !== null && (
        <p role="alert" className="px-3 py-2 text-bad-text">
          {error}
        </p>
      )}
      {listed.map((provider) => {
        const { id, kind, own } = provider;
        const before = settings[id] ?? { kind };
        return editing === id ? (
          <ProviderForm key={id} first={draftOf(id, before)} before={before} taken={[]} onDone={done} />
        ) : (
          <ProviderItem
            key={id}
            provider={provider}
            settings={settings[id]}
            onEdit={() => {
              setEditing(id);
            }}
            onRemove={own ? () => void remove(id) : undefined}
          />
        );
      })}
    </Group>
  );
}

/** Model servers on this machine, as the core finds them: Ollama, LM Studio, llama.cpp. */
function LocalServers() {
  const query = useQuery(api.onboarding.detect.queryOptions());
  const own = Object.keys(useSettingValues()?.providers ?? {});
  const servers = query.data?.filter(({ kind, id }) => kind === 'local_server' && !own.includes(id));
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
        {servers === undefined && <Note>{words.looking}</Note>}
        {servers?.map((server) =>
          server.found ? (
            <ProviderItem
              key={server.id}
              provider={localOf(server)}
              settings={undefined}
              onEdit={undefined}
              onRemove={undefined}
            />
          ) : (
            <div key={server.id} className="settings-line">
              <span className="text-ink-3">
                <Icon name="minus" />
              </span>
              <span className="text-ink-2">
                {visibleText(server.name)}
                <span className="sr-note">{words.notFound}</span>
              </span>
              <span className="line-detail text-11 text-ink-3">{visibleText(server.detail)}</span>
              <span />
            </div>
          ),
        )}
      </Group>
    </div>
  );
}

/** A server that was found, as a provider: it works without settings. */
function localOf({ id, name }: Finding): ProviderListed {
  const key = { variables: [], variable: null, from: 'not_needed' as const };
  return { id, label: name, kind: 'openai-compatible', own: false, base_url: null, key };
}

/** Where models come from: the default, the providers with their keys, what runs on this machine, and prices (K4). */
export function ProvidersSection() {
  return (
    <Section title={settingsStrings.sections.providers} intro={words.intro}>
      <Group>
        <DefaultModel />
      </Group>
      <div data-setting="providers">
        <Providers />
      </div>
      <LocalServers />
      <PricesGroup />
    </Section>
  );
}
