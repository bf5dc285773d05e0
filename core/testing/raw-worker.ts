import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { CoreFrame } from '../protocol/frames.ts';
import { PROTOCOL_VERSION } from '../protocol/version.ts';
import { encodeFrame, FrameReader } from '../workers/wire/frame-codec.ts';
import { until } from './process-trees.ts';

/** A peer on the workers' socket that says whatever a test wants. */
export class RawWorker {
  readonly frames: CoreFrame[] = [];
  readonly #socket: Socket;
  closed = false;

  /** Connects to the core of a data folder. */
  constructor(home: string) {
    const reader = new FrameReader();
    this.#socket = connect(readFileSync(join(home, 'workers', 'workers.address'), 'utf8'));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.closed = true;
    });
    this.#socket.on('data', (chunk: Buffer) => {
      reader.push(chunk);
      for (let frame = reader.next(); frame !== null; frame = reader.next()) {
        if (typeof frame === 'string') throw new Error(`the core sent ${frame}`);
        this.frames.push(JSON.parse(frame.text) as CoreFrame);
      }
    });
  }

  hello(token: string, attempt_id: string | null, more: object = {}): this {
    const open = { open_calls: [], open_asks: [] };
    const frame = {
      type: 'hello',
      protocol: PROTOCOL_VERSION,
      attempt_id,
      token,
      pid: process.pid,
      bundle: 'bundle-1',
    };
    return this.say({ ...frame, ...open, ...more });
  }

  event(seq: number, text = 'x'): this {
    return this.say({ type: 'event', seq, event: { type: 'activity', text } });
  }

  say(frame: unknown): this {
    return this.raw(encodeFrame(frame));
  }

  raw(bytes: Uint8Array): this {
    this.#socket.write(bytes);
    return this;
  }

  /** The first frame of a type, once it came. */
  async heard<T extends CoreFrame['type']>(type: T): Promise<Extract<CoreFrame, { type: T }>> {
    const find = (): CoreFrame | undefined => this.frames.find((frame) => frame.type === type);
    await until(`a frame ${type}`, () => find() !== undefined);
    return find() as Extract<CoreFrame, { type: T }>;
  }

  async gone(): Promise<void> {
    await until('the connection to be closed', () => this.closed);
  }

  close(): void {
    this.#socket.destroy();
  }
}
