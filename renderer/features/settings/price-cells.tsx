import type { Price } from '../../../core/protocol/usage.ts';
import { settingsStrings } from '../../shared/settings-strings.ts';

const words = settingsStrings.providers;

const amount = (value: number | undefined): string =>
  value === undefined ? '–' : value.toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 4 });

/** Heads of the columns of {@link PriceCells}. */
export function PriceHeads() {
  return (
    <>
      {words.priceColumns.map((name) => (
        <th key={name} scope="col" className="num">
          {name}
        </th>
      ))}
    </>
  );
}

/** A price in USD per million tokens, and where it is from; one that is unknown is never shown as 0 (R5). */
export function PriceCells({
  price,
  from,
}: {
  readonly price: Price | null;
  readonly from?: 'settings' | 'table' | null;
}) {
  if (price === null) {
    return (
      <td className="num text-ink-3" colSpan={words.priceColumns.length}>
        {words.priceUnknown}
      </td>
    );
  }
  return (
    <>
      <td className="num">{amount(price.input)}</td>
      <td className="num">{amount(price.cachedInput)}</td>
      <td className="num">{amount(price.cacheWrite)}</td>
      <td className="num">
        {amount(price.output)}
        {from === 'settings' && <span className="sr-note">{words.priceSettings}</span>}
      </td>
    </>
  );
}
