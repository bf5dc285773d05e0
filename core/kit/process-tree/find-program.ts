import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

const WINDOWS_ENDINGS = ['.exe', '.cmd', '.bat', ''];

/**
 * Absolute path of a program, by its name on the PATH or as it is; null when there is none. Looked for anew each time: what is installed meanwhile is
 * found. Relative folders of the PATH do not count.
 */
export function findProgram(program: string, environment: Environment): string | null {
  const folders = isAbsolute(program) ? [''] : pathFolders(environment);
  const endings = process.platform === 'win32' ? WINDOWS_ENDINGS : [''];
  for (const folder of folders) {
    for (const ending of endings) {
      const file = (folder === '' ? program : join(folder, program)) + ending;
      if (isProgram(file)) return file;
    }
  }
  return null;
}

/** The folders in which programs are looked for. */
function pathFolders(environment: Environment): string[] {
  return (environment['PATH'] ?? environment['Path'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
}

function isProgram(file: string): boolean {
  // Most folders do not have it: that must cost no exception.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
