import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Finding } from '../../../core/protocol/health.ts';
import { api, attempt, core, queryClient } from '../../app/client.ts';
import { priceWords } from '../../shared/price-words.ts';
import { startStrings } from '../../shared/start-strings.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { subjectOf } from './findings.ts';
import { Ready } from './ready.tsx';

const words = startStrings.first;

function usePrice(provider: string, model: string): string {
  const table = useQuery({ ...api.providers.prices.queryOptions(), staleTime: Infinity }).data;
  const models = table?.find((one) => one.provider === provider)?.models;
  return priceWords(models?.find((one) => one.model === model)?.price);
}

/** Which model of a finding runs by default, with its price, and the choice of another. `current`: that which does now; null when it is another's. */
export function UseFinding({ finding, current }: { readonly finding: Finding; readonly current: string | null }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [taking, setTaking] = useState(false);
  const model = chosen ?? current ?? finding.models[0] ?? '';
  const price = usePrice(subjectOf(finding), model);
  const use = async (): Promise<void> => {
    setTaking(true);
    await attempt(words.useFailed, async () => {
      await core.onboarding.use({ finding_id: finding.id, model: model === '' ? null : model });
      await queryClient.invalidateQueries();
    });
    setTaking(false);
  };
  const models = finding.models.includes(model) ? finding.models : [model, ...finding.models];
  return (
    <span className="flex flex-wrap items-center justify-end gap-x-2">
      {model !== '' && (
        <Select
          bare
          className="max-w-[180px]"
          name={words.useModel(finding.name)}
          value={model}
          options={models.map((one) => ({ value: one, label: one }))}
          disabled={models.length < 2}
          onChange={setChosen}
        />
      )}
      {price !== '' && <span className="text-11 text-ink-3">{price}</span>}
      {model === current ? (
        <Ready text={words.used} />
      ) : (
        <Button disabled={taking} aria-label={`${words.use}: ${finding.name}`} onClick={() => void use()}>
          {words.use}
        </Button>
      )}
    </span>
  );
}
