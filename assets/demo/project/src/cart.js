import { discountFor } from './discounts.js';

export function createCart() {
  return { lines: [], voucher: null };
}

export function addLine(cart, book, quantity = 1) {
  const line = cart.lines.find((entry) => entry.sku === book.sku);
  if (line) line.quantity += quantity;
  else cart.lines.push({ sku: book.sku, price: book.price, quantity });
  return cart;
}

export function cartTotal(cart) {
  let total = 0;
  for (const line of cart.lines) {
    const price = Number(line.price.toFixed(2));
    total = Number((total + price * line.quantity).toFixed(2));
  }
  const discount = discountFor(cart.voucher, total);
  return Number((total - discount).toFixed(2));
}
