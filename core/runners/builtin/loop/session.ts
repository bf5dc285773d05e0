import type { Message } from '../../../providers/messages/message.ts';
import { compact, sizeOf } from './compaction.ts';

/** What a later attempt, or a run that continues this one, needs to go on. Plain JSON; opaque to the core. */
export interface Session {
  readonly v: 1;
  /** The run that wrote it: another one that gets it continues that run with a message of its own (C5). */
  readonly run_id: string;
  readonly messages: readonly Message[];
  /** Model requests so far: makes call ids unique over all attempts of the run (P7). */
  readonly requests: number;
  /** Delegations in the background whose completion has not come yet. */
  readonly open_delegations: readonly string[];
}

/** Characters of a session's messages: it travels in one frame, which has a limit of its own. */
const LARGEST = 3_000_000;

const IMAGE_LEFT_OUT = '[an image that was shown here is not kept with the session]';

/** The session as it is stored: without images, which would fill a frame. */
export function toSession(session: Omit<Session, 'v'>): Session {
  const messages = session.messages.map(withoutImages);
  return { ...session, v: 1, messages: sizeOf(messages) > LARGEST ? compact(messages, LARGEST) : messages };
}

function withoutImages(message: Message): Message {
  if (message.role !== 'user' || message.parts.every((part) => part.type === 'text')) return message;
  const parts = message.parts.map((part) =>
    part.type === 'text' ? part : ({ type: 'text', text: IMAGE_LEFT_OUT } as const),
  );
  return { role: 'user', parts };
}

/** Reads a stored session; null when there is none, or none that this build can read. */
export function readSession(value: unknown): Session | null {
  if (typeof value !== 'object' || value === null) return null;
  const { v, run_id, messages, requests, open_delegations } = value as Partial<Record<keyof Session, unknown>>;
  if (v !== 1 || typeof run_id !== 'string' || !Array.isArray(messages)) return null;
  return {
    v,
    run_id,
    messages: messages as Message[],
    requests: typeof requests === 'number' ? requests : messages.length,
    open_delegations: Array.isArray(open_delegations) ? (open_delegations as string[]) : [],
  };
}
