import type { Clock } from '../kit/clock.ts';
import type { Random } from '../kit/random.ts';
import type { EntryMeta, ToolDisplay } from '../protocol/entry.ts';
import type { Assignment, KeyHold } from '../protocol/frames.ts';
import type { WaitReason } from '../protocol/lifecycle.ts';
import type { Progress, RunReport } from '../protocol/report.ts';
import type { SteerMode } from '../protocol/rows.ts';

/** An open transcript entry. Text is only ever appended; `end` closes it. */
export interface OpenEntry {
  readonly entry: number;
  append(text: string): void;
  setMeta(meta: EntryMeta): void;
  /** Closes the entry. `meta` replaces the first one, `text` the whole text that was appended. Twice is a bug. */
  end(final?: { readonly meta?: EntryMeta; readonly text?: string }): void;
}

/** Writes the run's transcript; entries are numbered in the order in which they are opened. */
export interface Transcript {
  open(meta: EntryMeta, text?: string): OpenEntry;
  /** Opens and closes an entry at once. */
  add(meta: EntryMeta, text: string): void;
}

/** A steering message that the core has accepted; `runner contract`: report each as delivered or leave it to be missed. */
export interface Steer {
  readonly steer_id: string;
  readonly mode: SteerMode;
  readonly text: string;
}

/** The next turn of a run that waits: a person's message to a lead, or the completion of a background delegation. */
export interface Message {
  readonly message_id: string;
  readonly origin: 'message' | 'completion';
  readonly text: string;
  readonly delegation_id: string | null;
}

export interface AskRequest {
  readonly kind: 'permission' | 'question';
  readonly title: string;
  readonly tool: string | null;
  readonly detail: string;
  readonly diff: string | null;
}

export interface AskAnswer {
  readonly choice: 'allow' | 'deny' | 'text';
  readonly remember: boolean;
  readonly note: string | null;
}

export interface CallResult {
  readonly isError: boolean;
  readonly text: string;
  /** Delegation that goes on in the background, if the call began one. */
  readonly background: string | null;
  /** Delegations in the background whose results this answer holds: no message of theirs follows. */
  readonly closes?: readonly string[] | undefined;
  readonly display: ToolDisplay | null;
}

/** What an attempt may have spent in all; null is no limit (R5). */
export interface SpendingLimits {
  readonly max_tokens: number | null;
  readonly max_cost_usd: number | null;
}

/** Why a run is told to stop. */
export type StopReason = 'stop' | 'deadline' | 'stalled';

/** What a runner has at hand towards the core. Everything it tells is numbered, kept until committed, and sent again after a reconnect. */
export interface RunnerPort {
  readonly clock: Clock;
  readonly random: Random;
  readonly transcript: Transcript;
  /** Tells that the run is at work, or what it waits for; `until` is epoch milliseconds. Repeats are dropped. */
  state(state: 'running' | 'waiting', reason?: WaitReason, until?: number): void;
  /** Counters of the attempt. With a request in flight they are told at once, so that a death of the worker finds them told (R5). */
  progress(progress: Progress): void;
  /** Calls back when the limits of the assignment are others: a run that waited may go on with more or less (R5). */
  onLimits(listener: (limits: SpendingLimits) => void): void;
  /** A model request is open, or not any more: an open one counts as activity for long (R7). */
  requestOpen(open: boolean): void;
  /** A provider asked to wait: all runs on the key are held together (R8). */
  keyHeld(hold: KeyHold): void;
  /** Calls back with holds that other runs have found, also earlier ones. */
  onKeyHold(listener: (hold: KeyHold) => void): void;
  activity(text: string): void;
  /** Marks that something happened (a byte from model, agent or tool), for the stall monitor (R7). */
  alive(): void;
  /**
   * Asks a person through the core; the run reads as waiting meanwhile. Rejects with the stop reason when stopped, and when nobody waits for the answer
   * any more: it was withdrawn, or the turn in which it was asked is over.
   */
  ask(request: AskRequest, withdrawn?: AbortSignal): Promise<AskAnswer>;
  /** Calls the core (delegation and its controls). `callId` is unique in the run: the same id is never carried out twice (P7). `contextChars` still fit into the run's context (P5). */
  call(callId: string, tool: string, args: unknown, contextChars?: number): Promise<CallResult>;
  /** Takes all steering messages of the mode that have arrived, oldest first. */
  takeSteers(mode: SteerMode): Steer[];
  /** Says that the message is part of a request that was sent. */
  steerDelivered(steerId: string): void;
  /** Says that the message was given to the agent, and nothing proves yet that it was read (C2). */
  steerHandedOver(steerId: string): void;
  /** Steers that were taken or not, but never delivered: for the report. */
  undeliveredSteers(): { steer_id: string; text: string }[];
  /** News to mention at the next safe boundary (P3). */
  takeNotices(): string[];
  /** A lead has answered; the core stores answer and session, and the report that counts if nothing more comes of the run. */
  answered(answer: string, session: unknown, report?: RunReport): void;
  /** Resolves with the next message, or with null when the run is to finish. Rejects with the stop reason. */
  nextMessage(): Promise<Message | null>;
  /** The run is to pause at its next safe boundary; asks without saying that it has paused (R9). */
  readonly pausing: boolean;
  /** Resolves at once unless the run is paused; then when it is resumed (R9). */
  whileNotPaused(): Promise<void>;
  /** The agent's program has started: others of its kind may (R1). */
  ready(): void;
  /** Aborted when the run is told to stop; `signal.reason` is a {@link StopSignal}. */
  readonly stop: AbortSignal;
  /** Active seconds so far; frozen time does not count (R7). */
  activeSeconds(): number;
}

/** The reason of {@link RunnerPort.stop}. */
export class StopSignal extends Error {
  readonly why: StopReason;
  constructor(why: StopReason) {
    super(`The run was told to end: ${why}`);
    this.name = 'StopSignal';
    this.why = why;
  }
}

/** What a runner gives back when its run is over. */
export interface RunnerEnd {
  readonly report: RunReport;
  /** What a later attempt or a continued run needs to go on; opaque to the core. */
  readonly session: unknown;
}

/** Executes one attempt. Expected ends are in the report; a rejection is an internal error. */
export type Runner = (assignment: Assignment, port: RunnerPort) => Promise<RunnerEnd>;
