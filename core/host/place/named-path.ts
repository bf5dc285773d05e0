import { accessSync, constants, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, parse, relative, sep } from 'node:path';
import { homeFolder } from '../../kit/home-folder.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import { nearestWord } from '../progress/nearest-word.ts';

type Kind = 'file' | 'folder';

/** The folder at an absolute path that a person named, with all links resolved; or, in words, why work cannot be done there and what was probably meant. */
export function namedFolder(path: string, isOpen: (path: string) => boolean = mayEnter): Result<string, string> {
  if (path.trim() === '' || path.includes('\0')) return err('Name a folder.');
  try {
    const resolved = realpathSync(path);
    if (!statSync(resolved).isDirectory()) return err(`${path} is a file. The folder it is in is ${dirname(path)}.`);
    if (isOpen(resolved)) return ok(resolved);
    return err(`You may not read the folder ${path}. Give yourself the right to read and enter it, or name another.`);
  } catch (error) {
    return err(`The folder ${path} ${whyNot(path, error, 'folder')}`);
  }
}

/** Why what a person named cannot be opened, as the rest of a sentence about it; `error` is that of the system. */
export function whyNot(path: string, error: unknown, kind: Kind): string {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      return ['does not exist.', ...nearestWords(path, kind)].join(' ');
    case 'ENOTDIR': {
      const file = deepestThere(path);
      return file === path
        ? `is a file. The folder it is in is ${dirname(path)}.`
        : `does not exist: ${file} is a file.`;
    }
    case 'EISDIR':
      return 'is a folder.';
    case 'EACCES':
    case 'EPERM':
      return 'may not be opened by you. Give yourself the right to it and to the folders that it is in, or name another.';
    case 'ELOOP':
      return 'leads in a circle of links.';
    case 'ENAMETOOLONG':
      return 'has a name that is too long.';
    default:
      return `cannot be opened (${code}).`;
  }
}

/** The folder to go on from when a named one cannot be opened, for the same `error` that {@link whyNot} tells of; null when none is known. */
export function wayOut(path: string, error: unknown): string | null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOTDIR') return dirname(deepestThere(path));
  return code === 'ENOENT' ? (nearestThere(path, 'folder')?.path ?? null) : null;
}

function mayEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What is there of a path: itself, or the first of the folders that it is in which exists. */
function deepestThere(path: string): string {
  const { root } = parse(path);
  let at = path;
  while (at !== root && kindOf(at) === null) at = dirname(at);
  return at;
}

function nearestWords(path: string, kind: Kind): string[] {
  const near = nearestThere(path, kind);
  if (near === null) return [];
  return [near.isMeant ? `Did you mean ${near.path}?` : `The nearest folder that there is: ${near.path}.`];
}

/** What was probably meant by a path that does not exist; else where it ends to be there. Null when that is no news. */
function nearestThere(path: string, kind: Kind): { readonly path: string; readonly isMeant: boolean } | null {
  const there = deepestThere(path);
  const [missing = '', ...below] = relative(there, path).split(sep);
  const meant = missing === '~' ? join(homeFolder({}), ...below) : similar(there, missing, below, kind);
  if (meant !== null && kindOf(meant) !== null) return { path: meant, isMeant: true };
  const isNoNews = there === parse(path).root || (kind === 'file' && below.length === 0);
  return isNoNews ? null : { path: there, isMeant: false };
}

/** The path with the name in its middle, or at its end, replaced by a similar one that is there. */
function similar(folder: string, missing: string, below: readonly string[], kind: Kind): string | null {
  const wanted = below.length === 0 ? kind : 'folder';
  const name = nearestWord(missing, namesIn(folder, wanted));
  if (name === null) return null;
  const whole = join(folder, name, ...below);
  return kindOf(whole) === null ? join(folder, name) : whole;
}

function namesIn(folder: string, kind: Kind): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const fits = entries.filter((entry) => entry.isSymbolicLink() || entry.isDirectory() === (kind === 'folder'));
    return fits.map(({ name }) => name);
  } catch {
    return []; // It may be entered and not be read: nothing is known of it.
  }
}

function kindOf(path: string): Kind | null {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return null;
  }
}
