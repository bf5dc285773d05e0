import { formatPrice } from './format.js';

const zones = { DE: 2.95, FR: 5.5, IE: 7.25, NL: 4.1 };
const freeFrom = 40;

export function shippingFor(total, country) {
  if (total >= freeFrom) return 0;
  return zones[country] ?? 9.9;
}

export function shippingNote(total, country) {
  const missing = freeFrom - total;
  if (missing <= 0) return 'Free delivery';
  return `${formatPrice(missing, country)} more for free delivery`;
}
