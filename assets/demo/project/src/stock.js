export function createStock(counts) {
  return { counts: { ...counts }, reserved: {} };
}

export function available(stock, sku) {
  return (stock.counts[sku] ?? 0) - (stock.reserved[sku] ?? 0);
}

export function reserve(stock, sku, quantity) {
  if (quantity > available(stock, sku)) return false;
  stock.reserved[sku] = (stock.reserved[sku] ?? 0) + quantity;
  return true;
}

export function release(stock, sku, quantity) {
  stock.reserved[sku] = (stock.reserved[sku] ?? 0) - quantity;
}
