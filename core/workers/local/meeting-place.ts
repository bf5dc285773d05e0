import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, lstat, mkdir, mkdtemp, open, readFile, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A path for a Unix socket holds 104 bytes on macOS and 108 on Linux. */
const MAX_SOCKET_PATH = 100;

const SHORT_PREFIX = 'espalier-';

/** Where workers find the core. As long as it is open it keeps the process alive. */
export interface MeetingPlace {
  /** File that names the socket. It stays at its place from core to core, the socket need not. */
  readonly addressFile: string;
  readonly address: string;
  /** Ends listening and removes socket and address; connections stay. */
  close(): Promise<void>;
}

/**
 * Listens for workers in `folder`, which is made private (0700). Only the holder of the core's lock may call it: it removes the socket of an
 * earlier core. Rejects when the folder cannot be made or the socket cannot be opened.
 */
export async function openMeetingPlace(folder: string, onConnection: (socket: Socket) => void): Promise<MeetingPlace> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const addressFile = join(folder, 'workers.address');
  await removeShortPlace(await readFile(addressFile, 'utf8').catch(() => ''));
  const address = await freeAddress(folder);
  const server = createServer(onConnection);
  await listen(server, address);
  await writeAddress(addressFile, address);
  return {
    addressFile,
    address,
    async close() {
      await unlink(addressFile).catch(() => undefined); // A folder that was removed meanwhile holds none.
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        // The callback waits for connections, which stay; the socket itself is closed and unlinked at once.
        resolve();
      });
      await removeShortPlace(address);
    },
  };
}

async function freeAddress(folder: string): Promise<string> {
  if (process.platform === 'win32') return `\\\\.\\pipe\\espalier-${randomBytes(16).toString('hex')}`;
  const path = join(folder, 'workers.sock');
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) {
    await unlink(path).catch(() => undefined); // Left by a core that was killed, or not there.
    return path;
  }
  return join(await mkdtemp(join(tmpdir(), SHORT_PREFIX)), 'workers.sock');
}

/** Removes the short place that an address names, if it is one of ours. */
async function removeShortPlace(address: string): Promise<void> {
  const folder = dirname(address);
  if (!folder.startsWith(join(tmpdir(), SHORT_PREFIX)) || dirname(folder) !== tmpdir()) return;
  const found = await lstat(folder).catch(() => null);
  if (found === null || !found.isDirectory() || found.uid !== process.getuid?.()) return;
  await rm(address, { force: true });
  await rmdir(folder).catch(() => undefined); // Something of somebody else is in it.
}

function listen(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      // An error of accepting (no more descriptors) costs one connection, which is tried again.
      server.on('error', () => undefined);
      resolve();
    });
  });
}

async function writeAddress(path: string, address: string): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const file = await open(draft, flags, 0o600);
  try {
    await file.writeFile(address);
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
