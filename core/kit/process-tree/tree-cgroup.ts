import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A control group (v2) that holds exactly one tree. */
export interface TreeCgroup {
  /** Moves a process in; what it forks from then on is in too. False when the kernel refuses. */
  add(pid: number): Promise<boolean>;
  /** Everything in it and below. */
  pids(): Promise<number[]>;
  /** Ends everything in it at once, forks in flight too. */
  kill(): Promise<void>;
  /** Removes it if it is empty. */
  remove(): Promise<void>;
}

/**
 * Makes (or finds again) the cgroup `name` below our own one. null where that cannot be had: no cgroup v2, not writable, or a kernel
 * without `cgroup.kill` (before 5.14).
 */
export async function openTreeCgroup(name: string): Promise<TreeCgroup | null> {
  const parent = await ownCgroupFolder();
  if (parent === null) return null;
  const folder = join(parent, name);
  await mkdir(folder).catch(() => undefined); // It may be there from before a restart; the next line tells.
  const files: string[] = await readdir(folder).catch(() => []);
  if (!files.includes('cgroup.kill')) return null;
  return {
    add: (pid) =>
      writeFile(join(folder, 'cgroup.procs'), String(pid)).then(
        () => true,
        () => false,
      ),
    pids: () => pidsBelow(folder),
    kill: () => writeFile(join(folder, 'cgroup.kill'), '1').catch(() => undefined),
    remove: () => removeBelow(folder),
  };
}

async function ownCgroupFolder(): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  const [own, mounts] = await Promise.all(
    ['/proc/self/cgroup', '/proc/self/mountinfo'].map((path) => readFile(path, 'utf8').catch(() => '')),
  );
  const path = /^0::(\/.*)$/m.exec(own ?? '')?.[1];
  // mountinfo: id, parent, device, root, mount point, options, optional fields, "-", type, … (proc_pid_mountinfo(5))
  const mount = /^\d+ \d+ \S+ (\S+) (\S+) .* - cgroup2 /m.exec(mounts ?? '');
  const [, root, point] = mount ?? [];
  if (path === undefined || root === undefined || point === undefined) return null;
  if (root !== '/' && !path.startsWith(root)) return null;
  return join(point, root === '/' ? path : path.slice(root.length));
}

async function pidsBelow(folder: string): Promise<number[]> {
  const own = await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(() => '');
  const pids = own.split('\n').filter(Boolean).map(Number);
  for (const child of await childGroups(folder)) pids.push(...(await pidsBelow(child)));
  return pids;
}

async function removeBelow(folder: string): Promise<void> {
  for (const child of await childGroups(folder)) await removeBelow(child);
  await rmdir(folder).catch(() => undefined); // Not empty: somebody survived, and the receipt says so.
}

async function childGroups(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
}
