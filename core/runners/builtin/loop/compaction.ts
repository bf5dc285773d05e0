import type { AssistantMessage, Message, ToolResult } from '../../../providers/messages/message.ts';
import { FENCE_END } from '../../../workspace/fences/fence.ts';

/** Characters kept of a tool result that is shortened gently, and of one that is shortened hard. */
const GENTLE = 600;
const HARD = 200;

/** Tool answers at the end that a gentle pass leaves alone: the model works with them now. */
const RECENT = 2;

const DROPPED = '[Earlier steps of this work were removed to make room. What they changed in files is still there.]';

/** How the text begins that stands before an image which a tool has returned. */
export const IMAGE_OF = 'The image that ';

/** Characters of all that the messages say; images count as the text that describes their size to a model. */
export function sizeOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + sizeOfOne(message), 0);
}

/** Tokens that an image costs, in characters: about 1,500 tokens at any usual size. */
const IMAGE_SIZE = 6000;

function sizeOfOne(message: Message): number {
  switch (message.role) {
    case 'user':
      return sum(message.parts.map((part) => (part.type === 'text' ? part.text.length : IMAGE_SIZE)));
    case 'assistant':
      return sum(message.parts.map((part) => (part.type === 'tool_call' ? part.raw_arguments : part.text).length));
    case 'tool':
      return sum(message.results.map(({ text }) => text.length));
  }
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}

/**
 * The messages made smaller until they have `target` characters, or as small as can be (B15): first old tool results lose all but their
 * beginning, then all results and long arguments, then the oldest steps go. The first message and what was said since stay, and every call keeps its result.
 */
export function compact(messages: readonly Message[], target: number): readonly Message[] {
  const passes = [
    gentle,
    (all: readonly Message[]) => hard(all, target),
    (all: readonly Message[]) => drop(all, target),
  ];
  let smaller = messages;
  for (const pass of passes) {
    if (sizeOf(smaller) <= target) break;
    smaller = pass(smaller);
  }
  return smaller;
}

function gentle(messages: readonly Message[]): readonly Message[] {
  const answers = messages.filter((message) => message.role === 'tool');
  const recent = new Set<Message>(answers.slice(-RECENT));
  return messages.map((message) => (recent.has(message) ? message : shortened(message, GENTLE)));
}

function hard(messages: readonly Message[], target: number): readonly Message[] {
  const last = messages.findLast((message) => message.role === 'tool');
  return messages.map((message) => {
    if (message.role !== 'tool' || message !== last) return shortened(message, HARD);
    return shortened(message, Math.max(HARD, Math.floor(target / 4 / Math.max(1, message.results.length))));
  });
}

function shortened(message: Message, keep: number): Message {
  if (message.role === 'tool')
    return { role: 'tool', results: message.results.map((result) => shortResult(result, keep)) };
  return message.role === 'assistant' && keep === HARD ? shortArguments(message) : message;
}

function shortResult(result: ToolResult, keep: number): ToolResult {
  const { text } = result;
  if (text.length <= keep + 120) return result;
  const cut = text.length - keep;
  return {
    ...result,
    text: `${text.slice(0, keep)}\n[… ${cut} characters of this result were removed to make room; call the tool again if you need them]${endOf(text)}`,
  };
}

/** A block of data stays one (K2). */
function endOf(text: string): string {
  return text.endsWith(FENCE_END) ? FENCE_END : '';
}

/** Arguments must stay an object, or providers refuse the request. */
function shortArguments(message: AssistantMessage): AssistantMessage {
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool_call' || part.raw_arguments.length <= 2 * GENTLE) return part;
    const removed = `${part.raw_arguments.length} characters of arguments were removed to make room`;
    return { ...part, raw_arguments: JSON.stringify({ removed, began_with: part.raw_arguments.slice(0, HARD) }) };
  });
  return { role: 'assistant', parts };
}

/** So much of each is kept when all that was said does not fit whole. */
const SAID = 2000;

/**
 * Drops the oldest steps (a message of the model with the results of its calls). What was said to the run in between stays, since it is what the run is at:
 * all of it, or all of it shortened, or at least what was said last.
 */
function drop(messages: readonly Message[], target: number): readonly Message[] {
  const [first, ...rest] = messages;
  if (first === undefined) return messages;
  const starts = rest.flatMap((message, index) => (message.role === 'assistant' ? [index] : []));
  // The last step stays whatever it weighs: without it the model would not know where it is.
  const last = starts.at(-1) ?? 0;
  if (last === 0) return messages;
  const said = saidIn(rest.slice(0, last));
  const begin = withNote(first);
  const room = target - sizeOf([begin]);
  const kept = (way: readonly Said[], from: number): readonly Message[] => [
    begin,
    ...way.flatMap(({ at, message }) => (at < from ? [message] : [])),
    ...rest.slice(from),
  ];
  const least = said.slice(-1).map(shortSaid);
  for (const way of [said, said.map(shortSaid), least]) {
    const from = firstFit(rest, starts, way, room);
    if (from !== null) return kept(way, from);
  }
  return kept(least, last);
}

/** The earliest of `starts` from which `rest` fits into `room` with what was said before; null when none does. One walk, however long it is. */
function firstFit(
  rest: readonly Message[],
  starts: readonly number[],
  way: readonly Said[],
  room: number,
): number | null {
  const saidAt = new Map(way.map(({ at, message }) => [at, sizeOf([message])]));
  let size = sizeOf(rest);
  let at = 0;
  for (const from of starts) {
    for (; at < from; at += 1) size += (saidAt.get(at) ?? 0) - sizeOf(rest.slice(at, at + 1));
    if (from > 0 && size <= room) return from;
  }
  return null;
}

/** What was said to the run, and where. */
interface Said {
  readonly at: number;
  readonly message: Message;
}

/** Messages to the run, without the images that its tools have returned. */
function saidIn(messages: readonly Message[]): Said[] {
  return messages.flatMap((message, at) => {
    if (message.role !== 'user') return [];
    const parts = message.parts.filter((part) => part.type === 'text' && !part.text.startsWith(IMAGE_OF));
    return parts.length === 0 ? [] : [{ at, message: { role: 'user', parts } }];
  });
}

function shortSaid({ at, message }: Said): Said {
  if (message.role !== 'user') return { at, message };
  const parts = message.parts.map((part) => (part.type === 'text' ? { ...part, text: shortText(part.text) } : part));
  return { at, message: { role: 'user', parts } };
}

function shortText(text: string): string {
  if (text.length <= SAID + 120) return text;
  const cut = text.length - SAID;
  return `${text.slice(0, SAID)}\n[… ${cut} characters of this message were removed to make room]${endOf(text)}`;
}

function withNote(first: Message): Message {
  if (first.role !== 'user') return first;
  if (first.parts.some((part) => part.type === 'text' && part.text === DROPPED)) return first;
  return { role: 'user', parts: [...first.parts, { type: 'text', text: DROPPED }] };
}
