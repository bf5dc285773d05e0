const bookRates = { DE: 0.07, FR: 0.055, IE: 0, NL: 0.09 };

export function taxFor(amount, country) {
  const rate = bookRates[country];
  if (rate === undefined) throw new Error(`No tax rate for ${country}`);
  return Number((amount * rate).toFixed(2));
}

export function taxOfLines(lines, country) {
  return lines.reduce((sum, line) => sum + taxFor(line.price * line.quantity, country), 0);
}
