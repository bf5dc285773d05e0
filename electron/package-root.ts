import { sep } from 'node:path';

/**
 * The folder below which `dist/worker`, `migrations` and `assets` are real files. In a packaged app they are kept beside the archive:
 * a worker is a process of its own and SQLite's binary is loaded by the system, and neither can read into the archive.
 */
export function unpackedRoot(appPath: string): string {
  return appPath.endsWith(`${sep}app.asar`) ? `${appPath}.unpacked` : appPath;
}
