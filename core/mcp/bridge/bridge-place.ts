import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, mkdir, mkdtemp, open, rm, unlink } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A path for a Unix socket holds 104 bytes on macOS and 108 on Linux. */
const MAX_SOCKET_PATH = 100;
/** A program of ours says its token in its first line; anything longer is somebody else. */
const MAX_GREETING = 256;

/** Where the programs that agents start find their worker. */
export interface BridgePlace {
  /** Private file that names the socket and its token: all that a program is given. */
  readonly file: string;
  /** Ends listening and removes what was made; connections are ended too. */
  close(): Promise<void>;
}

/**
 * Listens in `folder` (made private, 0700) for programs that know the token of the place's 0600 file. `onConnection` gets a socket that has shown it,
 * with what was read after it. Rejects when the folder cannot be made or the socket cannot be opened.
 */
export async function openPlace(
  folder: string,
  onConnection: (socket: Socket, head: Buffer) => void,
): Promise<BridgePlace> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const name = randomBytes(4).toString('hex');
  const token = randomBytes(32).toString('hex');
  const address = await freeAddress(folder, name);
  const file = join(folder, `bridge-${name}.json`);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined); // `close` follows.
    socket.once('close', () => sockets.delete(socket));
    greet(socket, token, onConnection);
  });
  await listen(server, address);
  await writePrivate(file, JSON.stringify({ address, token }));
  return {
    file,
    async close() {
      await unlink(file).catch(() => undefined); // Its folder was removed meanwhile.
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
      if (dirname(address) !== folder && process.platform !== 'win32') await rm(dirname(address), { recursive: true });
    },
  };
}

async function freeAddress(folder: string, name: string): Promise<string> {
  if (process.platform === 'win32') return `\\\\.\\pipe\\espalier-mcp-${randomBytes(16).toString('hex')}`;
  const path = join(folder, `mcp-${name}.sock`);
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return path;
  return join(await mkdtemp(join(tmpdir(), 'espalier-mcp-')), 's');
}

function listen(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      server.on('error', () => undefined); // An error of accepting costs one connection.
      resolve();
    });
  });
}

async function writePrivate(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

/** Reads the first line; a connection that does not show the token is ended without a word. */
function greet(socket: Socket, token: string, welcome: (socket: Socket, head: Buffer) => void): void {
  let read = Buffer.alloc(0);
  const onData = (chunk: Buffer): void => {
    read = Buffer.concat([read, chunk]);
    const end = read.indexOf(10);
    if (end === -1) return void (read.length > MAX_GREETING && socket.destroy());
    socket.off('data', onData).pause();
    const shown = read.subarray(0, end);
    const expected = Buffer.from(token);
    if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) return void socket.destroy();
    welcome(socket, read.subarray(end + 1));
  };
  socket.on('data', onData);
}
