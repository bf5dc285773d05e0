import { lstat, unlink } from 'node:fs/promises';
import { err, ok, type Result } from '../../kit/result.ts';
import { type ContainmentError, containmentError } from './containment-error.ts';
import { type FolderHandle, openFolder } from './folder-handle.ts';
import { type FileState, isSameState, stateOf } from './open-inside.ts';
import { resolveInside } from './resolve-inside.ts';

/** Removes a regular file inside the workspace if it still is in the state that was seen; follows no link (A3). */
export async function removeInside(
  workspace: string,
  path: string,
  expected: FileState,
): Promise<Result<null, ContainmentError>> {
  const place = await resolveInside(workspace, path, { forWrite: true });
  if (!place.ok) return place;
  const names = place.value.relative.split('/');
  const name = names.pop() ?? '.';
  let folder: FolderHandle | null = null;
  try {
    folder = await openFolder(place.value.root, names);
    const now = await lstat(folder.at(name), { bigint: true });
    if (!now.isFile() || !isSameState(stateOf(now), expected)) {
      return err({ code: 'changed', path, message: `"${path}" was changed by something else meanwhile.` });
    }
    await unlink(folder.at(name));
    return ok(null);
  } catch (cause) {
    return err(containmentError(path, cause));
  } finally {
    await folder?.close();
  }
}
