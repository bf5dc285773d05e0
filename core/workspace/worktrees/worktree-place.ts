import { lstat, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ok, type Result } from '../../kit/result.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import { isInside } from '../containment/resolve-inside.ts';
import { isAbsent } from './is-absent.ts';
import { whyElsewhere } from './other-data-folder.ts';
import { realAncestor } from './real-ancestor.ts';
import { failure, type WorktreeError } from './worktree-error.ts';

/** In what git keeps of a worktree: the run that it was made for. Git leaves the file alone, and it goes with the worktree. */
const MAKER_FILE = 'espalier-run';

/**
 * What is where a worktree was made. Rows outlive what they name, several projects share the folder, and people put things in order by hand: only what is
 * `own` may be changed. `entry`: the folder in which git keeps what it knows of the worktree.
 */
export type Place =
  | { readonly is: 'own'; readonly entry: string }
  /** It was begun to be taken away: git still has it as ours, and the link to git is gone. */
  | { readonly is: 'half'; readonly entry: string }
  /** Nothing, or an empty folder, in which nothing can be lost. */
  | { readonly is: 'gone'; readonly entry: string | null }
  /** Another run's, another project's, another data folder's, or nothing that we made. */
  | { readonly is: 'foreign'; readonly why: string };

/** Notes whose a new worktree is. */
export async function markMaker(entry: string, runId: string): Promise<Result<null, WorktreeError>> {
  try {
    await writeFile(join(entry, MAKER_FILE), `${runId}\n`, { mode: 0o600 });
    return ok(null);
  } catch (error) {
    return failure('git_failed', `The repository could not be written to: ${messageOf(error)}. Make room.`);
  }
}

/** The run that a worktree was made for; runs that continue it have it after that one (C5). */
export function makerOf({ made_for, run_id }: Pick<Worktree, 'made_for' | 'run_id'>): string {
  return made_for ?? run_id;
}

/** Looks at what is there, without git. Fails when it cannot be looked at: then nothing may be done with it. */
export async function placeOf(
  worktree: Worktree,
  commonDir: string,
  dataFolder: string,
): Promise<Result<Place, WorktreeError>> {
  const { path } = worktree;
  try {
    if (!(await isOwnWorktree(dataFolder, worktree))) return ok(foreign(await whyElsewhere(worktree, dataFolder)));
    const entries = join(await realAncestor(commonDir), 'worktrees');
    const found = await lstat(path).catch(ifAbsent);
    if (found !== null && !found.isDirectory()) return ok(foreign('there is no folder in its place'));
    const entry = found === null ? null : await linkedEntry(path);
    if (entry !== null) return ok(await ofEntry(entry, entries, makerOf(worktree)));
    const known = await knownEntry(entries, worktree);
    if (found === null || (await readdir(path)).length === 0) return ok({ is: 'gone', entry: known });
    return ok(known === null ? foreign('git does not know it as a worktree') : { is: 'half', entry: known });
  } catch (error) {
    return failure('git_failed', `What is at ${path} could not be looked at, and stays: ${messageOf(error)}.`);
  }
}

/** Whether a worktree lies in this data folder. One that does not is another folder's, of which this one is a copy, and may be at work there. */
export async function isOwnWorktree(dataFolder: string, { path }: Pick<Worktree, 'path'>): Promise<boolean> {
  const root = join(await realAncestor(dataFolder), 'worktrees');
  return isInside(root, await realAncestor(join(path, '..')));
}

/** The folder to which the `.git` of a folder leads; null when it has none. A repository of its own leads to itself. */
export async function linkedEntry(path: string): Promise<string | null> {
  const link = join(path, '.git');
  const found = await lstat(link).catch(ifAbsent);
  if (found === null) return null;
  if (!found.isFile()) return realAncestor(link);
  const target = /^gitdir: (.+)$/m.exec(await readFile(link, 'utf8'))?.[1];
  return target === undefined ? link : realAncestor(resolve(path, target));
}

async function ofEntry(entry: string, entries: string, maker: string): Promise<Place> {
  if (!isInside(entries, entry)) return foreign(`the folder belongs to another repository: ${entry}`);
  const made = await makerIn(entry);
  if (made === maker) return { is: 'own', entry };
  return foreign(made === null ? 'it was not made for a run' : `it is the worktree of ${made}`);
}

/** The entry of ours that names the path, found without the link in the folder. */
async function knownEntry(entries: string, worktree: Worktree): Promise<string | null> {
  const link = join(await realAncestor(worktree.path), '.git');
  for (const name of (await readdir(entries).catch(ifAbsent)) ?? []) {
    const entry = join(entries, name);
    if ((await makerIn(entry)) !== makerOf(worktree)) continue;
    const named = (await readFile(join(entry, 'gitdir'), 'utf8').catch(ifAbsent))?.trim();
    if (named !== undefined && (await realAncestor(resolve(entry, named))) === link) return entry;
  }
  return null;
}

async function makerIn(entry: string): Promise<string | null> {
  const text = await readFile(join(entry, MAKER_FILE), 'utf8').catch(ifAbsent);
  return text === null ? null : text.trim();
}

function foreign(why: string): Place {
  return { is: 'foreign', why };
}

/** Only what is proved not to be there counts as absent. */
function ifAbsent(error: unknown): null {
  if (isAbsent(error)) return null;
  throw error;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
