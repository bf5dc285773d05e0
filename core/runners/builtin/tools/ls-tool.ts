import { type Dirent, readlinkSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveInside } from '../../../workspace/containment/resolve-inside.ts';
import { defineTool } from './define-tool.ts';
import { similarNames } from './similar-names.ts';
import { failure, readableFolders } from './tool.ts';

const MOST_ENTRIES = 1000;

/** Lists one folder. */
export const lsTool = defineTool({
  name: 'ls',
  description: `Lists a folder of the workspace: folders with a slash, files with their size, links with their target (at most ${MOST_ENTRIES}).`,
  fields: { path: { type: 'string', description: 'the folder; the workspace by default', minLength: 1 } },
  required: [],
  readOnly: true,
  permission: 'free',
  describe: ({ path }) => `Listing ${path ?? 'the workspace'}`,
  async run({ path }, context) {
    const given = path ?? '.';
    const place = await resolveInside(context.workspace, given, { alsoReadable: readableFolders(context) });
    if (!place.ok) return failure(place.error.message);
    if (!place.value.exists)
      return failure(`"${given}" does not exist.${await similarNames(context.workspace, given)}`);
    const entries = await readdir(place.value.path, { withFileTypes: true }).catch((cause: unknown) => reasonOf(cause));
    if (typeof entries === 'string') return failure(`"${given}" cannot be listed: ${entries}.`);
    if (entries.length === 0) return { isError: false, text: '(the folder is empty)' };
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    const lines = entries.slice(0, MOST_ENTRIES).map((entry) => entryLine(place.value.path, entry));
    if (entries.length > MOST_ENTRIES)
      lines.push(`[${entries.length - MOST_ENTRIES} more entries are not shown; use glob]`);
    return { isError: false, text: lines.join('\n') };
  },
});

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  return code === 'ENOTDIR' ? 'it is a file; use read' : code;
}

function entryLine(folder: string, entry: Dirent): string {
  const name = /\p{Cc}/u.test(entry.name) ? JSON.stringify(entry.name) : entry.name;
  if (entry.isDirectory()) return `${name}/`;
  try {
    if (entry.isSymbolicLink()) return `${name} -> ${readlinkSync(join(folder, entry.name))}`;
    return `${name}  ${sizeWords(statSync(join(folder, entry.name)).size)}`;
  } catch {
    // Removed while the folder was listed.
    return name;
  }
}

function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return bytes < 1_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}
