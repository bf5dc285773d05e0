import { MAX_FRAME_BYTES } from '../../protocol/frame-limit.ts';

/** Bytes of the length that goes before each frame: unsigned, big endian. */
export const LENGTH_BYTES = 4;

/** One frame as it goes over the socket: length, then JSON in UTF-8. */
export function encodeFrame(frame: unknown): Buffer {
  const json = JSON.stringify(frame);
  const length = Buffer.byteLength(json);
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + length);
  bytes.writeUInt32BE(length, 0);
  bytes.write(json, LENGTH_BYTES, 'utf8');
  return bytes;
}

/** Why a stream of bytes is not a stream of frames. */
export type FrameError = 'too_long' | 'empty';

/**
 * Cuts a stream of bytes into the JSON texts of its frames. Holds at most one incomplete frame, and of that only what has arrived: a length
 * alone reserves nothing.
 */
export class FrameReader {
  #limit: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #need: number | null = null;

  /** @param limit largest frame that is taken, bytes of JSON */
  constructor(limit: number = MAX_FRAME_BYTES) {
    this.#limit = limit;
  }

  /** Changes the limit for the frames to come; before a worker has shown who it is, it is small. */
  allow(limit: number): void {
    this.#limit = limit;
  }

  /** Takes bytes in. */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
  }

  /** The next whole frame, null when more bytes are needed, or an error, after which the stream is of no more use. */
  next(): { readonly text: string; readonly bytes: number } | FrameError | null {
    if (this.#need === null) {
      if (this.#bytes < LENGTH_BYTES) return null;
      this.#need = this.#take(LENGTH_BYTES).readUInt32BE(0);
    }
    if (this.#need > this.#limit) return 'too_long';
    if (this.#need === 0) return 'empty';
    if (this.#bytes < this.#need) return null;
    const bytes = this.#need;
    this.#need = null;
    return { text: this.#take(bytes).toString('utf8'), bytes };
  }

  #take(count: number): Buffer {
    const first = this.#chunks[0];
    const whole = first !== undefined && first.length >= count ? first : Buffer.concat(this.#chunks);
    const rest = whole === first ? this.#chunks.slice(1) : [];
    this.#chunks = whole.length > count ? [whole.subarray(count), ...rest] : rest;
    this.#bytes -= count;
    return whole.subarray(0, count);
  }
}
