import type { AssistantMessage, Message, ToolResult } from '../../../providers/messages/message.ts';
import { FENCE_END } from '../../../workspace/fences/fence.ts';

/** Characters kept of a tool result that is shortened gently, and of one that is shortened hard. */
const GENTLE = 600;
const HARD = 200;

/** Tool answers at the end that a gentle pass leaves alone: the model works with them now. */
const RECENT = 2;

const DROPPED = '[Earlier steps of this work were removed to make room. What they changed in files is still there.]';

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
 * beginning, then all results and long arguments, then the oldest steps go. The first message stays, and every call keeps its result.
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
  // A block of data stays one (K2).
  const end = text.endsWith(FENCE_END) ? FENCE_END : '';
  return {
    ...result,
    text: `${text.slice(0, keep)}\n[… ${cut} characters of this result were removed to make room; call the tool again if you need them]${end}`,
  };
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

/** Drops the oldest steps (a message of the model with the results of its calls and what was said then). */
function drop(messages: readonly Message[], target: number): readonly Message[] {
  const [first, ...rest] = messages;
  if (first === undefined) return messages;
  const starts = rest.flatMap((message, index) => (message.role === 'assistant' ? [index] : []));
  const kept = (from: number): readonly Message[] => [withNote(first), ...rest.slice(from)];
  // The last step stays whatever it weighs: without it the model would not know where it is.
  const from = starts.find((start) => sizeOf(kept(start)) <= target) ?? starts.at(-1) ?? 0;
  return from === 0 ? messages : kept(from);
}

function withNote(first: Message): Message {
  if (first.role !== 'user') return first;
  if (first.parts.some((part) => part.type === 'text' && part.text === DROPPED)) return first;
  return { role: 'user', parts: [...first.parts, { type: 'text', text: DROPPED }] };
}
