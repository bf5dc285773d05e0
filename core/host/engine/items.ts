import type { ApiError } from '../../protocol/errors.ts';
import type { WorkerEvent } from '../../protocol/frames.ts';
import { MalformedRow } from '../../registry/store/stored-json.ts';
import type { Flush } from './flush.ts';
import { isTranscriptEvent } from './transcripts.ts';

/** Something to be decided: a client's command, which is refused when it cannot be stored, or a fact, which is not. */
export interface Work {
  readonly type: 'command' | 'fact';
  readonly conversation_id: string;
  run(flush: Flush): void;
  settle(error: ApiError | null): void;
}

/** A worker's event, with its place among the events of its attempt. */
export interface EventItem {
  readonly type: 'event';
  readonly conversation_id: string;
  readonly run_id: string;
  readonly attempt_id: string;
  readonly seq: number;
  readonly event: WorkerEvent;
}

/** What waits to be decided. */
export type Item = Work | EventItem;

/** The engine is closed. */
export const SHUTTING_DOWN: ApiError = { code: 'shutting_down', message: 'Espalier is closing. Nothing was changed.' };

const INTERNAL: ApiError = { code: 'internal', message: 'This is a fault in Espalier. Nothing was changed.' };

/** What became of an item whose decision has a fault of ours in it. */
export function faultOf(thrown: unknown): ApiError {
  return thrown instanceof MalformedRow ? { code: 'storage', message: thrown.message } : INTERNAL;
}

/** Tells who waits for it what became of the item; an event has nobody who waits. */
export function settle(item: Item, error: ApiError | null): void {
  if (item.type !== 'event') item.settle(error);
}

/** An event that cannot be decided on is still acknowledged, or it would come again for ever. */
export function withoutContent(item: Item): Item[] {
  return item.type === 'event' ? [{ ...item, event: { type: 'processes', pids: [] } }] : [];
}

/** Such events may wait for more of their kind. */
export function isQuiet(event: WorkerEvent): boolean {
  return (
    isTranscriptEvent(event) || event.type === 'activity' || event.type === 'progress' || event.type === 'processes'
  );
}
