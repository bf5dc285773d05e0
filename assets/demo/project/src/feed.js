/** Rows of the supplier's price feed: `date,sku,price`. */
export function parseFeed(csv) {
  return csv
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => {
      const [date, sku, price] = row.split(',');
      return { date, sku, price: Number(price) };
    });
}

export function latestPrices(rows) {
  return Object.fromEntries(rows.map((row) => [row.sku, row.price]));
}
