import { join } from 'node:path';

/** Where the settings of a data folder are. */
export function settingsPath(home: string): string {
  return join(home, 'settings.json');
}
