import { lstat, rmdir, statfs, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { err, ok, type Result } from '../../kit/result.ts';
import type { GitAnswer } from './call-git.ts';
import type { GitFolder } from './git-folder.ts';
import { isAbsent } from './is-absent.ts';

/** Why the files of a checkout are not those of another commit now. */
export type NotMoved =
  /** Git looked first and began nothing: these files have changes that nobody committed. */
  | { readonly type: 'refused'; readonly paths: readonly string[] }
  /** What is at this path could not be looked at, so nothing was begun: it could not be put back. */
  | { readonly type: 'unreadable'; readonly path: string; readonly why: string }
  /** Some could not be written. `left`: what could not be put back either; empty when all is as it was. */
  | { readonly type: 'failed'; readonly answer: GitAnswer; readonly isFull: boolean; readonly left: readonly string[] };

const CHECKOUT_MS = 10 * 60_000;
const REFUSED = /overwritten|uptodate|would lose|not up to date/i;

/** Less than this is a full disk, bytes. */
const ROOM = 64 * 1024;

/**
 * Makes the files and the index of a checkout those of `to` where they are those of `from`; changes in other files stay. All or none: git
 * itself stops half way when the disk is full, with files cut or gone, and then takes them for changes of the user's. What it had begun is put back.
 */
export async function moveFiles(project: GitFolder, from: string, to: string): Promise<Result<null, NotMoved>> {
  // A file that was only touched is no change; git would take it for one.
  await project.write(['update-index', '-q', '--refresh']);
  const paths = await changedPaths(project, from, to);
  if (!paths.ok) return paths;
  const before = await look(project.path, paths.value);
  if (!before.ok) return before;
  const moved = await project.write(['read-tree', '-m', '-u', from, to], { timeoutMs: CHECKOUT_MS });
  if (moved.ok) return ok(null);
  if (REFUSED.test(moved.stderr)) {
    const quoted = [...moved.stderr.matchAll(/'([^']+)'/g)].map(([, path]) => path ?? '');
    return err({ type: 'refused', paths: [...new Set(quoted)] });
  }
  const isFull = await isDiskFull(project.path);
  return err({ type: 'failed', answer: moved, isFull, left: await putBack(project, before.value) });
}

async function changedPaths(project: GitFolder, from: string, to: string): Promise<Result<string[], NotMoved>> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--end-of-options', from, to];
  const listed = await project.read(args, { timeoutMs: CHECKOUT_MS });
  if (!listed.ok) return err({ type: 'failed', answer: listed, isFull: false, left: [] });
  return ok(listed.stdout.split('\0').filter((path) => path !== ''));
}

/** What was in the place of each path: a file or link by what tells that it was replaced, a folder, or nothing. */
interface Seen {
  readonly files: ReadonlyMap<string, string | null>;
  /** Folders that were not there, the innermost first. */
  readonly absent: readonly string[];
}

async function look(top: string, paths: readonly string[]): Promise<Result<Seen, NotMoved>> {
  const files = new Map<string, string | null>();
  const folders = new Map<string, boolean>();
  for (const path of paths) {
    const state = await stateOf(top, path);
    if (!state.ok) return state;
    files.set(path, state.value);
    for (let folder = dirname(path); folder !== '.' && !folders.has(folder); folder = dirname(folder)) {
      const above = await stateOf(top, folder);
      if (!above.ok) return above;
      folders.set(folder, above.value !== 'folder');
    }
  }
  const absent = [...folders].flatMap(([folder, isAbsent]) => (isAbsent ? [folder] : []));
  return ok({ files, absent: absent.sort((a, b) => b.length - a.length) });
}

async function stateOf(top: string, path: string): Promise<Result<string | null, NotMoved>> {
  try {
    const found = await lstat(join(top, path), { bigint: true });
    return ok(found.isDirectory() ? 'folder' : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    // A name that no file system takes is none of a file.
    if (isAbsent(error) || (code === 'ENAMETOOLONG' && hasLongName(path))) return ok(null);
    return err({ type: 'unreadable', path, why: message });
  }
}

/** Bytes of one name; no file system of ours takes more. */
const LONGEST_NAME = 255;

function hasLongName(path: string): boolean {
  return path.split('/').some((name) => Buffer.byteLength(name) > LONGEST_NAME);
}

/** Takes away what was not there and writes anew what was; answers what is not as it was. The room of the first is that of the second. */
async function putBack(project: GitFolder, { files, absent }: Seen): Promise<string[]> {
  const replaced: string[] = [];
  const left: string[] = [];
  for (const [path, before] of files) {
    const state = await stateOf(project.path, path);
    if (!state.ok) left.push(path);
    if (!state.ok || state.value === before) continue;
    const now = state.value;
    const wasFile = before !== null && before !== 'folder';
    if (wasFile) replaced.push(path);
    else if (now !== null && now !== 'folder' && !(await removed(join(project.path, path)))) left.push(path);
  }
  for (const folder of absent) await rmdir(join(project.path, folder)).catch(() => undefined);
  // Together with the index, by which git would else take them for changed.
  const args = ['checkout-index', '--force', '--index', '-z', '--stdin'];
  const written = await project.write(args, { input: replaced.join('\0'), timeoutMs: CHECKOUT_MS });
  return written.ok ? left : [...left, ...replaced];
}

async function removed(path: string): Promise<boolean> {
  return unlink(path).then(
    () => true,
    () => false,
  );
}

async function isDiskFull(folder: string): Promise<boolean> {
  const found = await statfs(folder).catch(() => null);
  return found !== null && found.bavail * found.bsize < ROOM;
}
