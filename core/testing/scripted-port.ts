import { systemClock, type Clock } from '../kit/clock.ts';
import { systemRandom, type Random } from '../kit/random.ts';
import type { EntryMeta } from '../protocol/entry.ts';
import type { KeyHold } from '../protocol/frames.ts';
import type { WaitReason } from '../protocol/lifecycle.ts';
import type { InFlight, Progress, RunReport } from '../protocol/report.ts';
import type { SteerMode } from '../protocol/rows.ts';
import {
  StopSignal,
  type AskAnswer,
  type AskRequest,
  type CallResult,
  type Message,
  type OpenEntry,
  type RunnerPort,
  type SpendingLimits,
  type Steer,
  type StopReason,
  type Transcript,
} from '../runners/contract.ts';

/** An entry of the transcript as a runner wrote it. */
export interface WrittenEntry {
  meta: EntryMeta;
  text: string;
  ended: boolean;
}

/** A call of a runner to the core. */
export interface SeenCall {
  readonly callId: string;
  readonly tool: string;
  readonly args: unknown;
  readonly contextChars?: number;
}

export interface ScriptedPortOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** Answers permissions and questions; without it each is allowed, once. */
  readonly onAsk?: (request: AskRequest) => AskAnswer | Promise<AskAnswer>;
  /** Answers calls to the core; without it a call fails the test. */
  readonly onCall?: (call: SeenCall) => CallResult | Promise<CallResult>;
  /** Called after each entry is opened or closed: a test reacts to what a runner does. */
  readonly onEntry?: (entry: WrittenEntry, port: ScriptedPort) => void;
}

/** The core as a runner sees it, in memory: it keeps all that it is told, and a test plays people, other runs and the core. */
export class ScriptedPort implements RunnerPort {
  readonly clock: Clock;
  readonly random: Random;
  readonly entries: WrittenEntry[] = [];
  /** `running`, `waiting children`, … in order, repeats dropped. */
  readonly states: string[] = [];
  readonly progressLog: Progress[] = [];
  readonly activities: string[] = [];
  readonly asks: AskRequest[] = [];
  readonly calls: SeenCall[] = [];
  readonly answers: { readonly answer: string; readonly session: unknown; readonly report: RunReport | undefined }[] =
    [];
  /** Ids of steering texts and messages told as delivered, each time. */
  readonly delivered: string[] = [];
  /** Ids of steering texts told as handed over. */
  readonly handedOver: string[] = [];
  /** Whether the agent's program was told to have started. */
  isReady = false;
  /** What open requests were told to cost at worst. */
  readonly inFlight: InFlight[] = [];
  /** Openings (true) and ends of model requests. */
  readonly requests: boolean[] = [];
  /** Holds on keys that the run has found. */
  readonly keyHolds: KeyHold[] = [];
  /** How often {@link RunnerPort.alive} was called. */
  signsOfLife = 0;
  readonly #options: ScriptedPortOptions;
  readonly #stop = new AbortController();
  readonly #notices: string[] = [];
  readonly #steers: Steer[] = [];
  readonly #taken: Steer[] = [];
  readonly #messages: (Message | null)[] = [];
  #onMessage: (() => void) | null = null;
  #onLimits: (limits: SpendingLimits) => void = () => undefined;
  #onKeyHold: (hold: KeyHold) => void = () => undefined;
  #resumed: Promise<void> = Promise.resolve();
  #resume: () => void = () => undefined;
  #pausing = false;

  constructor(options: ScriptedPortOptions = {}) {
    this.#options = options;
    this.clock = options.clock ?? systemClock;
    this.random = options.random ?? systemRandom;
  }

  // What a test plays.

  steer(steer_id: string, text: string, mode: SteerMode = 'steer'): void {
    this.#steers.push({ steer_id, mode, text });
  }

  notice(text: string): void {
    this.#notices.push(text);
  }

  limit(limits: SpendingLimits): void {
    this.#onLimits(limits);
  }

  /** Another run on the key was told to wait. */
  holdKey(hold: KeyHold): void {
    this.#onKeyHold(hold);
  }

  /** Gives the next message; null tells the run to finish. */
  message(message: Message | null): void {
    this.#messages.push(message);
    this.#onMessage?.();
  }

  stopWith(why: StopReason): void {
    this.#stop.abort(new StopSignal(why));
  }

  pause(): void {
    this.#pausing = true;
    this.#resumed = new Promise((resolve) => (this.#resume = resolve));
  }

  resume(): void {
    this.#pausing = false;
    this.#resume();
  }

  // What a runner does.

  readonly transcript: Transcript = {
    open: (meta, text = '') => this.#open(meta, text),
    add: (meta, text) => this.#open(meta, text).end(),
  };

  state(state: 'running' | 'waiting', reason?: WaitReason): void {
    const words = reason === undefined ? state : `${state} ${reason}`;
    if (this.states.at(-1) !== words) this.states.push(words);
  }

  /** Counters between requests; what is told while one is open is in {@link inFlight}. */
  progress(progress: Progress): void {
    if (progress.in_flight == null) this.progressLog.push(progress);
    else this.inFlight.push(progress.in_flight);
  }

  onLimits(listener: (limits: SpendingLimits) => void): void {
    this.#onLimits = listener;
  }

  requestOpen(open: boolean): void {
    this.requests.push(open);
  }

  keyHeld(hold: KeyHold): void {
    this.keyHolds.push(hold);
  }

  onKeyHold(listener: (hold: KeyHold) => void): void {
    this.#onKeyHold = listener;
  }

  activity(text: string): void {
    this.activities.push(text);
  }

  alive(): void {
    this.signsOfLife += 1;
  }

  async ask(request: AskRequest): Promise<AskAnswer> {
    this.asks.push(request);
    return this.#options.onAsk?.(request) ?? { choice: 'allow', remember: false, note: null };
  }

  async call(callId: string, tool: string, args: unknown, contextChars?: number): Promise<CallResult> {
    if (this.calls.some((call) => call.callId === callId)) throw new Error(`the call ${callId} was made twice`);
    const call = { callId, tool, args, ...(contextChars === undefined ? {} : { contextChars }) };
    this.calls.push(call);
    if (!this.#options.onCall) throw new Error(`nobody answers the call of ${tool}`);
    return this.#options.onCall(call);
  }

  takeSteers(mode: SteerMode): Steer[] {
    const taken = this.#steers.filter((steer) => steer.mode === mode);
    for (const steer of taken) this.#steers.splice(this.#steers.indexOf(steer), 1);
    this.#taken.push(...taken);
    return taken;
  }

  steerDelivered(steerId: string): void {
    this.delivered.push(steerId);
  }

  steerHandedOver(steerId: string): void {
    this.handedOver.push(steerId);
  }

  undeliveredSteers(): { steer_id: string; text: string }[] {
    return [...this.#taken, ...this.#steers]
      .filter(({ steer_id }) => !this.delivered.includes(steer_id) && !this.handedOver.includes(steer_id))
      .map(({ steer_id, text }) => ({ steer_id, text }));
  }

  takeNotices(): string[] {
    return this.#notices.splice(0);
  }

  answered(answer: string, session: unknown, report?: RunReport): void {
    this.answers.push({ answer, session: structuredClone(session), report });
  }

  async nextMessage(): Promise<Message | null> {
    while (this.#messages.length === 0) {
      this.#stop.signal.throwIfAborted();
      await new Promise<void>((resolve) => (this.#onMessage = resolve));
    }
    return this.#messages.shift() ?? null;
  }

  get pausing(): boolean {
    return this.#pausing;
  }

  ready(): void {
    this.isReady = true;
  }

  whileNotPaused(): Promise<void> {
    return this.#resumed;
  }

  get stop(): AbortSignal {
    return this.#stop.signal;
  }

  activeSeconds(): number {
    return 0;
  }

  #open(meta: EntryMeta, text: string): OpenEntry {
    const entry: WrittenEntry = { meta, text, ended: false };
    const number = this.entries.push(entry) - 1;
    this.#options.onEntry?.(entry, this);
    const openOnly = (): void => {
      if (entry.ended) throw new Error(`entry ${number} is closed already`);
    };
    return {
      entry: number,
      append: (more) => {
        openOnly();
        entry.text += more;
      },
      setMeta: (changed) => {
        openOnly();
        entry.meta = changed;
        this.#options.onEntry?.(entry, this);
      },
      end: (final) => {
        openOnly();
        entry.meta = final?.meta ?? entry.meta;
        entry.text = final?.text ?? entry.text;
        entry.ended = true;
        this.#options.onEntry?.(entry, this);
      },
    };
  }
}
