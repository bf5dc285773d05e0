import type { CancelTimer, Clock } from '../../kit/clock.ts';
import type { WorkerEvent } from '../../protocol/frames.ts';
import { LENGTH_BYTES } from '../wire/frame-codec.ts';
import { fitEvent } from './fit-event.ts';
import type { Spool } from './spool.ts';

/** The connection as the outbox sees it. */
export interface Wire {
  /** Sends the bytes; false when it has enough to send and will call {@link Outbox.drained}. */
  write(bytes: Uint8Array): boolean;
}

/** How much is kept where. Bytes. */
export interface OutboxLimits {
  /** Unacknowledged frames in memory; beyond that they go to the spool. */
  readonly memory: number;
  /** The spool; beyond that the run pauses at its next safe boundary. */
  readonly spool: number;
  /** What may come between that and the pause; beyond that the run is ended. */
  readonly reserve: number;
}

const OUTBOX_LIMITS: OutboxLimits = {
  memory: 4 * 1024 * 1024,
  spool: 256 * 1024 * 1024,
  reserve: 64 * 1024 * 1024,
};

/** Whether there is room for more; `over` when even the reserve is used up. */
export type Room = 'free' | 'full' | 'over';

/** Hears of every event before it goes anywhere. */
type Journal = (seq: number, event: WorkerEvent) => void;

interface Frame {
  readonly seq: number;
  /** Length, JSON, newline: without the last byte for the wire, without the first four for the spool. */
  readonly bytes: Buffer;
}

/** A disk that had no room is tried again after this. */
const RETRY_SPOOL_MS = 1000;

/** What each line of the spool begins with, before its number. */
const LINE_HEAD = Buffer.byteLength('{"type":"event","seq":');

/**
 * What the worker tells, numbered, until it is acknowledged (D4). In memory while the core keeps up; in the spool, whole and in order, while it is
 * away or behind: then a worker that is killed leaves all it has told. The spool holds the older part, memory the newer.
 */
export class Outbox {
  readonly #spool: Spool;
  readonly #limits: OutboxLimits;
  readonly #clock: Clock;
  readonly #onRoom: (room: Room) => void;
  readonly #journal: Journal | undefined;
  #memory: Frame[] = [];
  #memoryBytes = 0;
  #last = 0;
  #acked = 0;
  /** Last frame in the spool; meaningless while that is empty. */
  #spooled = 0;
  /** Last frame that went over the present connection, and where in the spool the next one is. */
  #sent = 0;
  #cursor = 0;
  #wire: Wire | null = null;
  #blocked = false;
  #pumping = false;
  #room: Room = 'free';
  #cancelRetry: CancelTimer | null = null;
  #waiting: { readonly seq: number; readonly resolve: () => void }[] = [];

  constructor(options: {
    spool: Spool;
    clock: Clock;
    onRoom: (room: Room) => void;
    limits?: OutboxLimits;
    journal?: Journal;
  }) {
    this.#spool = options.spool;
    this.#clock = options.clock;
    this.#onRoom = options.onRoom;
    this.#limits = options.limits ?? OUTBOX_LIMITS;
    this.#journal = options.journal;
  }

  /** Number of the last frame. */
  get last(): number {
    return this.#last;
  }

  /** Takes an event; it is sent now or later, and kept until it is acknowledged. */
  push(event: WorkerEvent): void {
    const seq = this.#last + 1;
    this.#last = seq;
    if (seq === 1) this.#spool.begin();
    this.#journal?.(seq, event);
    const bytes = encode(seq, event);
    this.#memory.push({ seq, bytes });
    this.#memoryBytes += bytes.length;
    if (this.#wire === null || this.#memoryBytes > this.#limits.memory) this.#spill();
    this.#pump();
  }

  /** The core has everything up to `seq`. */
  ack(seq: number): void {
    if (seq <= this.#acked) return;
    this.#acked = seq;
    const keep = this.#memory.findIndex((frame) => frame.seq > seq);
    const done = this.#memory.splice(0, keep < 0 ? this.#memory.length : keep);
    for (const { bytes } of done) this.#memoryBytes -= bytes.length;
    if (this.#spool.size > 0 && seq >= this.#spooled) {
      this.#spool.clear();
      this.#cursor = 0;
    }
    this.#tellRoom();
    this.#waiting = this.#waiting.filter((each) => {
      if (each.seq > seq) return true;
      each.resolve();
      return false;
    });
  }

  /** Resolves when everything told so far is acknowledged. */
  settled(): Promise<void> {
    if (this.#acked >= this.#last) return Promise.resolve();
    const seq = this.#last;
    return new Promise((resolve) => this.#waiting.push({ seq, resolve }));
  }

  /** A connection is there, and the core has everything up to `committed`: the rest follows in order. */
  connect(wire: Wire, committed: number): void {
    this.ack(committed);
    this.#wire = wire;
    this.#blocked = false;
    this.#sent = this.#acked;
    this.#cursor = 0;
    this.#pump();
  }

  /** The connection is gone: from now on everything goes to the spool at once. */
  disconnect(): void {
    this.#wire = null;
    this.#spill();
  }

  /** The connection takes more. */
  drained(): void {
    this.#blocked = false;
    this.#pump();
  }

  /** Puts everything that is not acknowledged into the spool; for the last moment of the process. */
  save(options: { readonly durable: boolean }): boolean {
    this.#spill();
    if (options.durable) this.#spool.sync();
    return this.#memory.length === 0;
  }

  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    while (this.#wire !== null && !this.#blocked && this.#sent < this.#last) {
      this.#blocked = !this.#wire.write(this.#nextBytes());
    }
    this.#pumping = false;
  }

  /** The frame after the last that was sent, as it goes over the wire. */
  #nextBytes(): Buffer {
    while (this.#cursor < this.#spool.size) {
      const line = this.#spool.lineAt(this.#cursor);
      this.#cursor += line.length;
      const seq = Number.parseInt(line.toString('latin1', LINE_HEAD, LINE_HEAD + 16), 10);
      if (seq <= this.#sent) continue;
      this.#sent = seq;
      const bytes = Buffer.allocUnsafe(LENGTH_BYTES + line.length - 1);
      bytes.writeUInt32BE(line.length - 1, 0);
      line.copy(bytes, LENGTH_BYTES, 0, line.length - 1);
      return bytes;
    }
    const frame = this.#memory[this.#sent + 1 - (this.#memory[0]?.seq ?? 0)];
    if (frame === undefined) throw new Error(`The frame after ${this.#sent} is lost`);
    this.#sent = frame.seq;
    return frame.bytes.subarray(0, frame.bytes.length - 1);
  }

  #spill(): void {
    let done = 0;
    try {
      for (const { seq, bytes } of this.#memory) {
        const allSent = this.#cursor === this.#spool.size;
        this.#spool.append(bytes.subarray(LENGTH_BYTES));
        this.#spooled = seq;
        this.#memoryBytes -= bytes.length;
        done += 1;
        if (allSent && seq <= this.#sent) this.#cursor = this.#spool.size;
      }
    } catch {
      // No room on the disk, or a folder that is gone: it stays in memory, and the run pauses.
      this.#retryLater();
    }
    this.#memory.splice(0, done);
    this.#tellRoom();
  }

  #retryLater(): void {
    this.#cancelRetry ??= this.#clock.after(RETRY_SPOOL_MS, () => {
      this.#cancelRetry = null;
      if (this.#wire === null || this.#memoryBytes > this.#limits.memory) this.#spill();
      else this.#tellRoom();
    });
  }

  #tellRoom(): void {
    const { memory, spool, reserve } = this.#limits;
    const used = this.#spool.size + this.#memoryBytes;
    const failing = this.#cancelRetry !== null;
    const free = this.#room === 'free' ? spool + memory : spool / 2;
    let room: Room = used > free || failing ? 'full' : 'free';
    if (used > spool + memory + reserve || (failing && this.#memoryBytes > reserve)) room = 'over';
    if (room === this.#room) return;
    this.#room = room;
    this.#onRoom(room);
  }
}

function encode(seq: number, event: WorkerEvent): Buffer {
  const json = `{"type":"event","seq":${seq},"event":${fitEvent(event)}}`;
  const length = Buffer.byteLength(json);
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + length + 1);
  bytes.writeUInt32BE(length, 0);
  bytes.write(json, LENGTH_BYTES, 'utf8');
  bytes[LENGTH_BYTES + length] = 0x0a;
  return bytes;
}
