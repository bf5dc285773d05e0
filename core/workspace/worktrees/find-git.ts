import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { RUN_MARKER } from '../../kit/process-tree/tool-environment.ts';
import { ok, type Result } from '../../kit/result.ts';
import { isInside } from '../containment/resolve-inside.ts';
import { failure, WITHOUT_ISOLATION, type WorktreeError } from './worktree-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Of a core's environment: who calls git. Becomes the marker of its calls, by which the next core finds those that outlive a dead one. */
export const GIT_OWNER = 'ESPALIER_GIT_OWNER';

/** Git's program and the environment in which it runs. */
export interface Git {
  readonly binary: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What git needs of the environment: who and where the user is. Not keys, and no `GIT_*`, which would redirect it (K5). */
const KEPT = new Set(
  (
    'HOME USER LOGNAME USERNAME USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES ' +
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC TEMP TMP TMPDIR XDG_CONFIG_HOME LD_LIBRARY_PATH DYLD_LIBRARY_PATH TZ'
  ).split(' '),
);

/**
 * Git from the PATH of `environment`. Folders of the PATH that are relative or inside the repository around `project` do not count:
 * a program planted there is never run, neither by us nor by git (B41).
 */
export async function findGit(environment: Environment, project: string): Promise<Result<Git, WorktreeError>> {
  const repository = await repositoryAround(resolve(project));
  const folders = await trustedFolders(pathOf(environment), repository);
  for (const folder of folders) {
    const binary = await executable(folder, repository);
    if (binary !== null) return ok({ binary, environment: cleaned(environment, folders) });
  }
  return failure('git_missing', `Git was not found on the PATH. Install git, ${WITHOUT_ISOLATION}.`);
}

function pathOf(environment: Environment): string {
  const name = Object.keys(environment).find((key) => key.toUpperCase() === 'PATH');
  return (name === undefined ? undefined : environment[name]) ?? '';
}

/** The nearest folder above that looks like a repository, found without asking git; both names of it when a link leads there. */
async function repositoryAround(project: string): Promise<readonly string[]> {
  for (let folder = project; ; folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return [folder, await realOr(folder)];
    if (dirname(folder) === folder) return [project, await realOr(project)];
  }
}

async function trustedFolders(path: string, repository: readonly string[]): Promise<string[]> {
  const folders: string[] = [];
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder) || folders.includes(folder)) continue;
    const names = [resolve(folder), await realOr(folder)];
    if (names.some((name) => repository.some((root) => isInside(root, name)))) continue;
    folders.push(folder);
  }
  return folders;
}

async function executable(folder: string, repository: readonly string[]): Promise<string | null> {
  const path = join(folder, process.platform === 'win32' ? 'git.exe' : 'git');
  try {
    if (!(await stat(path)).isFile()) return null;
    await access(path, constants.X_OK);
    const real = await realpath(path);
    return repository.some((root) => isInside(root, real)) ? null : path;
  } catch {
    return null; // Not there, or not to be run by us.
  }
}

function cleaned(environment: Environment, folders: readonly string[]): Record<string, string> {
  const result: Record<string, string> = { PATH: folders.join(delimiter) };
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && KEPT.has(name.toUpperCase())) result[name] = value;
  }
  const owner = environment[GIT_OWNER];
  if (owner !== undefined) result[RUN_MARKER] = owner;
  return result;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function realOr(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
