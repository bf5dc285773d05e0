import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { systemCode } from './containment-error.ts';

/**
 * An open folder. On Linux its entries are reached through the open descriptor, so that the folder stays the same one even if its path is
 * replaced by a link meanwhile; elsewhere through the path, checked once more after it was opened.
 */
export interface FolderHandle {
  /** A path that leads to the entry `name` of this folder. */
  at(name: string): string;
  close(): Promise<void>;
}

const FOLDER_ONLY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Opens the folder `names` below `root` (a path without links), creating what is missing and following no link on the way.
 * Throws the system's error (`ENOTDIR`, `ELOOP` for a link).
 */
export async function openFolder(root: string, names: readonly string[]): Promise<FolderHandle> {
  return process.platform === 'linux' ? openByDescriptor(root, names) : openByPath(root, names);
}

async function openByDescriptor(root: string, names: readonly string[]): Promise<FolderHandle> {
  let folder: FileHandle = await open(root, FOLDER_ONLY);
  try {
    for (const name of names) {
      const next = await openOrCreate(`/proc/self/fd/${folder.fd}/${name}`);
      await folder.close();
      folder = next;
    }
  } catch (cause) {
    await folder.close();
    throw cause;
  }
  return { at: (name) => `/proc/self/fd/${folder.fd}/${name}`, close: () => folder.close() };
}

async function openOrCreate(path: string): Promise<FileHandle> {
  try {
    return await open(path, FOLDER_ONLY);
  } catch (cause) {
    if (systemCode(cause) !== 'ENOENT') throw cause;
  }
  await mkdir(path).catch((cause: unknown) => {
    if (systemCode(cause) !== 'EEXIST') throw cause;
  });
  return open(path, FOLDER_ONLY);
}

async function openByPath(root: string, names: readonly string[]): Promise<FolderHandle> {
  const path = [root, ...names].join(sep);
  await mkdir(path, { recursive: true });
  if ((await realpath(path)) !== path) throw Object.assign(new Error(`a link appeared in ${path}`), { code: 'ELOOP' });
  return { at: (name) => join(path, name), close: () => Promise.resolve() };
}
