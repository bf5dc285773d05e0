import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { CoreFrame, WorkerEvent } from '../../core/protocol/frames.ts';
import { NOTHING_ELSE } from '../../core/protocol/bare-report.ts';
import { NO_TOKENS } from '../../core/protocol/token-sums.ts';
import { PROTOCOL_VERSION } from '../../core/protocol/version.ts';
import { encodeFrame, FrameReader } from '../../core/workers/wire/frame-codec.ts';
import type { HandedOver } from './stand-in-messages.ts';

const CALLS = { open_calls: [], open_asks: [] };

/** One attempt as the core sees it: real frames on a real socket, from this process. */
export class StandIn {
  runId = '';
  /** Everything that was told, by entry. */
  readonly texts: string[] = [];
  readonly #process: Socket;
  readonly #socket: Socket;
  readonly #welcomed = Promise.withResolvers<void>();
  #seq = 0;
  #acked = 0;
  #open = false;

  /** @param process the line to the process that the core started for it */
  constructor(process: Socket, { input, pid }: HandedOver) {
    this.#process = process;
    const reader = new FrameReader();
    this.#socket = connect(readFileSync(input.address_file, 'utf8'));
    this.#socket.on('error', () => undefined);
    this.#socket.on('data', (chunk: Buffer) => {
      reader.push(chunk);
      for (let frame = reader.next(); frame !== null; frame = reader.next()) {
        if (typeof frame === 'string') throw new Error(`the core sent ${frame}`);
        this.#hear(JSON.parse(frame.text) as CoreFrame);
      }
    });
    const { attempt_id, token, bundle } = input;
    this.#say({ type: 'hello', protocol: PROTOCOL_VERSION, attempt_id, token, pid, bundle, ...CALLS });
  }

  /** Resolves when it has its task. */
  get ready(): Promise<void> {
    return this.#welcomed.promise;
  }

  /** Everything that was told is acknowledged. */
  get isAcknowledged(): boolean {
    return this.#acked === this.#seq;
  }

  /** Tells that it is at work. */
  begin(): void {
    this.tell({ type: 'state', state: 'running', reason: null, until: null });
    this.#add({ type: 'user', origin: 'goal', steer_id: null }, 'Write and write.');
  }

  /** Appends text to the open answer; begins one if there is none. */
  write(text: string): void {
    if (!this.#open) this.#add({ type: 'text', partial: false }, '');
    this.#open = true;
    const entry = this.texts.length - 1;
    const offset = this.texts[entry]?.length ?? 0;
    this.texts[entry] += text;
    this.tell({ type: 'delta', entry, offset, text });
  }

  /** Ends the open answer. */
  endAnswer(): void {
    if (this.#open) this.tell({ type: 'entry_end', entry: this.texts.length - 1, meta: null, text: null });
    this.#open = false;
  }

  tell(event: WorkerEvent): void {
    this.#seq += 1;
    this.#say({ type: 'event', seq: this.#seq, event });
  }

  /** Ends the run as one that went well. */
  finish(): void {
    this.endAnswer();
    this.tell({ type: 'ended', last_seq: this.#seq + 1, report: REPORT, session: null });
  }

  #add(meta: Extract<WorkerEvent, { type: 'entry' }>['meta'], text: string): void {
    this.tell({ type: 'entry', entry: this.texts.length, at: Date.now(), meta, text });
    this.texts.push(text);
    if (meta.type === 'user') this.tell({ type: 'entry_end', entry: this.texts.length - 1, meta: null, text: null });
  }

  #hear(frame: CoreFrame): void {
    if (frame.type === 'welcome') {
      this.runId = frame.assignment?.run_id ?? this.runId;
      this.#welcomed.resolve();
    } else if (frame.type === 'ack') this.#acked = frame.seq;
    else if (frame.type === 'ping') this.#say({ type: 'pong', at: frame.at });
    else if (frame.type === 'end' || frame.type === 'stop' || frame.type === 'refused') this.leave();
  }

  /** Ends the process that stands for it. */
  leave(): void {
    this.#socket.destroy();
    this.#process.destroy();
  }

  #say(frame: object): void {
    this.#socket.write(encodeFrame(frame));
  }
}

const REPORT: Extract<WorkerEvent, { type: 'ended' }>['report'] = {
  progress: {
    turns: 1,
    tool_calls: 0,
    tokens: NO_TOKENS,
    cost_usd: null,
    cost_status: 'unknown',
    active_seconds: 1,
  },
  answer: 'done',
  ...NOTHING_ELSE,
};
