import { AppImageUpdater, autoUpdater, type AppUpdater } from 'electron-updater';

/** The updater for the package that this is; without one (a checkout) the one for AppImages, told by a file where to look. */
export function createUpdater(configFile: string | null): AppUpdater {
  if (configFile === null) return autoUpdater;
  const updater = new AppImageUpdater();
  updater.forceDevUpdateConfig = true;
  updater.updateConfigPath = configFile;
  return updater;
}
