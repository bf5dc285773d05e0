import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WorkerFrame } from '../../protocol/frames.ts';
import { until } from '../../testing/process-trees.ts';
import { encodeFrame } from '../wire/frame-codec.ts';
import { WorkerConnection } from './worker-connection.ts';

let folder: string;
let server: Server;
let worker: Socket;
let connection: WorkerConnection;
let frames: WorkerFrame[];
let problems: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'espalier-connection-'));
  frames = [];
  problems = [];
  const path = join(folder, 's');
  server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  worker = connect(path);
  worker.on('error', () => undefined);
  connection = new WorkerConnection(await accepted);
  connection.hand({
    frame: (frame) => void frames.push(frame),
    violated: (problem) => void problems.push(problem),
    closed() {},
  });
  connection.trust();
});

afterEach(async () => {
  worker.destroy();
  connection.destroy();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

const delta = (seq: number, text: string): Buffer =>
  encodeFrame({ type: 'event', seq, event: { type: 'delta', entry: 0, offset: 0, text } });

test('case 18: the last words of a worker that is gone are read, although writing to it has failed meanwhile', async () => {
  connection.pause();
  const text = 'x'.repeat(10_000);
  for (let seq = 1; seq <= 15; seq += 1) worker.write(delta(seq, text));
  await new Promise<void>((resolve) => worker.end(resolve));
  worker.destroy();
  for (let seq = 1; seq <= 3; seq += 1) {
    connection.send({ type: 'ack', seq });
    await new Promise((resolve) => setImmediate(resolve));
  }
  connection.resume();
  await connection.closed;
  expect(frames).toHaveLength(15);
});

test('frames that come in pieces of one byte, and many in one piece, are the same', async () => {
  const bytes = Buffer.concat([delta(1, 'ä\u{1F600}'), delta(2, 'b'), encodeFrame({ type: 'pong', at: 3 })]);
  worker.setNoDelay(true);
  for (const byte of bytes) worker.write(Buffer.from([byte]));
  worker.write(bytes);
  await until('all frames', () => frames.length === 6);
  expect(frames.slice(0, 3)).toEqual(frames.slice(3));
  expect(frames[0]).toMatchObject({ event: { text: 'ä\u{1F600}' } });
});

test.each([
  ['a length of 100 MB', Buffer.from([0x06, 0x40, 0, 0]), 'a frame too long'],
  ['an empty frame', Buffer.alloc(4), 'an empty frame'],
  ['text that is no JSON', Buffer.from('\0\0\0\x03abc'), 'the text is not JSON'],
  ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n'), 'a frame too long'],
  ['JSON that is no frame', encodeFrame({ type: 'event', seq: 0, event: { type: 'delta' } }), /seq|event/],
  ['a word of a newer build', encodeFrame({ type: 'event', seq: 1, event: { type: 'sings' } }), /event/],
])('case 41: %s closes the connection, and the problem tells no content', async (_, bytes, problem) => {
  worker.write(bytes);
  await connection.closed;
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(problem);
  expect(frames).toEqual([]);
});

test('case 41: a frame of 100 MB that is really sent takes no memory', async () => {
  const before = process.memoryUsage().rss;
  const head = Buffer.alloc(4);
  head.writeUInt32BE(100 * 1024 * 1024);
  worker.write(head);
  const piece = Buffer.alloc(64 * 1024, 'x');
  for (let sent = 0; sent < 100 * 1024 * 1024 && worker.writable; sent += piece.length) {
    if (!worker.write(piece)) await new Promise((resolve) => setImmediate(resolve));
  }
  await connection.closed;
  expect(problems).toEqual(['a frame too long']);
  expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
});
