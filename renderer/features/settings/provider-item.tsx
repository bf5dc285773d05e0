import { useState } from 'react';
import type { ProviderListed, ProviderTest } from '../../../core/protocol/providers.ts';
import type { ProviderSettings } from '../../../core/protocol/settings.ts';
import { core, describeFailure } from '../../app/client.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { KeyForm } from './key-form.tsx';
import { ProviderLine, type Below } from './provider-line.tsx';
import { ProviderModels } from './provider-models.tsx';
import { ProviderTestResult } from './provider-test.tsx';
import { useKeyPlace } from './use-providers.ts';
import { useSave } from './use-settings.ts';

/** Tests one connection at a time. */
function useTest(id: string): {
  readonly result: ProviderTest | null;
  readonly testing: boolean;
  readonly failed: string | null;
  readonly run: () => void;
} {
  const [state, setState] = useState<ProviderTest | string | 'testing' | null>(null);
  const run = (): void => {
    setState('testing');
    core.providers.test({ id }).then(setState, (error: unknown) => {
      setState(describeFailure(error).message);
    });
  };
  const isTest = typeof state === 'object';
  const testing = state === 'testing';
  return { result: isTest ? state : null, testing, failed: isTest || testing ? null : state, run };
}

/** One provider: its line, and below it the test, its models, or the form for its key. */
export function ProviderItem({
  provider,
  settings,
  onEdit,
  onRemove,
}: {
  readonly provider: ProviderListed;
  readonly settings: ProviderSettings | undefined;
  readonly onEdit: (() => void) | undefined;
  readonly onRemove: (() => void) | undefined;
}) {
  const { id, key } = provider;
  const [below, setBelow] = useState<Below | null>(null);
  const { result, testing, failed, run } = useTest(id);
  const place = useKeyPlace();
  const { save } = useSave();
  const [first] = key.variables;
  const variable = key.variable ?? first ?? `${id.replaceAll('-', '_').toUpperCase()}_API_KEY`;
  const open = (next: Below): void => {
    if (next === 'test') run();
    setBelow(next !== 'test' && next === below ? null : next);
  };
  const done = (kept: boolean): void => {
    setBelow(kept ? 'test' : null);
    if (kept) run();
  };
  return (
    <ProviderLine
      provider={provider}
      named={Object.keys(settings?.models ?? {}).length}
      below={below}
      testing={testing}
      onBelow={open}
      onEdit={onEdit}
      onRemove={onRemove}
    >
      <div role="status">
        {below === 'test' && result !== null && <ProviderTestResult test={result} />}
        {below === 'test' && failed !== null && <p className="settings-below text-bad-text">{visibleText(failed)}</p>}
      </div>
      {below === 'models' && <ProviderModels id={id} />}
      {below === 'key' && place !== undefined && (
        <KeyForm
          id={id}
          variable={variable}
          place={place}
          prepare={async () => first !== undefined || save(`providers.${id}.apiKeyEnv`, variable)}
          onDone={done}
        />
      )}
    </ProviderLine>
  );
}
