import { spawnSync } from 'node:child_process';

/**
 * The command before another one by which that gets mounts of its own, which end with it. Throws where the machine does not give them: what is
 * shown with full disks and read-only folders cannot be shown by modes, which do not bind root.
 */
export function ownMounts(): readonly [command: string, ...args: string[]] {
  const ways = [
    ['unshare', '-m'],
    ['unshare', '-mr'],
  ] as const;
  for (const way of ways) {
    const [command, ...args] = way;
    if (spawnSync(command, [...args, 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0) return way;
  }
  throw new Error('No mount namespace can be had here (unshare -m): run as root, or allow user namespaces.');
}
