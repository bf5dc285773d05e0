import { resolve } from 'node:path';
import { namedFolder } from '../../core/host/place/named-path.ts';
import { nearestWord } from '../../core/host/progress/nearest-word.ts';
import type { ProjectRow } from '../../core/protocol/rows.ts';
import type { ParsedArguments } from '../arguments/command-spec.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT } from '../exit-status.ts';
import { Failure } from './failure.ts';

/** The project folder that was named, or the current one; refused before anything is done when no work can be done there. */
export function projectFolder(context: CommandContext, args: ParsedArguments): string {
  return existingFolder(context, args.text('project') ?? '.');
}

/** A folder that was named; refused when it is none. */
export function existingFolder({ cwd }: CommandContext, named: string): string {
  const path = resolve(cwd, named);
  const folder = namedFolder(path);
  if (!folder.ok) throw new Failure(EXIT.usage, folder.error);
  return path;
}

/** The attached project that was named by its id or its folder, also by a link to that; undefined when none is. */
export function attachedAt(
  { cwd }: CommandContext,
  rows: readonly ProjectRow[],
  named: string,
): ProjectRow | undefined {
  const path = resolve(cwd, named);
  const folder = namedFolder(path);
  const places = folder.ok ? [path, folder.value] : [path];
  return rows.find((row) => row.project_id === named || places.includes(row.path));
}

/** The attached folder that was probably meant, as the rest of a message. */
export function nearestAttached({ cwd }: CommandContext, rows: readonly ProjectRow[], named: string): string {
  const nearest = nearestWord(
    resolve(cwd, named),
    rows.map(({ path }) => path),
  );
  return nearest === null ? ' `espalier projects list` names them.' : ` Did you mean ${nearest}?`;
}
