import type { Clock } from '../../kit/clock.ts';
import type { Random } from '../../kit/random.ts';
import type { Assignment, CoreFrame, KeyHold, WorkerEvent } from '../../protocol/frames.ts';
import type { WaitReason } from '../../protocol/lifecycle.ts';
import type { Progress, RunReport } from '../../protocol/report.ts';
import type { SteerMode } from '../../protocol/rows.ts';
import { NO_TOKENS } from '../../protocol/token-sums.ts';
import { StopSignal } from '../../runners/contract.ts';
import type {
  AskAnswer,
  AskRequest,
  CallResult,
  Message,
  RunnerPort,
  SpendingLimits,
  Steer,
  StopReason,
} from '../../runners/contract.ts';
import { ActivityMonitor } from './activity-monitor.ts';
import { EventBatch } from './event-batch.ts';
import { Messages } from './messages.ts';
import { NOT_ASKED, OpenAsks } from './open-asks.ts';
import { PauseGate } from './pause-gate.ts';
import { StandBook } from './stand.ts';
import { TranscriptWriter } from './transcript.ts';

type RunFrame = Extract<
  CoreFrame,
  {
    type:
      | 'steer'
      | 'message'
      | 'answer'
      | 'call_result'
      | 'notice'
      | 'limits'
      | 'hold'
      | 'pause'
      | 'resume'
      | 'finish'
      | 'stop';
  }
>;

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/** What a runner has used that has told of nothing so far. */
const NOTHING_YET: Progress = {
  turns: 0,
  tool_calls: 0,
  tokens: NO_TOKENS,
  cost_usd: 0,
  cost_status: 'estimated',
  active_seconds: 0,
};

/** The runner's side of the worker: turns what the runner does into events, and frames of the core into what the runner waits for. */
export class RunPort implements RunnerPort {
  readonly clock: Clock;
  readonly random: Random;
  readonly transcript: TranscriptWriter;
  readonly #attemptId: string;
  readonly #lead: boolean;
  readonly #batch: EventBatch;
  readonly #monitor: ActivityMonitor;
  readonly #messages: Messages;
  readonly #abort = new AbortController();
  readonly #asks = new OpenAsks((key) => this.#batch.tell({ type: 'ask_closed', key }));
  readonly #calls = new Map<string, Waiting<CallResult> & { readonly promise: Promise<CallResult> }>();
  readonly #notices: { readonly id: string | null; readonly text: string }[] = [];
  /** News that came, by id: after a cut it comes again. */
  readonly #heardNotices = new Set<string>();
  #next: Waiting<Message | null> | null = null;
  #finish = false;
  readonly #gate: PauseGate;
  readonly #stand: StandBook;
  #asked = 0;
  #progress: Progress | null = null;
  #limits: SpendingLimits | null = null;
  #onLimits: (limits: SpendingLimits) => void = () => undefined;
  readonly #keyHolds: KeyHold[] = [];
  #onKeyHold: (hold: KeyHold) => void = () => undefined;

  /** @param options.push takes every event, in order */
  constructor(options: {
    clock: Clock;
    random: Random;
    attemptId: string;
    assignment: Assignment;
    push: (event: WorkerEvent) => void;
  }) {
    const { clock, random, assignment } = options;
    this.clock = clock;
    this.random = random;
    this.#attemptId = options.attemptId;
    this.#lead = assignment.lead;
    this.#batch = new EventBatch(clock, options.push);
    this.transcript = new TranscriptWriter(this.#batch, clock, () => this.#monitor.touch());
    this.#messages = new Messages((steer_id, state) => this.#batch.tell({ type: 'steer', steer_id, state }));
    this.#monitor = new ActivityMonitor({
      clock,
      limits: assignment.limits,
      inTool: () => this.transcript.inTool,
      findings: {
        idle: (seconds) => this.#nudge(seconds),
        awake: () => this.#batch.tell({ type: 'idle', seconds: null }),
        over: (reason) => this.stopNow(reason),
      },
    });
    this.#stand = new StandBook({
      told: (stand) => this.#batch.tell({ type: 'state', ...stand }),
      stands: () => this.#tellTime(),
      measured: (active, waits) => this.#monitor.setActive(active, waits),
    });
    this.#gate = new PauseGate({
      waits: (reason) => this.#stand.cover({ state: 'waiting', reason, until: null }),
      goesOn: () => this.#uncover(),
    });
    this.#keyHolds.push(...(assignment.key_holds ?? []));
    for (const steer of assignment.steers) this.#messages.steer(steer);
  }

  get stop(): AbortSignal {
    return this.#abort.signal;
  }

  /** Counters as the runner told them last; null if it never did. */
  get lastProgress(): Progress | null {
    return this.#progress;
  }

  /** Ids of calls without a result, to be answered again after a cut (P7). */
  get openCalls(): string[] {
    return [...this.#calls.keys()];
  }

  get openAsks(): string[] {
    return this.#asks.keys;
  }

  state(state: 'running' | 'waiting', reason: WaitReason | null = null, until: number | null = null): void {
    this.#monitor.touch();
    this.#stand.set({ state, reason, until }, !this.#asks.isEmpty);
  }

  progress(progress: Progress): void {
    this.#monitor.touch();
    this.#progress = progress;
    this.#batch.progress(progress);
    if (progress.in_flight != null) this.#batch.flush();
  }

  onLimits(listener: (limits: SpendingLimits) => void): void {
    this.#onLimits = listener;
    if (this.#limits !== null) listener(this.#limits);
  }

  requestOpen(open: boolean): void {
    this.#monitor.setRequestOpen(open);
  }

  keyHeld({ key_id, until }: KeyHold): void {
    this.#batch.tell({ type: 'hold', key_id, until });
  }

  onKeyHold(listener: (hold: KeyHold) => void): void {
    this.#onKeyHold = listener;
    for (const hold of this.#keyHolds.splice(0)) listener(hold);
  }

  activity(text: string): void {
    this.#monitor.touch();
    this.#batch.activity(text);
  }

  alive(): void {
    this.#monitor.touch();
  }

  ask(request: AskRequest, withdrawn?: AbortSignal): Promise<AskAnswer> {
    if (this.stop.aborted) return Promise.reject(this.stop.reason as Error);
    if (withdrawn?.aborted === true) return Promise.reject(NOT_ASKED);
    this.#asked += 1;
    const key = `${this.#attemptId}:${this.#asked}`;
    // The ask itself makes the run read as waiting.
    this.#stand.cover({ state: 'waiting', reason: request.kind, until: null }, true);
    this.#batch.tell({ type: 'ask', key, ...request });
    withdrawn?.addEventListener('abort', () => this.#closeAsks([key]), { once: true });
    return this.#asks.add(key);
  }

  call(callId: string, tool: string, args: unknown, contextChars?: number): Promise<CallResult> {
    if (this.stop.aborted) return Promise.reject(this.stop.reason as Error);
    const open = this.#calls.get(callId);
    if (open !== undefined) return open.promise;
    const { promise, resolve, reject } = Promise.withResolvers<CallResult>();
    this.#calls.set(callId, { promise, resolve, reject });
    const context = contextChars === undefined ? {} : { context_chars: Math.max(0, Math.floor(contextChars)) };
    this.#batch.tell({ type: 'call', call_id: callId, tool, arguments: args ?? null, ...context });
    return promise;
  }

  takeSteers(mode: SteerMode): Steer[] {
    return this.#messages.takeSteers(mode);
  }

  steerDelivered(steerId: string): void {
    this.#messages.delivered(steerId);
  }

  steerHandedOver(steerId: string): void {
    this.#messages.handedOver(steerId);
  }

  undeliveredSteers(): { steer_id: string; text: string }[] {
    return this.#messages.undelivered();
  }

  takeNotices(): string[] {
    const taken = this.#notices.splice(0);
    for (const { id } of taken) if (id !== null) this.#batch.tell({ type: 'steer', steer_id: id, state: 'delivered' });
    return taken.map(({ text }) => text);
  }

  answered(answer: string, session: unknown, report?: RunReport): void {
    this.#turnOver();
    const more = report === undefined ? {} : { report };
    this.#batch.tell({ type: 'answered', answer, session: session ?? null, ...more });
  }

  nextMessage(): Promise<Message | null> {
    if (this.stop.aborted) return Promise.reject(this.stop.reason as Error);
    this.#turnOver();
    const message = this.#messages.next();
    if (message !== null || this.#finish) return Promise.resolve(message);
    this.state('waiting', this.#lead ? 'user' : 'children');
    return new Promise((resolve, reject) => {
      this.#next = { resolve, reject };
    });
  }

  get pausing(): boolean {
    return this.#gate.isClosed;
  }

  ready(): void {
    this.#batch.tell({ type: 'ready' });
    this.#batch.flush();
  }

  whileNotPaused(): Promise<void> {
    if (this.stop.aborted) return Promise.reject(this.stop.reason as Error);
    return this.#gate.pass();
  }

  activeSeconds(): number {
    return this.#monitor.activeSeconds();
  }

  /** Takes a frame of the core. */
  frame(frame: RunFrame): void {
    switch (frame.type) {
      case 'steer':
        return this.#messages.steer({ steer_id: frame.steer_id, mode: frame.mode, text: frame.text });
      case 'message':
        return this.#message(frame);
      case 'answer':
        return this.#answer(frame);
      case 'call_result':
        return this.#callResult(frame);
      case 'notice':
        return this.#notice(frame);
      case 'limits':
        return this.#takeLimits(frame);
      case 'hold':
        return this.#onKeyHold({ key_id: frame.key_id, until: frame.until });
      case 'pause':
        this.#gate.paused = true;
        return;
      case 'resume':
        this.#gate.paused = false;
        return;
      case 'finish':
        this.#finish = true;
        return this.#wake();
      case 'stop':
        return this.stopNow(frame.reason);
    }
  }

  /** Tells the run to end; the first reason counts. */
  stopNow(reason: StopReason): void {
    if (this.stop.aborted) return;
    const signal = new StopSignal(reason);
    this.#asks.close(this.#asks.keys, signal);
    this.#abort.abort(signal);
    const waiting = [...this.#calls.values(), this.#next];
    this.#calls.clear();
    this.#next = null;
    for (const each of waiting) each?.reject(signal);
    this.#gate.giveUp(signal);
  }

  /** Whether what is told can be stored; without room the run waits at its next safe boundary. */
  setRoom(room: boolean): void {
    this.#gate.noRoom = !room;
  }

  /** The run is over: nothing is measured any more, and what was gathered is told. */
  close(): void {
    this.#monitor.close();
    this.#batch.flush();
  }

  #notice({ notice_id, text }: Extract<CoreFrame, { type: 'notice' }>): void {
    const id = notice_id ?? null;
    if (id !== null && this.#heardNotices.has(id)) return;
    if (id !== null) this.#heardNotices.add(id);
    this.#notices.push({ id, text });
  }

  #message(frame: Extract<CoreFrame, { type: 'message' }>): void {
    const { message_id, origin, text, delegation_id } = frame;
    if (this.#messages.message({ message_id, origin, text, delegation_id }, this.#next !== null)) this.#wake();
  }

  #takeLimits({ max_cost_usd, max_tokens, note }: Extract<CoreFrame, { type: 'limits' }>): void {
    this.#limits = { max_cost_usd, max_tokens };
    if (note !== null) this.transcript.add({ type: 'notice', level: 'warning' }, note);
    this.#onLimits(this.#limits);
  }

  /** Gives the one that waits for a message what there is. */
  #wake(): void {
    if (this.#next === null) return;
    const message = this.#messages.next();
    if (message === null && !this.#finish) return;
    const { resolve } = this.#next;
    this.#next = null;
    this.state('running');
    resolve(message);
  }

  #answer(frame: Extract<CoreFrame, { type: 'answer' }>): void {
    const { key, choice, remember, note } = frame;
    if (!this.#asks.answer(key, { choice, remember, note })) return;
    this.#monitor.touch();
    this.#uncover();
  }

  /** Nobody waits for the answers any more (A2). */
  #closeAsks(keys: readonly string[]): void {
    if (this.#asks.close(keys)) this.#uncover();
  }

  /** What an agent asked in a turn ends with it, whatever became of the part of it that asked. */
  #turnOver(): void {
    this.#messages.turnOver();
    this.#closeAsks(this.#asks.keys);
  }

  #callResult(frame: Extract<CoreFrame, { type: 'call_result' }>): void {
    const call = this.#calls.get(frame.call_id);
    if (call === undefined) return;
    this.#calls.delete(frame.call_id);
    this.#monitor.touch();
    call.resolve({
      isError: frame.is_error,
      text: frame.text,
      background: frame.background,
      closes: frame.closes,
      display: frame.display,
    });
  }

  /** What lay over it is gone, unless an ask still does. */
  #uncover(): void {
    if (this.#asks.isEmpty) this.#stand.uncover();
  }

  #nudge(seconds: number): void {
    this.#batch.activity(`No activity for ${seconds} s`);
    this.#batch.tell({ type: 'idle', seconds });
    const text = `There was no activity for ${seconds} seconds. Go on with your task, or end it.`;
    this.#notices.push({ id: null, text });
  }

  /** Only we know how much of the time until now was active: the core's clock went on while we were frozen, or was set (R7, B42, B45). */
  #tellTime(): void {
    const active_seconds = this.activeSeconds();
    if (this.#progress !== null || active_seconds > 0) {
      this.#batch.progress({ ...(this.#progress ?? NOTHING_YET), active_seconds });
    }
  }
}
