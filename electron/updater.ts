import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';

/** What of a newer version there is to be had, as far as the desktop needs it. */
export interface Updater {
  /** The newer version that there is; null for none. */
  check(): Promise<string | null>;
  /** Fetches it, and proves it by its checksum and, where the system has one, its signature. */
  load(): Promise<void>;
  /** Puts it in place and ends the app, which has said that it quits. */
  install(options: { readonly restart: boolean }): void;
}

/** The updater of this package; null where nobody says where newer ones are. A checkout may be told by the environment, for tests. */
export async function openUpdater(): Promise<Updater | null> {
  const configFile = app.isPackaged ? null : (process.env['ESPALIER_UPDATE_CONFIG'] ?? null);
  const isTold = app.isPackaged ? existsSync(join(process.resourcesPath, 'app-update.yml')) : configFile !== null;
  if (!isTold) return null;
  // Read only by those who have it: it is the largest part of the shell.
  const { createUpdater } = await import('./update-library.ts');
  const library = createUpdater(configFile);
  library.autoDownload = false;
  // Not by itself at any quit: runs that were let work would lose their files.
  library.autoInstallOnAppQuit = false;
  library.logger = null;
  return {
    async check() {
      const found = await library.checkForUpdates();
      return found?.isUpdateAvailable === true ? found.updateInfo.version : null;
    },
    async load() {
      await library.downloadUpdate();
    },
    install: ({ restart }) => library.quitAndInstall(true, restart),
  };
}
