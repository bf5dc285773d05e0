import type { Tokens } from '../protocol/usage.ts';

/**
 * Condition on the request that a step answers; all members given must hold.
 * Regular expressions match anywhere, case-sensitively; `.` matches line ends too.
 */
export interface ConditionInput {
  /** A user message came after the last assistant message of a conversation that is already going: steering. */
  steered?: boolean;
  /** Matches the text of the last tool result. */
  last_tool_result?: string;
  /** Matches the whole request (the JSON of its body). */
  request?: string;
}

interface Conditional {
  /** The step is left out unless this holds. */
  when?: ConditionInput;
  /** The step is left out if this holds. */
  unless?: ConditionInput;
}

/** How text is cut into deltas. Without a delay everything leaves in one write. */
export interface PaceInput {
  /** Characters (code points) per delta. */
  chunk_size?: number;
  /** Milliseconds between two deltas. */
  chunk_delay_ms?: number;
}

interface OnlyFirst {
  /** Happens the first n times that this turn is asked for, then never again (a retry then succeeds). */
  times?: number;
}

/** An error as a provider words it; what is left out follows from the dialect and the HTTP status. */
export interface ErrorInput {
  type?: string;
  code?: string;
  message?: string;
}

export interface ToolCallInput {
  name: string;
  /** Arguments as data; strings in it are templates. */
  arguments?: Record<string, unknown>;
  /** Arguments as text exactly as streamed: cut JSON, no JSON. */
  raw_arguments?: string;
  /** Default: random. */
  id?: string;
}

export type RawChunkInput =
  { text: string; delay_ms?: number } | { base64: string; delay_ms?: number } | { hex: string; delay_ms?: number };

/** One step of a turn: exactly one of these keys names it. */
export type StepInput = Conditional &
  (
    | ({ text: string } & PaceInput)
    | ({ reasoning: string } & PaceInput)
    | ({ tool_call: ToolCallInput } & PaceInput)
    | { usage: Partial<Tokens> }
    | { stop: 'end' | 'tool' | 'max_tokens' | 'content_filter' }
    | { delay_ms: number }
    | { wait_for: string }
    | { expect: string }
    | ({
        fault: ErrorInput & {
          status: number;
          headers?: Record<string, string>;
          body?: string | Record<string, unknown>;
        };
      } & OnlyFirst)
    | ({ stream_error: ErrorInput & { status?: number } } & OnlyFirst)
    | ({ reset: true } & OnlyFirst)
    | ({ end_without_stop: true } & OnlyFirst)
    | ({ silence: true } & OnlyFirst)
    | { raw: string | RawChunkInput[] }
  );

/** A turn is a text, one step, or its steps in order. */
export type TurnInput = string | StepInput | StepInput[];

/** How the encoded bytes go over the wire; for tests of parsers. */
export interface WireInput {
  /** Line end of the event stream. */
  newline?: 'lf' | 'crlf' | 'cr';
  /** Cuts the bytes into writes of this size, also in the middle of a character. */
  split_bytes?: number;
  /** Puts a comment line before each event. */
  comments?: boolean;
}

export interface MatchInput {
  /** Matches the system text. */
  system?: string;
  /** Matches the first user text (all user messages before the first assistant message). */
  user?: string;
  /** Matches system, user, assistant and tool texts together. */
  any?: string;
  /** Matches the model's name. */
  model?: string;
}

export interface ConversationInput extends PaceInput {
  /** For messages and the request log; default `conversation <n>`. */
  name?: string;
  /** Without it every request matches. */
  match?: MatchInput;
  /** What the turn is counted by: assistant messages in the request (default), or requests received. */
  by?: 'assistant_messages' | 'requests';
  /** Whether requests are counted together or for each first user text by itself (default). */
  per?: 'first_user' | 'conversation';
  turns: TurnInput[];
  /** The last turn answers every later request. */
  repeat_last?: boolean;
  /** Answers every request after the last turn. */
  otherwise?: TurnInput;
  wire?: WireInput;
}

/** A script as written: the first conversation that matches a request answers it. */
export interface Script extends PaceInput {
  /** For people; ignored. */
  description?: string;
  /** Names that the server lists; default `scripted-model`. */
  models?: string[];
  conversations: ConversationInput[];
}
