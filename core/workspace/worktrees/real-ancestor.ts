import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The path without links; what does not exist yet is appended as it is. */
export async function realAncestor(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (dirname(path) === path) throw error;
    return join(await realAncestor(dirname(path)), path.slice(dirname(path).length));
  }
}
