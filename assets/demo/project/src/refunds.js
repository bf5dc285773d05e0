import { formatPrice } from './format.js';

export function refundFor(order, returned) {
  const share = returned.reduce((sum, line) => sum + line.price * line.quantity, 0);
  const all = order.lines.reduce((sum, line) => sum + line.price * line.quantity, 0);
  // The voucher was taken off the whole order, so each line bears its part of it.
  return Number(((order.goods * share) / all).toFixed(2));
}

export function refundMail(order, amount, country) {
  return `We have returned ${formatPrice(amount, country)} for order ${order.id}.`;
}
