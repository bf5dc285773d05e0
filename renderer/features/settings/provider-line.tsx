import { useState, type ReactNode } from 'react';
import type { ProviderSettings } from '../../../core/protocol/settings.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

const words = settingsStrings.providers;

/** Where its key is to be: the name of a variable, never the key. */
function keyOf({ apiKeyEnv, kind }: ProviderSettings): string {
  if (apiKeyEnv !== undefined) return words.keyVariable(apiKeyEnv);
  return kind === 'openai-compatible' ? words.noKeyVariable : words.vendorKey;
}

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

/** One provider of the user's, with what can be done with it; removing asks once more, in its place. */
export function ProviderLine({
  id,
  provider,
  ready,
  check,
  onEdit,
  onRemove,
}: {
  readonly id: string;
  readonly provider: ProviderSettings;
  /** Whether its models can be used now; null when it names none. */
  readonly ready: boolean | null;
  /** The test of its connection. */
  readonly check: ReactNode;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}) {
  const [asking, setAsking] = useState(false);
  const models = Object.keys(provider.models ?? {}).length;
  const name = visibleText(id);
  if (asking) {
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
    <div className="settings-line" role="group" aria-label={name}>
      <span className={ready === false ? 'text-warn' : 'text-ok'}>
        <Icon name={ready === false ? 'warning' : 'check'} />
      </span>
      <span>
        <span className="font-med">{name}</span>
        <span className="block text-11 text-ink-3">{words.kinds[provider.kind]}</span>
      </span>
      <span className="line-detail min-w-0">
        {provider.baseUrl !== undefined && <code className="block">{visibleText(provider.baseUrl)}</code>}
        <span className="text-11 text-ink-3">
          {visibleText(keyOf(provider))}
          {ready !== null && ` · ${ready ? words.ready : words.keyMissing}`} · {words.modelsCount(models)}
        </span>
      </span>
      <span className="flex items-center gap-1">
        {check}
        <IconButton icon="edit" name={words.editOf(name)} onClick={onEdit} />
        <IconButton
          icon="close"
          name={words.removeOf(name)}
          onClick={() => {
            setAsking(true);
          }}
        />
      </span>
    </div>
  );
}
