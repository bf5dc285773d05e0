import type { EntryMeta } from '../../protocol/entry.ts';
import type { OpenEntry, RunnerPort } from '../contract.ts';
import { CallLog } from './call-log.ts';
import { Subagents } from './subagents.ts';
import { blockText, fieldsOf, listOf, textOf, type Fields } from './wire.ts';

type PlanSteps = Extract<EntryMeta, { type: 'plan' }>['steps'];

/** What the stream of an agent tells beside the transcript. */
export interface StreamListener {
  /** A message of the model begins: the first thing after a message to it, or after a tool. */
  message(): void;
  /** A tool call begins. */
  call(): void;
  usage(update: Fields): void;
  /** The session is in another of its modes. */
  mode(id: string): void;
}

/** Puts the updates of one session into the transcript, in order, and keeps what the outcome is made of (T3). */
export class SessionLog {
  readonly calls: CallLog;
  readonly #port: RunnerPort;
  readonly #listener: StreamListener;
  readonly #subagents: Subagents;
  #open: {
    readonly kind: 'text' | 'reasoning';
    readonly id: string;
    readonly entry: OpenEntry;
    readonly since: number;
  } | null = null;
  #plan: OpenEntry | null = null;
  #answer = '';
  #between = true;
  #lastCallFailed = false;
  #saidAfterCall = false;
  #calledInTurn = false;

  constructor(port: RunnerPort, workspace: string, listener: StreamListener) {
    this.#port = port;
    this.#listener = listener;
    this.calls = new CallLog(port, workspace);
    this.#subagents = new Subagents(port);
  }

  /** Text of the last message of the model. */
  get answer(): string {
    return this.#answer;
  }

  /** The last tool call failed, and nothing was said after it. */
  get endedOnToolError(): boolean {
    return this.#lastCallFailed && !this.#saidAfterCall;
  }

  /** The model spoke in this turn after one of its tools had answered. */
  get spokeAfterTools(): boolean {
    return this.#saidAfterCall && this.#calledInTurn;
  }

  /** Anything at all came in this turn. */
  get didAnything(): boolean {
    return this.#calledInTurn || this.#answer !== '';
  }

  /** A message to the agent is sent. */
  beginTurn(): void {
    this.#between = true;
    this.#answer = '';
    this.#lastCallFailed = false;
    this.#saidAfterCall = false;
    this.#calledInTurn = false;
  }

  /** The agent's turn is over: everything is closed. `partial`: it was cut. */
  endTurn(partial: boolean): void {
    this.#close(partial);
    this.calls.endTurn();
    this.#plan?.end();
    this.#plan = null;
    this.#subagents.endTurn();
  }

  /** An update of the run's own session. */
  take(update: Fields): void {
    this.#port.alive();
    if (this.#subagents.takeInside(update)) return;
    switch (update['sessionUpdate']) {
      case 'agent_message_chunk':
        return this.#chunk('text', update);
      case 'agent_thought_chunk':
        return this.#chunk('reasoning', update);
      case 'tool_call':
      case 'tool_call_update':
        return this.#call(update);
      case 'plan':
        return this.#planned(stepsOf(update));
      case 'plan_update':
        return this.#planned(stepsOf(fieldsOf(update['plan'] ?? update)));
      case 'usage_update':
        return this.#listener.usage(update);
      case 'current_mode_update':
        return this.#listener.mode(textOf(update['currentModeId']) ?? '');
      case 'notice':
        return this.#notice(update);
      case 'compaction_update':
        return this.#port.activity('Compacting its context');
      case 'subagent_update':
        return this.#subagents.update(update);
      default:
        // Lists of commands and options, titles of sessions, our own words: nothing that happened in the run.
        return;
    }
  }

  /** An update of another session than the run's own: an agent inside of the agent. */
  takeOther(sessionId: string, update: Fields): void {
    this.#port.alive();
    this.#subagents.take(sessionId, update);
  }

  #chunk(kind: 'text' | 'reasoning', update: Fields): void {
    const text = blockText(update['content']);
    if (text === '') return;
    const id = textOf(update['messageId']) ?? '';
    this.#begin();
    if (this.#open?.kind !== kind || this.#open.id !== id) this.#openEntry(kind, id);
    if (kind === 'text') {
      this.#answer += text;
      this.#saidAfterCall ||= text.trim() !== '';
    }
    this.#open?.entry.append(text);
  }

  #openEntry(kind: 'text' | 'reasoning', id: string): void {
    this.#close(false);
    if (kind === 'text') this.#answer = '';
    const meta: EntryMeta = kind === 'text' ? { type: 'text', partial: false } : { type: 'reasoning', seconds: null };
    const entry = this.#port.transcript.open(meta);
    this.#open = { kind, id, entry, since: this.#port.clock.monotonic() };
    this.#port.activity(kind === 'text' ? 'Answering' : 'Thinking');
  }

  #close(partial: boolean): void {
    if (this.#open === null) return;
    const { kind, entry, since } = this.#open;
    this.#open = null;
    const seconds = Math.round((this.#port.clock.monotonic() - since) / 100) / 10;
    entry.end({ meta: kind === 'text' ? { type: 'text', partial } : { type: 'reasoning', seconds } });
  }

  #call(update: Fields): void {
    this.#close(false);
    // A call that ends belongs to the message before; one that begins, to the one that follows what ended before it.
    const change = this.calls.take(update);
    if (change.began) {
      this.#begin();
      this.#calledInTurn = true;
      this.#listener.call();
    }
    if (change.ended === null) return;
    this.#lastCallFailed = change.ended === 'error';
    this.#saidAfterCall = false;
    this.#between = !this.calls.isBusy;
  }

  #begin(): void {
    if (!this.#between) return;
    this.#between = false;
    this.#listener.message();
  }

  #planned(steps: PlanSteps): void {
    if (steps.length === 0) return;
    if (this.#plan === null) this.#plan = this.#port.transcript.open({ type: 'plan', steps });
    else this.#plan.setMeta({ type: 'plan', steps });
  }

  #notice(update: Fields): void {
    const text = textOf(update['message']) ?? blockText(update['content']);
    if (text === '') return;
    const severity = update['severity'];
    const level = severity === 'error' || severity === 'warning' ? severity : 'info';
    this.#port.transcript.add({ type: 'notice', level }, text);
  }
}

function stepsOf(plan: Fields): PlanSteps {
  return listOf(plan['entries']).map(({ content, status }) => ({
    text: textOf(content) ?? blockText(content),
    status: status === 'completed' || status === 'in_progress' ? status : 'pending',
  }));
}
