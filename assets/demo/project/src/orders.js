import { cartTotal } from './cart.js';
import { formatPrice } from './format.js';
import { shippingFor } from './shipping.js';
import { taxOfLines } from './tax.js';

export function placeOrder(cart, customer) {
  const goods = cartTotal(cart);
  const shipping = shippingFor(goods, customer.country);
  const tax = taxOfLines(cart.lines, customer.country);
  return {
    customer: customer.id,
    lines: cart.lines.map((line) => ({ ...line })),
    goods,
    shipping,
    tax: Number(tax.toFixed(2)),
    total: Number((goods + shipping).toFixed(2)),
  };
}

export function receipt(order, country) {
  return [
    `Goods     ${formatPrice(order.goods, country)}`,
    `Delivery  ${formatPrice(order.shipping, country)}`,
    `Total     ${formatPrice(order.total, country)}`,
    `incl. tax ${formatPrice(order.tax, country)}`,
  ].join('\n');
}
