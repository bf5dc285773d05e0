import type { Socket } from 'node:net';
import { MAX_FRAME_BYTES } from '../../protocol/frame-limit.ts';
import type { CoreFrame, WorkerFrame } from '../../protocol/frames.ts';
import { encodeFrame, FrameReader } from '../wire/frame-codec.ts';
import { parseWorkerFrame } from '../wire/parse-worker-frame.ts';

/** Before a worker has shown who it is, it says nothing but its name and what it still waits for. */
const HELLO_BYTES = 256 * 1024;

/** With this much unsent, acknowledgements are held back: the newest says all. */
const ACK_WITH_UNSENT_BYTES = 64 * 1024;

/** Who takes what comes over a connection. */
export interface ConnectionListener {
  /** `bytes` is the size of the frame. */
  frame(frame: WorkerFrame, bytes: number): void;
  /** Something that is no frame came; the connection is closed. `problem` holds no content. */
  violated(problem: string): void;
  /** Everything was read; nothing comes any more. */
  closed(): void;
}

const NOBODY: ConnectionListener = { frame() {}, violated() {}, closed() {} };

/** One connection of a worker, as the core sees it. */
export class WorkerConnection {
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #reader = new FrameReader(HELLO_BYTES);
  #listener: ConnectionListener = NOBODY;
  #heldAck: number | null = null;
  #deaf = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    keepReadingAfterWriteErrors(socket);
    // A worker that was killed resets the connection; its end is told by `close`.
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('drain', () => this.#sendHeldAck());
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#listener.closed();
        resolve();
      });
    });
  }

  /** From now on `listener` hears. */
  hand(listener: ConnectionListener): void {
    this.#listener = listener;
  }

  /** Nobody hears any more, and it is closed: a newer connection took its place. */
  replace(): void {
    this.#listener = NOBODY;
    this.destroy();
  }

  /** The worker has shown who it is: whole frames are taken. */
  trust(): void {
    this.#reader.allow(MAX_FRAME_BYTES);
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  send(frame: CoreFrame): void {
    if (!this.isOpen || !this.#socket.writable) return;
    if (frame.type === 'ack' && this.#socket.writableLength > ACK_WITH_UNSENT_BYTES) this.#heldAck = frame.seq;
    else this.#socket.write(encodeFrame(frame));
  }

  /** Says no, with the reason, and closes. */
  refuse(code: Extract<CoreFrame, { type: 'refused' }>['code'], message: string): void {
    this.#deaf = true;
    this.#socket.end(encodeFrame({ type: 'refused', code, message } satisfies CoreFrame));
    // A peer that never closes its side would keep the socket.
    this.#socket.destroySoon();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  destroy(): void {
    this.#deaf = true;
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    if (this.#deaf) return;
    this.#reader.push(chunk);
    for (let frame = this.#reader.next(); frame !== null; frame = this.#reader.next()) {
      if (typeof frame === 'string') return this.#violated(frame === 'empty' ? 'an empty frame' : 'a frame too long');
      const parsed = parseWorkerFrame(frame.text);
      if (!parsed.ok) return this.#violated(parsed.error.problem);
      this.#listener.frame(parsed.value, frame.bytes);
      if (this.#deaf) return;
    }
  }

  #violated(problem: string): void {
    this.destroy();
    this.#listener.violated(problem);
  }

  #sendHeldAck(): void {
    if (this.#heldAck === null) return;
    const seq = this.#heldAck;
    this.#heldAck = null;
    this.send({ type: 'ack', seq });
  }
}

/**
 * A failed write destroys a socket together with what was received and not read yet: the last words of a worker that was killed. So write
 * errors are swallowed here, and the connection ends when it was read to its end. (`_write` and `_writev` are the stream's own points
 * of extension.)
 */
function keepReadingAfterWriteErrors(socket: Socket): void {
  const write = socket._write.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, () => done());
  const writev = socket._writev?.bind(socket);
  if (writev !== undefined) socket._writev = (chunks, done) => writev(chunks, () => done());
}
