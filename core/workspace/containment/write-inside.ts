import { type BigIntStats, constants } from 'node:fs';
import { access, link, lstat, open, rename, unlink } from 'node:fs/promises';
import { err, ok, type Result } from '../../kit/result.ts';
import { type ContainmentError, containmentError, systemCode } from './containment-error.ts';
import { type FolderHandle, openFolder } from './folder-handle.ts';
import { type FileState, isSameState, stateOf } from './open-inside.ts';
import { type InsidePath, resolveInside } from './resolve-inside.ts';

export interface WriteOptions {
  /** `absent`: fail if the file exists. A state: fail (`changed`) if the file is not in it any more. Absent: replace whatever is there. */
  readonly expected?: FileState | 'absent';
}

export interface WrittenFile extends InsidePath {
  readonly created: boolean;
  /** Bytes written. */
  readonly bytes: number;
}

let temporaryFiles = 0;

/**
 * Writes a whole file inside the workspace: into a new file beside it, then one rename, so that a reader sees the old or the new text and
 * a link is never followed (A3). Missing folders are created; the mode of an existing file stays.
 */
export async function writeInside(
  workspace: string,
  path: string,
  content: Uint8Array,
  options: WriteOptions = {},
): Promise<Result<WrittenFile, ContainmentError>> {
  const place = await resolveInside(workspace, path, { forWrite: true });
  if (!place.ok) return place;
  const names = place.value.relative.split('/');
  const name = names.pop() ?? '.';
  if (name === '.') return err({ code: 'not_a_file', path, message: `"${path}" is the workspace folder, not a file.` });
  if ([...names, name].some((part) => part.toLowerCase() === '.git')) return err(inGitFolder(path));
  let folder: FolderHandle | null = null;
  try {
    folder = await openFolder(place.value.root, names);
    const before = await targetBefore(folder, name, path, options.expected);
    if (!before.ok) return before;
    const fault = await replace(folder, { name, path, content, before: before.value, options });
    if (fault !== null) return err(fault);
    return ok({ ...place.value, created: before.value === null, bytes: content.byteLength });
  } catch (cause) {
    return err(containmentError(path, cause));
  } finally {
    await folder?.close();
  }
}

interface Replacement {
  readonly name: string;
  readonly path: string;
  readonly content: Uint8Array;
  readonly before: BigIntStats | null;
  readonly options: WriteOptions;
}

async function targetBefore(
  folder: FolderHandle,
  name: string,
  path: string,
  expected: WriteOptions['expected'],
): Promise<Result<BigIntStats | null, ContainmentError>> {
  const stat = await lstatOrNull(folder.at(name));
  if (stat === null) return expected === undefined || expected === 'absent' ? ok(null) : err(changed(path));
  if (stat.isSymbolicLink())
    return err({ code: 'link', path, message: `"${path}" is a link; links are not written through.` });
  if (!stat.isFile()) {
    const kind = stat.isDirectory() ? 'a folder' : 'not a regular file';
    return err({ code: 'not_a_file', path, message: `"${path}" is ${kind} and cannot be written as a file.` });
  }
  if (expected === 'absent') return err({ code: 'exists', path, message: `"${path}" exists already.` });
  // A rename would replace a file that may not be written, as long as its folder may.
  await access(folder.at(name), constants.W_OK);
  return ok(stat);
}

async function replace(folder: FolderHandle, replacement: Replacement): Promise<ContainmentError | null> {
  const { name, path, content, before, options } = replacement;
  const temporary = folder.at(await createBeside(folder, content, before));
  try {
    const now = await lstatOrNull(folder.at(name));
    if (options.expected !== undefined && options.expected !== 'absent' && !isState(now, options.expected))
      return changed(path);
    if (options.expected === 'absent') {
      // A hard link, unlike a rename, fails if somebody else was first.
      await link(temporary, folder.at(name));
      return null;
    }
    await rename(temporary, folder.at(name));
    return null;
  } finally {
    await unlink(temporary).catch((cause: unknown) => {
      if (systemCode(cause) !== 'ENOENT') throw cause;
    });
  }
}

async function createBeside(folder: FolderHandle, content: Uint8Array, before: BigIntStats | null): Promise<string> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const mode = before === null ? 0o666 : Number(before.mode) & 0o777;
  for (;;) {
    const name = `.espalier-${process.pid}-${(temporaryFiles += 1)}.tmp`;
    const handle = await open(folder.at(name), flags, mode).catch((cause: unknown) => {
      if (systemCode(cause) === 'EEXIST') return null;
      throw cause;
    });
    if (handle === null) continue;
    try {
      await handle.writeFile(content);
      if (before !== null) await handle.chmod(Number(before.mode) & 0o7777);
    } catch (cause) {
      await unlink(folder.at(name));
      throw cause;
    } finally {
      await handle.close();
    }
    return name;
  }
}

async function lstatOrNull(path: string): Promise<BigIntStats | null> {
  return lstat(path, { bigint: true }).catch((cause: unknown) => {
    if (systemCode(cause) === 'ENOENT') return null;
    throw cause;
  });
}

function isState(stat: BigIntStats | null, expected: FileState): boolean {
  return stat !== null && isSameState(stateOf(stat), expected);
}

/** What is written there (hooks, `core.fsmonitor`) can run programs at the next git command: that is more than editing a file. */
function inGitFolder(path: string): ContainmentError {
  return {
    code: 'denied',
    path,
    message: `"${path}" is inside a .git folder, which file tools do not write. Use a git command.`,
  };
}

function changed(path: string): ContainmentError {
  return {
    code: 'changed',
    path,
    message: `"${path}" was changed by something else meanwhile; read it again and repeat the change.`,
  };
}
