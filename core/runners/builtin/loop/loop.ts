import { assertNever } from '../../../kit/assert-never.ts';
import type { Assignment } from '../../../protocol/frames.ts';
import type { Progress, RunReport } from '../../../protocol/report.ts';
import { redactor, secretsOf } from '../../../providers/secrets/redactor.ts';
import type { ToolCallEvent } from '../../../providers/stream/events.ts';
import { fence, neutralise } from '../../../workspace/fences/fence.ts';
import type { RunnerEnd, RunnerPort } from '../../contract.ts';
import { cutBy } from '../../cut-by.ts';
import { messageText } from '../../message-text.ts';
import { untilStopped } from '../../until-stopped.ts';
import type { BackgroundProcesses } from '../tools/background-processes.ts';
import type { Conversation } from './conversation.ts';
import type { FileLog } from './file-log.ts';
import type { Inbox } from './inbox.ts';
import type { ModelTalk } from './model-talk.ts';
import type { TurnOutcome } from './model-turn.ts';
import { nextMove, type Limit, type Move, type Standing, type TurnKind } from './moves.ts';
import { REPORT } from '../../../protocol/report-tool.ts';
import { toSession, type Session } from './session.ts';
import type { Spending } from './spending.ts';
import { refuseCalls, runCalls, type CallOutcome, type Workbench } from './tool-calls.ts';
import { windDownText } from './wind-down-text.ts';

/** Everything that a loop works with, made from an assignment by `open-loop.ts`. */
export interface LoopParts {
  readonly assignment: Assignment;
  readonly port: RunnerPort;
  readonly conversation: Conversation;
  readonly talk: ModelTalk;
  readonly spending: Spending;
  readonly inbox: Inbox;
  readonly bench: Workbench;
  readonly files: FileLog;
  readonly background: BackgroundProcesses;
  /** What an earlier attempt of this very run, or the lead that it continues, left: it had answered, and waits for its next message. */
  readonly restored: Session | null;
}

type ModelMessage = Extract<TurnOutcome, { type: 'message' }>;

/** The agent loop of one attempt. What it does next is decided by the table in `moves.ts`; this does it. */
export class Loop {
  readonly #parts: LoopParts;
  #phase: Standing['phase'] = 'asked';
  #turn: TurnKind = 'normal';
  #windDownFor: Limit | null = null;
  #turns = 0;
  /** Turns since the last message to the run: a lead's limit counts them by message (T1). */
  #turnsSinceMessage = 0;
  /** Requests of the run over all its attempts. */
  #requests: number;
  #answer = '';
  /** The last message ended at the model's output limit. */
  #cutByOutput = false;
  /** The last tool result was an error. */
  #toolFailed = false;
  #outputInvalid = false;
  #limit: Limit | null = null;
  #error: RunReport['error'] = null;
  #background: Promise<RunReport['background']> | null = null;
  readonly #openDelegations: Set<string>;

  constructor(parts: LoopParts) {
    this.#parts = parts;
    this.#requests = parts.restored?.requests ?? 0;
    this.#openDelegations = new Set(parts.restored?.open_delegations);
  }

  /** Runs to the end. Never rejects: what goes wrong is in the report. */
  async run(): Promise<RunnerEnd> {
    const { port } = this.#parts;
    const onStop = (): void => void this.#endBackground();
    port.stop.addEventListener('abort', onStop, { once: true });
    try {
      await this.#work();
    } catch (cause) {
      if (!port.stop.aborted) this.#error = { reason: 'internal', message: this.#clean(cause) };
    }
    port.stop.removeEventListener('abort', onStop);
    return { report: this.#report(await this.#endBackground()), session: this.#session() };
  }

  /** Ends what the run left running, once: at a stop at once, beside the tool that is being ended. */
  #endBackground(): Promise<RunReport['background']> {
    this.#background ??= this.#parts.background.stopAll();
    return this.#background;
  }

  async #work(): Promise<void> {
    if (this.#parts.restored !== null && !(await this.#awaitMessage())) return;
    for (;;) {
      this.#parts.port.stop.throwIfAborted();
      const move = nextMove(this.#standing());
      switch (move.type) {
        case 'request':
          if (!(await this.#takeTurn(move))) return;
          break;
        case 'await_message':
          if (this.#parts.assignment.lead) this.#tellAnswer();
          if (!(await this.#awaitMessage())) return;
          break;
        case 'end':
          this.#limit = move.limit ?? this.#limitInPassing();
          return;
        default:
          return assertNever(move);
      }
    }
  }

  #standing(): Standing {
    const { assignment, spending, inbox, bench } = this.#parts;
    return {
      phase: this.#phase,
      turn: this.#turn,
      lead: assignment.lead,
      usedUp: this.#usedUp(),
      ...spending.room,
      windDownFor: this.#windDownFor,
      output: this.#outputState(),
      repaired: (bench.output?.report.retries ?? 0) > 0,
      steered: inbox.hasNews(this.#phase === 'spoke'),
      delegationsOpen: this.#openDelegations.size > 0,
    };
  }

  #usedUp(): Standing['usedUp'] {
    if (this.#parts.bench.limit.isUsedUp) return 'max_tool_calls';
    return this.#turnsSinceMessage >= this.#parts.assignment.limits.max_turns ? 'max_turns' : null;
  }

  #outputState(): Standing['output'] {
    const { output } = this.#parts.bench;
    if (output === null) return 'none';
    if (output.isValid) return 'valid';
    return this.#outputInvalid ? 'invalid' : 'missing';
  }

  /** A limit that cut something short although the model came to an end by itself. */
  #limitInPassing(): Limit | null {
    const { limit, output } = this.#parts.bench;
    if (limit.hasRefused) return 'max_tool_calls';
    return this.#cutByOutput && output?.isValid !== true ? 'max_tokens' : null;
  }

  /** The limit that cut the turn which has come to its end. */
  #limitOfTurn(): Limit | null {
    return this.#windDownFor ?? this.#limitInPassing();
  }

  #tellAnswer(): void {
    const report = { ...this.#report([]), limit: this.#limitOfTurn() };
    this.#parts.port.answered(this.#answer, this.#session(), report);
  }

  /** One request with what follows from it; false when the run is over. */
  async #takeTurn({ kind, limit }: Extract<Move, { type: 'request' }>): Promise<boolean> {
    const { port, talk, inbox, conversation } = this.#parts;
    await untilStopped(port.stop, port.whileNotPaused());
    this.#turn = kind;
    this.#windDownFor = limit;
    this.#requests += 1;
    conversation.addUser(this.#input(kind, limit).map((text) => ({ type: 'text', text })));
    const outcome = await talk.ask({
      onOpen: (in_flight) => port.progress({ ...this.#progress(), in_flight }),
      onSent: () => inbox.sent(),
    });
    if (outcome.type === 'message') {
      await this.#takeMessage(outcome);
      return this.#error === null;
    }
    if (outcome.partial.trim() !== '') this.#answer = outcome.partial;
    if (outcome.type === 'over_limit') this.#limit = outcome.limit;
    if (outcome.type === 'failed') this.#error = { reason: outcome.failure.reason, message: outcome.failure.message };
    this.#tellProgress();
    return false;
  }

  /** What is said to the model before its next message, besides results and messages of their own; written into the transcript. */
  #input(kind: TurnKind, limit: Limit | null): string[] {
    const { port, bench, inbox } = this.#parts;
    const texts: string[] = [];
    const say = (origin: 'notice' | 'repair', shown: string, sent = shown): void => {
      port.transcript.add({ type: 'user', origin, steer_id: null }, shown);
      texts.push(sent);
    };
    const note = bench.limit.takeNote();
    if (note !== null && kind === 'normal') say('notice', note);
    for (const notice of port.takeNotices()) say('notice', notice, fence('message', notice));
    inbox.hasNews(false);
    for (const { steer_id, mode, text } of inbox.take()) {
      port.transcript.add({ type: 'user', origin: mode, steer_id }, text);
      texts.push(neutralise(text));
    }
    if (kind === 'repair' && bench.output !== null) {
      bench.output.repair();
      // An output that was sent by a call has its errors in the result of that call.
      if (!this.#outputInvalid) say('repair', bench.output.rejection);
    }
    if (limit !== null) say('notice', windDownText(limit, bench.output?.isValid === false));
    return texts;
  }

  async #takeMessage({ message, text, calls, reason }: ModelMessage): Promise<void> {
    const { conversation, talk } = this.#parts;
    conversation.addMessage(message);
    if (this.#turn !== 'wind_down') {
      this.#turns += 1;
      this.#turnsSinceMessage += 1;
    }
    this.#answer = text;
    this.#cutByOutput = reason === 'max_tokens';
    if (reason === 'content_filter') {
      this.#error = { reason, message: 'The provider’s content filter ended the answer.' };
    }
    this.#tellProgress();
    const outcomes = await this.#carryOut(calls);
    conversation.addResults(outcomes, talk.window);
    if (calls.length > 0) this.#tellProgress();
    this.#settle(calls, text);
  }

  /** What the message leaves to be done. */
  #settle(calls: readonly ToolCallEvent[], text: string): void {
    const { output } = this.#parts.bench;
    const reports = calls.filter(({ name }) => name === REPORT).length;
    const isOwed = output?.isValid === false;
    this.#outputInvalid = isOwed && reports > 0;
    // An accepted output needs no further word of the model; calls of a last turn have been refused.
    const leavesNothing = calls.length === 0 || (calls.length === reports && !isOwed);
    this.#phase = this.#turn !== 'normal' || leavesNothing ? 'spoke' : 'called';
    if (this.#phase === 'spoke' && isOwed && reports === 0) output.takeText(text);
  }

  /** Runs the calls of a message, or says why they are not run; every call gets its result. */
  async #carryOut(calls: readonly ToolCallEvent[]): Promise<CallOutcome[]> {
    const { bench } = this.#parts;
    if (this.#error !== null) return refuseCalls(calls, 'Not run: the message was cut by the provider.', bench);
    if (this.#turn !== 'normal') return refuseCalls(calls, 'Not run: this was the last turn, without tools.', bench);
    const outcomes = await runCalls(calls, this.#requests, bench);
    for (const { background } of outcomes) if (background !== null) this.#openDelegations.add(background);
    const last = outcomes.findLast(({ name }) => name !== REPORT);
    if (last) this.#toolFailed = last.isError;
    return outcomes;
  }

  /** Waits for the next message to the run; false when there is none and the run is to end. */
  async #awaitMessage(): Promise<boolean> {
    const { port, inbox, assignment, conversation } = this.#parts;
    const message = await untilStopped(port.stop, port.nextMessage());
    if (message === null) {
      this.#limit = this.#limitOfTurn();
      return false;
    }
    inbox.takeMessage(message);
    if (message.delegation_id !== null) this.#openDelegations.delete(message.delegation_id);
    const steerId = message.origin === 'message' ? message.message_id : null;
    port.transcript.add({ type: 'user', origin: message.origin, steer_id: steerId }, message.text);
    conversation.addUser([{ type: 'text', text: messageText(message) }]);
    this.#phase = 'asked';
    this.#toolFailed = false;
    if (assignment.lead) this.#turnsSinceMessage = 0;
    return true;
  }

  #progress(): Progress {
    const { spending, bench, port } = this.#parts;
    return {
      turns: this.#turns,
      tool_calls: bench.limit.count,
      tokens: spending.tokens,
      ...spending.cost,
      active_seconds: port.activeSeconds(),
    };
  }

  #tellProgress(): void {
    this.#parts.port.progress(this.#progress());
  }

  #session(): Session {
    return toSession({
      run_id: this.#parts.assignment.run_id,
      messages: this.#parts.conversation.messages,
      requests: this.#requests,
      open_delegations: [...this.#openDelegations],
    });
  }

  #report(background: RunReport['background']): RunReport {
    const { bench, files, inbox, port, talk } = this.#parts;
    const { output } = bench;
    return {
      ...(talk.fallback === null ? {} : { model: talk.fallback }),
      progress: this.#progress(),
      answer: this.#answer,
      ...(output?.isValid ? { output: output.value } : {}),
      schema: output?.report ?? null,
      error: this.#error,
      limit: this.#limit,
      ended_on_tool_error: this.#toolFailed && (this.#phase === 'called' || this.#answer.trim() === ''),
      exit: null,
      cut_by: cutBy(port),
      files_read: files.read,
      files_written: files.written,
      background,
      missed_steer: inbox.missed(),
    };
  }

  #clean(cause: unknown): string {
    const redact = redactor(this.#parts.assignment.models.flatMap(secretsOf));
    const text = redact(cause instanceof Error ? cause.message : String(cause)).trim();
    return text === '' ? 'An internal error without a message.' : text;
  }
}
