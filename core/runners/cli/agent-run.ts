import { programGraceMs } from '../stop-grace.ts';
import { delay } from '../../kit/clock.ts';
import type { Bridge } from '../../mcp/bridge/open-bridge.ts';
import type { Assignment } from '../../protocol/frames.ts';
import type { AgentProfile } from '../../protocol/profiles/profile.ts';
import type { ProcessName, RunReport } from '../../protocol/report.ts';
import { fence, neutralise } from '../../workspace/fences/fence.ts';
import type { RunnerPort } from '../contract.ts';
import { failureInAnswer, oneLine } from '../agent-failure.ts';
import { plainText } from '../../kit/terminal-text.ts';
import { classify } from './classify.ts';
import { untilStopped } from '../until-stopped.ts';
import type { Adapter } from './adapter.ts';
import type { AgentEvent, AgentFailure, TurnEnd } from './agent-event.ts';
import type { Meter } from './meter.ts';
import type { Permissions } from './permissions.ts';
import { AgentProgram } from './program.ts';
import type { Steering } from './steering.ts';
import type { TranscriptWriter } from './transcript-writer.ts';

export interface AgentRunParts {
  readonly assignment: Assignment;
  readonly port: RunnerPort;
  readonly profile: AgentProfile;
  readonly adapter: Adapter;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly bridge: Bridge | null;
  readonly writer: TranscriptWriter;
  readonly meter: Meter;
  readonly steering: Steering;
  readonly permissions: Permissions;
}

/** Failures that no repetition mends (R8): an agent that tries again all the same is ended. */
const FINAL = new Set<AgentFailure['reason']>(['auth', 'billing', 'bad_request', 'model_not_found']);
/** A program that died before it said anything is started again after these pauses (R8). */
const RESTART_AFTER_MS = [250, 750, 1500] as const;
const STEER_POLL_MS = 100;
/** A program that has said nothing by then is taken to be up: what others share with it it has made by then (R1). */
const READY_MS = 5000;
/** A steering text that is not taken up by then, after its turn has ended, is not going to be. */
const LATE_STEER_MS = 3000;

/** Why we ended a turn: a limit, or a failure that the agent would go on with. */
type Interruption = NonNullable<RunReport['limit']> | AgentFailure;

/** How a turn ended; `reached`: the limit of ours for which we have ended it. */
type JudgedEnd = TurnEnd & { readonly reached?: NonNullable<RunReport['limit']> };

/** One agent over the turns of one attempt: starts its program, gives it prompts and steers, and takes in what it does. */
export class AgentRun {
  readonly #parts: AgentRunParts;
  #program: AgentProgram | null = null;
  #session: string | null;
  #turn: PromiseWithResolvers<TurnEnd> | null = null;
  /** A turn that the agent began by itself and ended before anybody waited for it. */
  #early: TurnEnd | null = null;
  #lastSeen: AgentFailure | null = null;
  #interruptedFor: Interruption | null = null;
  readonly #background: ProcessName[] = [];
  /** It went on after it was told to end its turn, or can say nothing any more. */
  #unruly = false;
  #notices = 0;
  #noise = '';
  #isReady = false;
  #stopReadyTimer = (): void => undefined;

  constructor(parts: AgentRunParts, session: string | null) {
    this.#parts = parts;
    this.#session = session;
  }

  /** The agent's own id of its session; null while it has told none. */
  get session(): string | null {
    return this.#session;
  }

  /** What was last seen of a request that the agent goes on trying. */
  get lastSeen(): AgentFailure | null {
    const words = oneLine(plainText(this.#noise));
    return this.#lastSeen ?? (words === '' ? null : classify(words, null, 'stalled'));
  }

  get background(): readonly ProcessName[] {
    return this.#background;
  }

  /** One turn, from prompt to end. Rejects when the run is stopped. */
  async turn(prompt: string): Promise<JudgedEnd> {
    const { port, steering, writer } = this.#parts;
    port.stop.throwIfAborted();
    // One that did not end its turn when it was told to is at it still: a lead goes on with the session in another.
    if (this.#unruly) await this.#leave();
    this.#unruly = false;
    this.#interruptedFor = null;
    this.#turn = Promise.withResolvers<TurnEnd>();
    this.#early = null;
    if (this.#program === null) this.#start(prompt);
    else this.#program.agent.prompt(prompt);
    const stopPumping = port.clock.every(STEER_POLL_MS, () => this.#pump());
    try {
      let end = await untilStopped(port.stop, this.#turn.promise);
      while (steering.isOpen && end.failure === null && this.#program !== null) {
        const more = await untilStopped(port.stop, this.#lateTurn());
        if (more === null) break;
        end = more;
      }
      return this.#judge(end);
    } finally {
      stopPumping();
      this.#turn = null;
      writer.close(port.stop.aborted);
      if (this.#program?.servesOnePrompt === true) await this.#leave();
    }
  }

  /** Ends the program by itself, or by its tree when the run is stopped. */
  async close(): Promise<void> {
    const { port } = this.#parts;
    this.#stopReadyTimer();
    if (!port.stop.aborted) return this.#leave();
    const program = this.#program;
    if (program === null) return;
    this.#turn = Promise.withResolvers<TurnEnd>();
    const ended = this.#turn.promise;
    await program.stop(async () => {
      if (program.agent.interrupt === null) return;
      program.agent.interrupt();
      await Promise.race([ended, program.over]);
    });
    this.#parts.writer.close(true);
  }

  async #leave(): Promise<void> {
    const program = this.#program;
    if (program === null) return;
    this.#program = null;
    this.#background.push(...(await program.leave(!this.#unruly)).map(({ pid, command }) => ({ pid, command })));
    this.#parts.meter.programEnded();
  }

  /** @param deaths so often it died before it said anything, one time after the other */
  #start(prompt: string, deaths = 0): void {
    const { assignment, port, adapter, bridge, command, args, environment } = this.#parts;
    const program = new AgentProgram({
      adapter,
      context: {
        assignment,
        server: bridge?.server ?? null,
        session: this.#session,
        prompt,
        emit: (event) => this.#take(event),
      },
      command,
      args,
      environment,
      clock: port.clock,
      graceMs: programGraceMs(assignment.limits.stop_grace_seconds),
      // Not a sign of life: some agents only tell there that they go on trying.
      onNoise: (text) => (this.#noise = text),
    });
    this.#program = program;
    void program.over.then((failure) => {
      if (this.#program !== program || this.#startsAgain(program, failure, prompt, deaths)) return;
      this.#unruly = true;
      this.#endTurn({ type: 'turn_end', failure, interrupted: false });
    });
    if (!program.servesOnePrompt) program.agent.prompt(prompt);
    this.#stopReadyTimer = port.clock.after(READY_MS, () => this.#tellReady());
  }

  /** One that died before anything happened is started again after a while, three times (R8). */
  #startsAgain(program: AgentProgram, { reason }: AgentFailure, prompt: string, deaths: number): boolean {
    const { port, meter } = this.#parts;
    const wait = RESTART_AFTER_MS[deaths];
    if (wait === undefined || !program.diedSilent || reason !== 'process' || port.stop.aborted) return false;
    this.#stopReadyTimer();
    this.#program = null;
    const again = (): void => {
      if (this.#turn !== null && this.#program === null && !port.stop.aborted) this.#start(prompt, deaths + 1);
    };
    meter.programEnded();
    // Whatever it left is ended first: it carries the marks of this run, as the next one will.
    void program.leave(false).finally(() => port.clock.after(wait, again));
    return true;
  }

  /** It is up: the next one may start that shares its files (R1). */
  #tellReady(): void {
    this.#stopReadyTimer();
    if (!this.#isReady) this.#parts.port.ready();
    this.#isReady = true;
  }

  /** A text that came late began a turn of its own: its end, or null when none begins. */
  async #lateTurn(): Promise<TurnEnd | null> {
    const { steering, port } = this.#parts;
    const early = this.#early;
    this.#early = null;
    if (early !== null) return early;
    this.#turn = Promise.withResolvers<TurnEnd>();
    const { promise } = this.#turn;
    const late = delay(port.clock, LATE_STEER_MS).then(() => null);
    const first = await Promise.race([promise, late]);
    if (first !== null) return first;
    return steering.isOpen ? null : promise;
  }

  #judge(end: TurnEnd): JudgedEnd {
    const why = this.#interruptedFor;
    if (typeof why === 'string') return { ...end, failure: null, reached: why };
    if (why !== null) return { ...end, failure: why };
    if (end.failure !== null) return end;
    const told = failureInAnswer(end.answer ?? this.#parts.writer.answer, true);
    return told === null ? end : { ...end, failure: told };
  }

  /** Hands over what people said meanwhile; news of children too (P3). */
  #pump(): void {
    const { port, steering } = this.#parts;
    const steer = this.#program?.agent.steer;
    if (steer == null) return;
    for (const { steer_id, mode, text } of steering.forTurn()) {
      port.transcript.add({ type: 'user', origin: mode, steer_id }, text);
      steer(steer_id, neutralise(text));
    }
    for (const notice of port.takeNotices()) {
      port.transcript.add({ type: 'user', origin: 'notice', steer_id: null }, notice);
      steer(`notice:${(this.#notices += 1)}`, fence('message', notice));
    }
  }

  #endTurn(end: TurnEnd): void {
    if (this.#turn === null) this.#early = end;
    else this.#turn.resolve(end);
  }

  #take(event: AgentEvent): void {
    this.#tellReady();
    const { port, writer, steering } = this.#parts;
    if (event.type !== 'retry') port.alive();
    switch (event.type) {
      case 'session':
        if (event.id !== '') this.#session = event.id;
        return;
      case 'text':
      case 'reasoning':
        this.#seen();
        return writer.text(event);
      case 'message_end':
        return this.#messageEnded();
      case 'tool':
        this.#seen();
        return this.#tool(event);
      case 'tool_output':
        return writer.toolOutput(event);
      case 'tool_end':
        return writer.toolEnd(event);
      case 'usage':
        return this.#usage(event);
      case 'steered':
        return steering.delivered(event.steer_id);
      case 'steer_refused':
        return steering.refused(event.steer_id);
      case 'ask':
        return void this.#ask(event);
      case 'subagent':
        return writer.subagent(event);
      case 'notice':
        return writer.notice(event);
      case 'retry':
        return this.#retry(event);
      case 'request':
        return port.requestOpen(event.open);
      case 'turn_end':
        writer.endMessage();
        return this.#endTurn(event);
    }
  }

  /** The model speaks: its request was sent, and what was wrong before is over. */
  #seen(): void {
    this.#lastSeen = null;
    this.#parts.steering.turnLives();
  }

  #messageEnded(): void {
    const { writer, meter } = this.#parts;
    writer.endMessage();
    meter.turns += 1;
    meter.turnsSinceMessage += 1;
    this.#tellProgress();
  }

  #tool(event: Extract<AgentEvent, { type: 'tool' }>): void {
    if (this.#parts.writer.tool(event)) this.#parts.meter.toolCalls += 1;
    this.#tellProgress();
  }

  #usage({ as, tokens, cost_usd }: Extract<AgentEvent, { type: 'usage' }>): void {
    const { meter } = this.#parts;
    if (as === 'add') meter.add(tokens, cost_usd);
    else meter.total(tokens, cost_usd);
    this.#tellProgress();
  }

  #tellProgress(): void {
    const { meter, port } = this.#parts;
    port.progress(meter.progress(port.activeSeconds()));
    const limit = meter.reached;
    if (limit !== null) this.#interrupt(limit);
  }

  #retry({ text, failure }: Extract<AgentEvent, { type: 'retry' }>): void {
    this.#lastSeen = failure;
    this.#parts.port.requestOpen(false);
    this.#parts.writer.notice({ level: 'warning', text });
    if (FINAL.has(failure.reason)) this.#interrupt(failure);
  }

  /** Ends the turn for a reason of ours; without a protocol for that, the program. */
  #interrupt(why: Interruption): void {
    if (this.#interruptedFor !== null || this.#turn === null) return;
    this.#interruptedFor = why;
    const program = this.#program;
    if (program === null) return;
    const giveUp = (): void => {
      if (this.#interruptedFor !== why || this.#turn === null) return;
      this.#unruly = true;
      this.#endTurn({ type: 'turn_end', failure: null, interrupted: true });
    };
    program.agent.interrupt?.();
    // What it fails with is known; what it says of the interrupt is not waited for.
    if (program.agent.interrupt === null || typeof why === 'object') return giveUp();
    // One that does not obey is left behind; its program is ended with the run.
    this.#parts.port.clock.after(LATE_STEER_MS, giveUp);
  }

  async #ask(event: Extract<AgentEvent, { type: 'ask' }>): Promise<void> {
    const { permissions, writer, port } = this.#parts;
    try {
      writer.toolWaits(event.title, true);
      const { choice, note } = await untilStopped(port.stop, permissions.decide(event));
      event.answer({ choice, note });
    } catch {
      // The run is stopped, and the agent is told by its interrupt; or it waits for no answer any more.
      if (!event.withdrawn.aborted) event.answer({ choice: 'deny', note: 'Nobody can be asked any more.' });
    } finally {
      writer.toolWaits(event.title, false);
    }
  }
}
