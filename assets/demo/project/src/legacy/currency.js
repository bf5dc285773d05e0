// Kept for the old back office, which was switched off in 1.6.
export function formatCurrency(value) {
  return '€ ' + value.toFixed(2).replace('.', ',');
}
