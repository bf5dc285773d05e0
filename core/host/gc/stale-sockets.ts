import { lstatSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { namesIn, type Candidate } from './candidate.ts';

/** Where cores put sockets whose own place would be too long: `espalier-<random>/workers.sock`, `espalier-<uid>/<hash>.sock`. */
const PLACE = /^espalier-[A-Za-z0-9]+$/;

/** Sockets of this user's cores that nobody listens on any more, of this data folder or of another one. */
export async function staleSockets(folder = tmpdir()): Promise<Candidate[]> {
  const uid = process.getuid?.();
  if (uid === undefined) return []; // Named pipes go with their process.
  const isOurs = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.uid === uid;
  const places = namesIn(folder)
    .filter((name) => PLACE.test(name))
    .map((name) => join(folder, name))
    .filter((path) => isOurs(path) && lstatSync(path).isDirectory());
  const sockets = places
    .flatMap((place) => namesIn(place).map((name) => join(place, name)))
    .filter((path) => path.endsWith('.sock') && isOurs(path) && lstatSync(path).isSocket());
  const dead = await Promise.all(sockets.map(async (path) => ((await isRefused(path)) ? [path] : [])));
  return dead.flat().map((path) => ({
    item: { kind: 'socket', project_id: null, what: path, bytes: 0, reason: 'Nobody listens on it: its core is gone.' },
    remove: async () => {
      if (!(await isRefused(path))) return 'Somebody listens on it now.';
      await rm(path, { force: true });
      await rmdir(dirname(path)).catch(() => undefined); // Sockets of other cores are in it.
      return null;
    },
  }));
}

/** Whether the system says that no process has the socket open. Anything but a plain refusal is no proof. */
function isRefused(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
