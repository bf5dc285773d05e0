import type { ContainmentError } from './containment-error.ts';

const MAX_PATH_BYTES = 4096;
const MAX_NAME_BYTES = 255;
/** Device names that Windows takes for devices in every folder and with every ending. */
const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

/** What is wrong with `path` before the disk is looked at, or null. Windows' own rules apply on Windows only. */
export function checkPath(path: string, platform: NodeJS.Platform = process.platform): ContainmentError | null {
  const wrong = (code: ContainmentError['code'], message: string): ContainmentError => ({ code, path, message });
  if (path.trim() === '')
    return wrong('bad_path', 'The path is empty; give a path inside the workspace, or "." for its root.');
  if (path.includes('\0')) return wrong('bad_path', 'The path holds a NUL character.');
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    return wrong('name_too_long', `The path is longer than ${MAX_PATH_BYTES} bytes.`);
  for (const name of path.split(platform === 'win32' ? /[\\/]/ : '/')) {
    if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
      return wrong(
        'name_too_long',
        `A name in the path is longer than ${MAX_NAME_BYTES} bytes: "${name.slice(0, 40)}…".`,
      );
    }
    const words = platform === 'win32' ? windowsFault(name) : null;
    if (words !== null) return wrong('reserved_name', `"${path}": ${words}`);
  }
  return null;
}

function windowsFault(name: string): string | null {
  if (name === '' || name === '.' || name === '..' || /^[a-z]:$/i.test(name)) return null;
  if (RESERVED.test(name)) return `"${name}" is a device name on Windows; choose another name.`;
  if (/[. ]$/.test(name)) return `Windows drops the dot or space at the end of "${name}"; choose another name.`;
  if (/[<>:"|?*]/.test(name))
    return `"${name}" holds a character that Windows does not allow in names (< > : " | ? *).`;
  return null;
}
