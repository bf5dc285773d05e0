import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout (or the installed package): the folder that holds `package.json`. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * A path inside the checkout.
 * @param {...string} parts
 */
export function inRoot(...parts) {
  return join(ROOT, ...parts);
}
