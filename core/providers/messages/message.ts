import type { Effort } from '../../protocol/settings.ts';

/**
 * What a provider attached to a part and wants back unchanged in the next request (a signature of reasoning, an item id), by
 * dialect. Plain JSON; opaque to everyone else.
 */
export type PartMetadata = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly metadata?: PartMetadata;
}

export interface ImagePart {
  readonly type: 'image';
  /** Like `image/png`. */
  readonly mediaType: string;
  readonly base64: string;
}

export interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  readonly metadata?: PartMetadata;
}

export interface ToolCallPart {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  /** The model's text, untouched: it may be empty, cut, or no JSON at all. */
  readonly raw_arguments: string;
  readonly metadata?: PartMetadata;
}

export interface ToolResult {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly parts: readonly (TextPart | ReasoningPart | ToolCallPart)[];
}

/** One message of a conversation with a model, in no dialect; plain JSON. Every tool call needs one result after it. */
export type Message =
  | { readonly role: 'user'; readonly parts: readonly (TextPart | ImagePart)[] }
  | AssistantMessage
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] };

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON schema; adapted to what all providers take (B18), so check arguments against the original. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** One request to a model. */
export interface ModelRequest {
  /** Most stable text first, for the provider's cache (K1); may be empty. */
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  /** Tokens; default is the bundle's. */
  readonly maxOutput?: number;
  readonly effort?: Effort;
}
