import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { err, ok, type Result } from '../../kit/result.ts';
import { type ContainmentError, containmentError, systemCode } from './containment-error.ts';
import { checkPath } from './path-rules.ts';

export interface ResolveOptions {
  /** For writing: a link as the last component is refused, not followed. */
  readonly forWrite?: boolean;
  /** Further folders that may be read (where full outputs are kept); never for writing. */
  readonly alsoReadable?: readonly string[];
}

/** A place that was found to be inside its root when it was resolved. */
export interface InsidePath {
  /** Absolute; holds no link. What does not exist yet is appended to its nearest existing folder. */
  readonly path: string;
  /** The root it is inside of, without links. */
  readonly root: string;
  /** From the root, with `/`; `.` for the root itself. */
  readonly relative: string;
  /** False for a place in one of the further readable folders. */
  readonly inWorkspace: boolean;
  readonly exists: boolean;
}

/**
 * Resolves `path` (absolute, or relative to `workspace`) with all its links, the last component too, and proves that it lies inside (A3).
 * `..` is taken as text before links are followed. The answer can be outdated as soon as it is given: open and write with
 * `openInside` and `writeInside`, which prove it again on what they opened.
 */
export async function resolveInside(
  workspace: string,
  path: string,
  options: ResolveOptions = {},
): Promise<Result<InsidePath, ContainmentError>> {
  const fault = checkPath(path);
  if (fault !== null) return err(fault);
  const roots = await realRoots(workspace, options);
  if (!roots.ok) return roots;
  const absolute = resolve(workspace, path);
  try {
    const found = await followLinks(absolute);
    const root = roots.value.find((folder) => isInside(folder, found.path));
    if (root === undefined) return err(outside(path, workspace, found.path !== absolute));
    const refusal = await linkFault(path, absolute, found, root, options.forWrite === true);
    if (refusal !== null) return err(refusal);
    return ok({
      path: found.path,
      root,
      relative: relativeTo(root, found.path),
      inWorkspace: root === roots.value[0],
      exists: found.exists,
    });
  } catch (cause) {
    return err(containmentError(path, cause));
  }
}

/** Whether `path` is `root` or below it; both without links. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** `path` from `root` with `/` as separator; `.` for the root itself. */
function relativeTo(root: string, path: string): string {
  return relative(root, path).split(sep).join('/') || '.';
}

async function realRoots(workspace: string, options: ResolveOptions): Promise<Result<string[], ContainmentError>> {
  const roots: string[] = [];
  try {
    roots.push(await realpath(workspace));
  } catch (cause) {
    if (systemCode(cause) !== 'ENOENT') return err(containmentError(workspace, cause));
    return err({
      code: 'not_found',
      path: workspace,
      message: `The workspace folder "${workspace}" does not exist any more.`,
    });
  }
  if (options.forWrite === true) return ok(roots);
  for (const folder of options.alsoReadable ?? []) {
    const real = await realpath(folder).catch(() => null);
    if (real !== null) roots.push(real);
  }
  return ok(roots);
}

interface Found {
  readonly path: string;
  readonly exists: boolean;
  /** The part of the given path that was there. */
  readonly reached: string;
}

/** Follows all links of the part of `absolute` that exists and appends the rest. */
async function followLinks(absolute: string): Promise<Found> {
  const missing: string[] = [];
  for (let reached = absolute; ; reached = dirname(reached)) {
    const stat = await lstat(reached).catch((cause: unknown) => {
      if (systemCode(cause) === 'ENOENT' && dirname(reached) !== reached) return null;
      throw cause;
    });
    if (stat !== null) {
      const real = await realpath(reached).catch((cause: unknown) => {
        // A link that leads nowhere: whoever writes "through" it would create a file where it points.
        if (systemCode(cause) === 'ENOENT' && stat.isSymbolicLink()) return null;
        throw cause;
      });
      if (real === null) throw Object.assign(new Error(`dangling link: ${reached}`), { code: 'ELOOP' });
      return { path: join(real, ...missing), exists: missing.length === 0, reached };
    }
    missing.unshift(basename(reached));
  }
}

async function linkFault(
  path: string,
  absolute: string,
  found: Found,
  root: string,
  forWrite: boolean,
): Promise<ContainmentError | null> {
  if (!forWrite || !found.exists || absolute === root || !(await lstat(absolute)).isSymbolicLink()) return null;
  const target = relativeTo(root, found.path);
  return {
    code: 'link',
    path,
    message: `"${path}" is a link to "${target}"; links are not written through. Write to "${target}" instead.`,
  };
}

function outside(path: string, workspace: string, byLink: boolean): ContainmentError {
  const how = byLink ? 'leads outside of the workspace through a link' : 'is outside of the workspace';
  return {
    code: 'outside_workspace',
    path,
    message: `"${path}" ${how} (${workspace}). Only paths inside it can be used.`,
  };
}
