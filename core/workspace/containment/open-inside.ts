import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { err, ok, type Result } from '../../kit/result.ts';
import { type ContainmentError, containmentError } from './containment-error.ts';
import { isOpenInside, NO_FOLLOW } from './proof-of-place.ts';
import { type InsidePath, resolveInside, type ResolveOptions } from './resolve-inside.ts';

/** Tells one state of a file from another: a changed, replaced or touched file differs. */
export interface FileState {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** A regular file, open for reading. Whoever gets it closes `handle`. */
export interface OpenedFile extends InsidePath {
  readonly handle: FileHandle;
  /** Bytes. */
  readonly size: number;
  readonly state: FileState;
}

/**
 * Opens a regular file of the workspace for reading. The place is proved on the open file, so that a link put in between changes nothing (A3);
 * pipes, sockets and devices are refused without waiting on them.
 */
export async function openInside(
  workspace: string,
  path: string,
  options: Pick<ResolveOptions, 'alsoReadable'> = {},
): Promise<Result<OpenedFile, ContainmentError>> {
  const place = await resolveInside(workspace, path, options);
  if (!place.ok) return place;
  let handle: FileHandle | null = null;
  try {
    handle = await open(place.value.path, constants.O_RDONLY | NO_FOLLOW);
    const stat = await handle.stat({ bigint: true });
    const fault = kindFault(path, stat) ?? placeFault(path, handle.fd, place.value);
    if (fault === null) {
      const opened = { ...place.value, handle, size: Number(stat.size), state: stateOf(stat) };
      handle = null;
      return ok(opened);
    }
    return err(fault);
  } catch (cause) {
    return err(containmentError(path, cause));
  } finally {
    await handle?.close();
  }
}

/** What {@link FileState} compares. */
export function stateOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): FileState {
  return { dev, ino, size, mtimeNs, ctimeNs };
}

/** Whether both are the same state of the same file. */
export function isSameState(a: FileState, b: FileState): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs;
}

function kindFault(path: string, stat: BigIntStats): ContainmentError | null {
  if (stat.isFile()) return null;
  const kind = stat.isDirectory()
    ? 'a folder'
    : stat.isFIFO()
      ? 'a named pipe'
      : stat.isSocket()
        ? 'a socket'
        : 'a device';
  return { code: 'not_a_file', path, message: `"${path}" is ${kind}, not a file.` };
}

function placeFault(path: string, fd: number, place: InsidePath): ContainmentError | null {
  if (isOpenInside(fd, place.path, place.root)) return null;
  return {
    code: 'outside_workspace',
    path,
    message: `"${path}" was moved outside of the workspace while it was opened.`,
  };
}
