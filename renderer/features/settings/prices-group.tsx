import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../app/client.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';
import { Button } from '../../ui/button.tsx';
import { SafeLink } from '../../ui/safe-link.tsx';
import { PriceCells, PriceHeads } from './price-cells.tsx';
import { Group, Note } from './setting.tsx';

const words = settingsStrings.providers;

const dateOf = (day: string): string => new Date(`${day}T12:00`).toLocaleDateString(undefined, { dateStyle: 'medium' });

/** The prices that ship with the app: each vendor's with the page they are from, and the day of the comparison. */
export function PricesGroup() {
  const [open, setOpen] = useState(false);
  const prices = useQuery(api.providers.prices.queryOptions()).data ?? [];
  const oldest = prices.map(({ checked }) => checked).sort()[0];
  return (
    <div data-setting="prices">
      <Group
        title={words.prices}
        end={
          <Button
            aria-expanded={open}
            onClick={() => {
              setOpen(!open);
            }}
          >
            {open ? words.hidePrices : words.showPrices}
          </Button>
        }
      >
        <Note>
          {words.pricesHint}
          {oldest !== undefined && ` ${words.pricesChecked(dateOf(oldest))}`}
        </Note>
        {open &&
          prices.map(({ provider, label, source, checked, models }) => (
            <div key={provider} className="settings-below">
              <p className="mb-1 flex flex-wrap items-baseline gap-2">
                <span className="font-med">{label}</span>
                <span className="text-11 text-ink-3">
                  <SafeLink href={source}>{words.source}</SafeLink> · {words.checked(dateOf(checked))}
                </span>
              </p>
              <table className="settings-table" aria-label={words.pricesOf(label)}>
                <thead>
                  <tr>
                    <th scope="col">{words.model_}</th>
                    <PriceHeads />
                  </tr>
                </thead>
                <tbody>
                  {models.map(({ model, price }) => (
                    <tr key={model}>
                      <th scope="row" className="font-mono text-mono">
                        {model}
                      </th>
                      <PriceCells price={price} />
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          ))}
      </Group>
    </div>
  );
}
