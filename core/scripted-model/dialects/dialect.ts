import type { Tokens } from '../../protocol/usage.ts';
import type { StopReason } from '../compiled-script.ts';
import type { JsonObject } from '../json.ts';
import type { ModelRequest } from '../model-request.ts';

/** What is known of a reply before its first byte. */
export interface ReplyHead {
  /** Random, without prefix. */
  readonly id: string;
  readonly model: string;
  /** Seconds since the epoch. */
  readonly created: number;
  /** Five disjoint counts (R6); each dialect adds up what it reports together. */
  readonly usage: Tokens;
  readonly usageInStream: boolean;
  readonly stop: StopReason;
}

/** A part of a reply. */
export type Block =
  | { readonly kind: 'text' }
  | { readonly kind: 'reasoning' }
  | { readonly kind: 'tool_call'; readonly id: string; readonly name: string; readonly namespace: string | null };

/** A part of a reply with all its text; of a tool call the arguments, as streamed. */
export type FullBlock = Block & { readonly text: string };

/** A reply as it comes about. Blocks never overlap. */
export type ReplyEvent =
  | { readonly type: 'begin' }
  | { readonly type: 'block_start'; readonly block: Block }
  | { readonly type: 'block_delta'; readonly delta: string }
  | { readonly type: 'block_end'; readonly block: FullBlock }
  | { readonly type: 'finish'; readonly blocks: readonly FullBlock[] }
  | { readonly type: 'error'; readonly error: ModelError };

/** An error with everything filled in. */
export interface ModelError {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
}

/** One event of an event stream. */
export interface SseFrame {
  readonly event?: string;
  readonly data: string;
}

/** Turns reply events into frames; holds the counters of one reply. */
export type StreamEncoder = (event: ReplyEvent) => SseFrame[];

/** Reads requests and writes replies in one provider's format. */
export interface Dialect {
  readonly parse: (body: JsonObject, route: { readonly model: string; readonly stream: boolean }) => ModelRequest;
  readonly streamEncoder: (head: ReplyHead) => StreamEncoder;
  readonly message: (head: ReplyHead, blocks: readonly FullBlock[]) => JsonObject;
  readonly error: (error: ModelError) => JsonObject;
  /** Type and code of an error of this HTTP status. */
  readonly errorWords: (status: number) => { readonly type: string; readonly code: string | null };
}

/** A frame whose data is JSON. */
export function jsonFrame(data: JsonObject, event?: string): SseFrame {
  return event === undefined ? { data: JSON.stringify(data) } : { event, data: JSON.stringify(data) };
}

/** What a table says about an HTTP status. */
export function wordsFor<T>(table: readonly (readonly [number, T])[], status: number, otherwise: T): T {
  return table.find(([known]) => known === status)?.[1] ?? otherwise;
}
