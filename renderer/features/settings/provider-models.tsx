import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ModelListed } from '../../../core/protocol/providers.ts';
import { api, describeFailure } from '../../app/client.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { PriceCells, PriceHeads } from './price-cells.tsx';
import { Note } from './setting.tsx';
import { useSave, useSettingValues } from './use-settings.ts';

const words = settingsStrings.providers;
/** More rows than anybody reads; the filter finds the others. */
const MOST_ROWS = 200;

/** Whether lists offer a model without the settings naming it. */
const isOffered = ({ own, price_from, listed }: ModelListed): boolean =>
  own || price_from === 'table' || (listed === null && price_from === null);

function ModelRow({
  one,
  isDefault,
  onDefault,
  onOffer,
}: {
  readonly one: ModelListed;
  readonly isDefault: boolean;
  readonly onDefault: () => void;
  readonly onOffer: (offer: boolean) => void;
}) {
  const name = visibleText(one.model);
  return (
    <tr>
      <th scope="row">
        <label className="flex items-start gap-2">
          <input
            type="checkbox"
            aria-label={words.offer(name)}
            checked={isOffered(one)}
            disabled={!one.own && isOffered(one)}
            onChange={(event) => {
              onOffer(event.target.checked);
            }}
          />
          <span className="font-mono text-mono break-all">{name}</span>
        </label>
        {one.listed === false && <span className="block pl-6 text-11 text-warn">{words.notListed}</span>}
      </th>
      <td className="num">{one.context_window === null ? '–' : one.context_window.toLocaleString()}</td>
      <PriceCells price={one.price} from={one.price_from} />
      <td className="num">
        {isDefault ? (
          <span className="text-11 text-ink-3">{words.isDefault}</span>
        ) : (
          <button type="button" className="link" aria-label={words.useOf(name)} onClick={onDefault}>
            {words.use}
          </button>
        )}
      </td>
    </tr>
  );
}

function ModelTable({
  id,
  models,
  children,
}: {
  readonly id: string;
  readonly models: number;
  readonly children: ReactNode;
}) {
  return (
    <>
      <div className="settings-models" tabIndex={0} role="group" aria-label={words.modelsOf(visibleText(id))}>
        <table className="settings-table">
          <thead>
            <tr>
              <th scope="col">{words.model_}</th>
              <th scope="col" className="num">
                {words.window}
              </th>
              <PriceHeads />
              <td />
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
      {models === 0 && <p className="text-ink-3">{words.noModels}</p>}
      {models > MOST_ROWS && <p className="mt-1 text-ink-3">{words.moreModels(models - MOST_ROWS)}</p>}
    </>
  );
}

function Filter({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  return (
    <input
      className="field mb-1.5 w-[240px]"
      aria-label={words.filter}
      placeholder={words.filter}
      value={value}
      onChange={(event) => {
        onChange(event.target.value);
      }}
    />
  );
}

/** The models of a provider: which the lists offer, with window and price, and which one is the default. */
export function ProviderModels({ id }: { readonly id: string }) {
  const [filter, setFilter] = useState('');
  const { data, error: failure, refetch } = useQuery(api.providers.models.queryOptions({ input: { id } }));
  const settings = useSettingValues();
  const { save, error } = useSave();
  const problem = error ?? (failure === null ? null : describeFailure(failure).message);
  if (data === undefined) return problem === null ? <Note>{words.listing}</Note> : <Note>{visibleText(problem)}</Note>;
  const wanted = filter.trim().toLowerCase();
  const shown = data.models.filter(({ model }) => model.toLowerCase().includes(wanted));
  const offer = async (model: string, offered: boolean): Promise<void> => {
    const provider = settings?.providers[id] ?? { kind: kindOf(id) };
    const { [model]: facts = {}, ...others } = provider.models ?? {};
    const next = offered ? { ...others, [model]: facts } : others;
    if (await save(`providers.${id}`, { ...provider, models: next })) await refetch();
  };
  return (
    <div className="settings-below">
      {problem !== null && <p role="alert">{visibleText(problem)}</p>}
      {data.problem !== null && (
        <p className="mb-1.5 text-ink-2">
          {words.noList} {visibleText(data.problem)}
        </p>
      )}
      {data.models.length > 8 && <Filter value={filter} onChange={setFilter} />}
      <ModelTable id={id} models={shown.length}>
        {shown.slice(0, MOST_ROWS).map((one) => (
          <ModelRow
            key={one.ref}
            one={one}
            isDefault={settings?.defaultModel === one.ref}
            onDefault={() => void save('defaultModel', one.ref)}
            onOffer={(offered) => void offer(one.model, offered)}
          />
        ))}
      </ModelTable>
    </div>
  );
}

/** What the settings write of a provider that is known without them. */
function kindOf(id: string): 'anthropic' | 'openai' | 'google' | 'openai-compatible' {
  return id === 'anthropic' || id === 'openai' || id === 'google' ? id : 'openai-compatible';
}
