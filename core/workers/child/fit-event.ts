import { MAX_FRAME_BYTES } from '../../protocol/frame-limit.ts';
import type { WorkerEvent } from '../../protocol/frames.ts';

/** For the frame around the event. */
const FRAME_ROOM = 256;

/** Texts in an event that is too long are cut to these lengths, one after the other, until it fits. UTF-16 units. */
const CUTS = [1_000_000, 100_000, 10_000] as const;

/**
 * The event as JSON, small enough for a frame. One that is not (a tool's megabytes, a long session) loses first the session, without which the run
 * cannot be continued, then the middle of its texts, which say so: the run itself must never be lost over it.
 */
export function fitEvent(event: WorkerEvent, limit = MAX_FRAME_BYTES - FRAME_ROOM): string {
  let json = JSON.stringify(event);
  if (fits(json, limit)) return json;
  let smaller: unknown = 'session' in event ? { ...event, session: null } : event;
  json = JSON.stringify(smaller);
  for (const cut of CUTS) {
    if (fits(json, limit)) return json;
    smaller = cutTexts(smaller, cut);
    json = JSON.stringify(smaller);
  }
  if (fits(json, limit)) return json;
  throw new Error(`An event of type ${event.type} is too large to be told`);
}

function fits(json: string, limit: number): boolean {
  // Three bytes are the most that a UTF-16 unit takes in UTF-8.
  return json.length * 3 <= limit || Buffer.byteLength(json) <= limit;
}

function cutTexts(value: unknown, limit: number): unknown {
  if (typeof value === 'string') return value.length > limit ? cutText(value, limit) : value;
  if (Array.isArray(value)) return value.map((each) => cutTexts(each, limit));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cutTexts(each, limit)]));
}

function cutText(text: string, limit: number): string {
  const head = Math.floor(limit * 0.75);
  const tail = limit - head;
  return `${text.slice(0, head)}\n[… ${text.length - limit} characters cut …]\n${text.slice(-tail)}`;
}
