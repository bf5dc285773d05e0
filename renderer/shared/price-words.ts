import type { Price } from '../../core/protocol/usage.ts';
import { formatMoney } from './format.ts';
import { strings } from './strings.ts';

/** A price in words; empty when it is unknown. */
export const priceWords = (price: Price | null | undefined): string =>
  price == null ? '' : strings.price(formatMoney(price.input), formatMoney(price.output));
