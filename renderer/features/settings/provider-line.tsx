import { useState, type ReactNode } from 'react';
import type { ProviderListed } from '../../../core/protocol/providers.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

const words = settingsStrings.providers;

/** Where the key is, in words; never the key. */
function keyWords({ key }: ProviderListed): string {
  const names = key.variables.join(' / ');
  switch (key.from) {
    case 'not_needed':
      return words.noKeyVariable;
    case 'missing':
      return `${words.keyMissing}: ${names}`;
    case 'app':
      return words.keyKept(key.variable ?? names);
    case 'environment':
      return words.keySet(key.variable ?? names);
  }
}

/** Asks once more before a provider is removed, in its place. */
function RemoveQuestion({
  name,
  onKeep,
  onRemove,
}: {
  readonly name: string;
  readonly onKeep: () => void;
  readonly onRemove: () => void;
}) {
  return (
    <div className="flex flex-wrap items-center gap-2 px-3 py-2">
      <span className="grow">{words.removeSure(name)}</span>
      <Button autoFocus onClick={onKeep}>
        {settingsStrings.cancel}
      </Button>
      <Button onClick={onRemove}>{words.removeYes(name)}</Button>
    </div>
  );
}

/** What can be opened below a provider. */
export type Below = 'test' | 'models' | 'key';

export interface ProviderLineProps {
  readonly provider: ProviderListed;
  /** How many models the settings name. */
  readonly named: number;
  readonly below: Below | null;
  readonly testing: boolean;
  readonly onBelow: (below: Below) => void;
  /** Missing for one that the settings do not have. */
  readonly onRemove: (() => void) | undefined;
  readonly onEdit: (() => void) | undefined;
  readonly children: ReactNode;
}

function Actions({
  provider,
  below,
  testing,
  onBelow,
  onEdit,
  onAsk,
}: ProviderLineProps & { readonly onAsk?: () => void }) {
  const name = visibleText(provider.id);
  return (
    <span className="flex flex-wrap items-center justify-end gap-1">
      <Button
        aria-label={words.testOf(name)}
        disabled={testing}
        onClick={() => {
          onBelow('test');
        }}
      >
        {testing ? words.testing : words.test}
      </Button>
      <Button
        aria-label={words.modelsOf(name)}
        aria-expanded={below === 'models'}
        onClick={() => {
          onBelow('models');
        }}
      >
        {words.models}
      </Button>
      {provider.key.from !== 'not_needed' && (
        <Button
          aria-label={words.keyOf(name)}
          aria-expanded={below === 'key'}
          onClick={() => {
            onBelow('key');
          }}
        >
          {words.keyShort}
        </Button>
      )}
      {onAsk !== undefined && <IconButton icon="close" name={words.removeOf(name)} onClick={onAsk} />}
      {onEdit !== undefined && <IconButton icon="edit" name={words.editOf(name)} onClick={onEdit} />}
    </span>
  );
}

/** One provider with what can be done with it; `children` is what is open below it. */
export function ProviderLine(props: ProviderLineProps) {
  const [asking, setAsking] = useState(false);
  const { provider, named, onRemove, children } = props;
  const name = visibleText(provider.id);
  const isMissing = provider.key.from === 'missing';
  if (asking && onRemove !== undefined) {
    return (
      <RemoveQuestion
        name={name}
        onRemove={onRemove}
        onKeep={() => {
          setAsking(false);
        }}
      />
    );
  }
  return (
    <div role="group" aria-label={name}>
      <div className="settings-line">
        <span className={isMissing ? 'text-ink-3' : 'text-ok'}>
          <Icon name={isMissing ? 'minus' : 'check'} />
        </span>
        <span>
          <span className="font-med">{name}</span>
          <span className="block text-11 text-ink-3">
            {provider.own ? words.kinds[provider.kind] : visibleText(provider.label)}
          </span>
        </span>
        <span className="line-detail min-w-0">
          {provider.base_url !== null && <code className="block">{visibleText(provider.base_url)}</code>}
          <span className="text-11 text-ink-3">
            {visibleText(keyWords(provider))}
            {provider.own && ` · ${words.modelsCount(named)}`}
          </span>
        </span>
        <Actions
          {...props}
          {...(onRemove !== undefined && {
            onAsk: () => {
              setAsking(true);
            },
          })}
        />
      </div>
      {children}
    </div>
  );
}
