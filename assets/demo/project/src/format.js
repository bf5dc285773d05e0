const locales = { DE: 'de-DE', FR: 'fr-FR', IE: 'en-IE', NL: 'nl-NL' };

export function formatPrice(amount, country = 'DE') {
  return new Intl.NumberFormat(locales[country] ?? 'en-IE', { style: 'currency', currency: 'EUR' }).format(amount);
}
