import { isAbsolute, join, resolve } from 'node:path';
import { homeFolder } from '../../kit/home-folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The data folder: `ESPALIER_HOME`, else the platform's place for application data (cli.md). */
export function dataFolder(environment: Environment, platform: NodeJS.Platform = process.platform): string {
  const chosen = environment['ESPALIER_HOME'];
  if (chosen !== undefined && chosen !== '') return resolve(chosen);
  const user = homeFolder({});
  if (platform === 'darwin') return join(user, 'Library', 'Application Support', 'Espalier');
  if (platform === 'win32') return join(environment['LOCALAPPDATA'] ?? join(user, 'AppData', 'Local'), 'Espalier');
  const data = environment['XDG_DATA_HOME'];
  // By the XDG specification a relative path there is to be ignored.
  return join(data !== undefined && isAbsolute(data) ? data : join(user, '.local', 'share'), 'espalier');
}
