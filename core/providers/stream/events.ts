import type { Tokens } from '../../protocol/usage.ts';
import type { ModelFailure } from '../failures/failure.ts';
import type { AssistantMessage } from '../messages/message.ts';

/** Why a model ended its message by itself. */
export type FinishReason = 'end' | 'tool_calls' | 'max_tokens' | 'content_filter' | 'other';

/** A tool call of a finished message. */
export interface ToolCallEvent {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  /** The model's text, untouched: it may be empty, cut, or no JSON at all. */
  readonly raw_arguments: string;
  /** False when the message ended inside the call: never execute it (B09). */
  readonly complete: boolean;
}

/**
 * What happens in one model request, in no dialect. The last event is exactly one of `finish`, `failure`, `aborted`.
 * `tool_call` events come only directly before `finish`: a broken stream yields none, so nothing half-said is executed.
 */
export type ModelEvent =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'reasoning_delta'; readonly text: string }
  | { readonly type: 'tool_call_start'; readonly id: string; readonly name: string }
  | { readonly type: 'tool_call_delta'; readonly id: string; readonly text: string }
  | ToolCallEvent
  /** All tokens of this request so far; the last one counts. */
  | { readonly type: 'usage'; readonly tokens: Tokens }
  /** `message` is ready to be appended to the conversation. */
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly message: AssistantMessage }
  | { readonly type: 'failure'; readonly failure: ModelFailure }
  /** The caller's signal ended the request. */
  | { readonly type: 'aborted' };
