import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FUSE_SENTINEL } from './contents.mjs';

/**
 * A folder that stands for Electron's own where its binary is not to be had: enough to pack the app around it and to set fuses, on Linux. What is
 * packed so does not start.
 * @param {string} folder
 */
export function writeStubElectron(folder) {
  for (const name of ['resources', 'locales']) mkdirSync(join(folder, name), { recursive: true });
  const words = "#!/bin/sh\necho 'Packed without Electron: it cannot start.' >&2\nexit 1\n";
  const fuses = Buffer.concat([Buffer.from(FUSE_SENTINEL), Buffer.from([1, 9]), Buffer.from('101100001')]);
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from(words), fuses]), { mode: 0o755 });
  writeFileSync(join(folder, 'LICENSE'), 'A stub in place of Electron.\n');
  writeFileSync(join(folder, 'locales', 'en-US.pak'), '');
}
