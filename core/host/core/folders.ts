import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { homeFolder } from '../../kit/home-folder.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { FolderListing } from '../../protocol/api/projects.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { wayOut, whyNot } from '../place/named-path.ts';

// A folder of thousands of folders is browsed by typing, not by scrolling.
const MAX_ENTRIES = 500;

/**
 * The folders below `path` *(default: the user's home)*, for the folder chooser of a browser, which gets no paths of its
 * own; a leading `~` is that home. With `name` the listing starts where a folder of that name lies directly in the home folder or in its usual places.
 */
export async function listFolder(path: string | null, name: string | null): Promise<Result<FolderListing, ApiError>> {
  const home = homeFolder({});
  const typed = path?.replace(/^~(?=[\\/]|$)/, () => home);
  const start = typed ?? (name === null ? home : await findByName(home, name));
  try {
    const folder = await realpath(start);
    const all = (await readdir(folder, { withFileTypes: true })).filter(isFolder(folder));
    const sorted = all.map((entry) => entry.name).sort((a, b) => a.localeCompare(b));
    const shown = sorted.filter((entry) => !entry.startsWith('.')).slice(0, MAX_ENTRIES);
    const entries = await Promise.all(shown.map((entry) => describe(folder, entry)));
    const parent = dirname(folder);
    return ok({
      path: folder,
      parent: parent === folder ? null : parent,
      home,
      entries: entries.filter((entry) => entry !== null),
      truncated: sorted.length > MAX_ENTRIES,
    });
  } catch (error) {
    const near = wayOut(start, error);
    const message = `${start} ${whyNot(start, error, 'folder')}`;
    return err({ code: 'invalid_input', message, ...(near === null ? {} : { paths: [near] }) });
  }
}

function isFolder(folder: string): (entry: Dirent) => boolean {
  return (entry) => folder !== '' && (entry.isDirectory() || entry.isSymbolicLink());
}

async function describe(folder: string, name: string): Promise<FolderListing['entries'][number] | null> {
  const path = join(folder, name);
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isDirectory()) return null;
  const git = await stat(join(path, '.git')).then(
    () => true,
    () => false,
  );
  return { name, path, git };
}

const USUAL_PLACES = ['', 'projects', 'Projects', 'code', 'src', 'work', 'dev', 'Documents', 'Desktop'];

async function findByName(home: string, name: string): Promise<string> {
  for (const place of USUAL_PLACES) {
    const candidate = join(home, place, name);
    const found = await stat(candidate).catch(() => null);
    if (found?.isDirectory()) return candidate;
  }
  return home;
}
