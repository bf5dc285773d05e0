import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packedFiles, wrongContents } from './contents.mjs';

/** electron-builder's numbers for processors. */
const ARCHITECTURES = ['ia32', 'x64', 'armv7l', 'arm64', 'universal'];

/** Called by electron-builder: our packages are bundled, and the two that cannot be are named in `electron-builder.yml`. */
export const beforeBuild = () => false;

/**
 * Called by electron-builder for each packed app, on every system: one with the wrong contents does not become a package.
 *
 * @param {{ appOutDir: string, electronPlatformName: string, arch: number }} packed
 */
export function afterPack({ appOutDir, electronPlatformName, arch }) {
  const files = packedFiles(resourcesOf(appOutDir, electronPlatformName));
  const wrong = wrongContents(files, `${electronPlatformName}-${ARCHITECTURES[arch]}`);
  if (wrong.length > 0) throw new Error(`the package is not as it must be:\n${wrong.join('\n')}`);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  console.error(`  • ${files.length} files of our own, ${(size / 1024 / 1024).toFixed(1)} MB`);
}

/**
 * @param {string} folder
 * @param {string} platform
 */
function resourcesOf(folder, platform) {
  if (platform !== 'darwin') return join(folder, 'resources');
  const app = readdirSync(folder).find((name) => name.endsWith('.app')) ?? '';
  return join(folder, app, 'Contents', 'Resources');
}
