import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { CancelTimer, Clock } from '../../kit/clock.ts';
import type { CoreFrame, WorkerFrame } from '../../protocol/frames.ts';
import { encodeFrame, FrameReader } from '../wire/frame-codec.ts';
import type { Wire } from './outbox.ts';

const FIRST_PAUSE_MS = 20;
const LAST_PAUSE_MS = 2000;

/** What the link tells. */
export interface LinkListener {
  /** What to say first on every connection. */
  hello(): Extract<WorkerFrame, { type: 'hello' }>;
  frame(frame: CoreFrame): void;
  /** More may be written. */
  drained(): void;
  /** A connection is gone, or could not be made. The next is tried by itself. */
  down(): void;
}

/** The worker's connection to the core: made again and again until {@link CoreLink.close}. */
export class CoreLink implements Wire {
  readonly #addressFile: string;
  readonly #clock: Clock;
  readonly #listener: LinkListener;
  #socket: Socket | null = null;
  #pauseMs = FIRST_PAUSE_MS;
  #cancelRetry: CancelTimer = () => undefined;
  #closed = false;
  #downSince: number | null;

  constructor(options: { addressFile: string; clock: Clock; listener: LinkListener }) {
    this.#addressFile = options.addressFile;
    this.#clock = options.clock;
    this.#listener = options.listener;
    this.#downSince = options.clock.monotonic();
  }

  /** Milliseconds without a core; 0 while one has welcomed us. */
  get downMs(): number {
    return this.#downSince === null ? 0 : this.#clock.monotonic() - this.#downSince;
  }

  /** Whether a core has welcomed us over the present connection. */
  get isUp(): boolean {
    return this.#downSince === null;
  }

  /** The core has accepted us: the next cut is answered quickly again. */
  welcomed(): void {
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#downSince = null;
  }

  open(): void {
    const address = this.#readAddress();
    if (address === null) {
      this.#listener.down();
      return this.#retry();
    }
    const socket = connect(address);
    const reader = new FrameReader();
    socket.on('error', () => undefined); // `close` follows.
    socket.once('connect', () => {
      this.#socket = socket;
      this.send(this.#listener.hello());
    });
    socket.on('drain', () => this.#listener.drained());
    socket.on('data', (chunk: Buffer) => {
      reader.push(chunk);
      for (let frame = reader.next(); frame !== null; frame = reader.next()) {
        if (typeof frame === 'string' || this.#socket !== socket) return void socket.destroy();
        // What comes over this socket comes from the core that started us; its frames need no schema here.
        this.#listener.frame(JSON.parse(frame.text) as CoreFrame);
      }
    });
    socket.once('close', () => {
      if (this.#socket === socket) this.#socket = null;
      this.#downSince ??= this.#clock.monotonic();
      this.#listener.down();
      this.#retry();
    });
  }

  /** Frames of one turn of the loop go out together. */
  write(bytes: Uint8Array): boolean {
    const socket = this.#socket;
    if (socket === null) return false;
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    return socket.write(bytes);
  }

  send(frame: WorkerFrame): void {
    this.#socket?.write(encodeFrame(frame));
  }

  /** No more connections; the present one is closed. */
  close(): void {
    this.#closed = true;
    this.#cancelRetry();
    this.#socket?.destroy();
  }

  /** null while no core is up. */
  #readAddress(): string | null {
    try {
      return readFileSync(this.#addressFile, 'utf8').trim();
    } catch {
      return null;
    }
  }

  #retry(): void {
    if (this.#closed) return;
    this.#cancelRetry();
    this.#cancelRetry = this.#clock.after(this.#pauseMs, () => this.open());
    this.#pauseMs = Math.min(this.#pauseMs * 2, LAST_PAUSE_MS);
  }
}
