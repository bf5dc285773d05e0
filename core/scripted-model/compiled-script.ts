import type { Tokens } from '../protocol/usage.ts';
import type { ErrorInput, StepInput, ToolCallInput } from './script-input.ts';

export interface Condition {
  readonly steered: boolean | undefined;
  readonly lastToolResult: RegExp | undefined;
  readonly request: RegExp | undefined;
}

export interface Pace {
  readonly chunkSize: number;
  readonly chunkDelayMs: number;
}

export interface RawChunk {
  readonly bytes: Buffer;
  readonly delayMs: number;
}

/** What a step does, tagged. */
export type Action =
  | { readonly type: 'text'; readonly text: string; readonly pace: Partial<Pace> }
  | { readonly type: 'reasoning'; readonly text: string; readonly pace: Partial<Pace> }
  | { readonly type: 'tool_call'; readonly call: ToolCallInput; readonly pace: Partial<Pace> }
  | { readonly type: 'usage'; readonly usage: Partial<Tokens> }
  | { readonly type: 'stop'; readonly stop: StopReason }
  | { readonly type: 'delay'; readonly ms: number }
  | { readonly type: 'wait_for'; readonly gate: string }
  | { readonly type: 'expect'; readonly pattern: RegExp }
  | { readonly type: 'fault'; readonly fault: FaultReply; readonly times: number }
  | { readonly type: 'stream_error'; readonly error: ErrorInput & { status?: number }; readonly times: number }
  | { readonly type: 'reset'; readonly times: number }
  | { readonly type: 'end_without_stop'; readonly times: number }
  | { readonly type: 'silence'; readonly times: number }
  | { readonly type: 'raw'; readonly chunks: readonly RawChunk[] };

export type ActionType = Action['type'];
export type StopReason = Extract<StepInput, { stop: unknown }>['stop'];
export type FaultReply = Extract<StepInput, { fault: unknown }>['fault'];

export interface Step {
  readonly action: Action;
  readonly when: Condition | undefined;
  readonly unless: Condition | undefined;
}

export interface Wire {
  readonly newline: '\n' | '\r\n' | '\r';
  readonly splitBytes: number | undefined;
  readonly comments: boolean;
}

export interface Conversation {
  readonly name: string;
  readonly match: { readonly [K in 'system' | 'user' | 'any' | 'model']?: RegExp | undefined };
  readonly by: 'assistant_messages' | 'requests';
  readonly per: 'first_user' | 'conversation';
  readonly turns: readonly (readonly Step[])[];
  /** The steps for every turn after the last one; undefined: such a request is refused. */
  readonly beyond: readonly Step[] | undefined;
  readonly pace: Pace;
  readonly wire: Wire;
}

/** A script that was checked, ready to be played. */
export interface CompiledScript {
  readonly models: readonly string[];
  readonly conversations: readonly Conversation[];
}
