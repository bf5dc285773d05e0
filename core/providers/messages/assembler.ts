import type { AssistantMessage, PartMetadata, ReasoningPart, TextPart, ToolCallPart } from './message.ts';

interface OpenPart {
  readonly type: 'text' | 'reasoning' | 'tool_call';
  readonly id: string;
  name: string;
  text: string;
  /** The provider said that the part is whole. */
  complete: boolean;
  metadata: Record<string, Record<string, unknown>> | undefined;
}

/** A tool call as it stands at the end of a message. */
export interface AssembledCall extends ToolCallPart {
  /** False when the message ended inside the call: its arguments are cut, even if they happen to be valid JSON. */
  readonly complete: boolean;
}

/** Puts the parts of one streamed message together, in the order in which they began. */
export class MessageAssembler {
  readonly #parts = new Map<string, OpenPart>();

  /** Adds to a text or reasoning part, which begins with its first piece. */
  append(type: 'text' | 'reasoning', id: string, text: string, metadata: unknown): void {
    const part = this.#open(type, id);
    part.text += text;
    addMetadata(part, metadata);
  }

  startCall(id: string, name: string, metadata: unknown): void {
    const part = this.#open('tool_call', id);
    part.name = name;
    addMetadata(part, metadata);
  }

  appendCall(id: string, text: string): void {
    this.#open('tool_call', id).text += text;
  }

  /** The provider's last word on a call; its text replaces the pieces. */
  endCall(id: string, name: string, text: string, metadata: unknown): void {
    const part = this.#open('tool_call', id);
    part.name = name;
    part.text = text;
    part.complete = true;
    addMetadata(part, metadata);
  }

  /** All text of the message so far. */
  get text(): string {
    return [...this.#parts.values()]
      .filter((part) => part.type === 'text')
      .map((part) => part.text)
      .join('');
  }

  get calls(): AssembledCall[] {
    return [...this.#parts.values()]
      .filter((part) => part.type === 'tool_call')
      .map((part) => ({ ...toCall(part), complete: part.complete }));
  }

  get message(): AssistantMessage {
    const parts = [...this.#parts.values()].flatMap(toPart);
    return { role: 'assistant', parts };
  }

  #open(type: OpenPart['type'], id: string): OpenPart {
    const key = `${type}:${id}`;
    let part = this.#parts.get(key);
    if (!part) {
      part = { type, id, name: '', text: '', complete: false, metadata: undefined };
      this.#parts.set(key, part);
    }
    return part;
  }
}

function toPart(part: OpenPart): (TextPart | ReasoningPart | ToolCallPart)[] {
  if (part.type === 'tool_call') return [toCall(part)];
  // Reasoning without text may still carry the signature or the encrypted form that the next request needs.
  if (part.text === '' && !part.metadata) return [];
  return [{ type: part.type, text: part.text, ...withMetadata(part) }];
}

function toCall(part: OpenPart): ToolCallPart {
  return { type: 'tool_call', id: part.id, name: part.name, raw_arguments: part.text, ...withMetadata(part) };
}

function withMetadata(part: OpenPart): { metadata?: PartMetadata } {
  return part.metadata ? { metadata: part.metadata } : {};
}

function addMetadata(part: OpenPart, metadata: unknown): void {
  if (typeof metadata !== 'object' || metadata === null) return;
  part.metadata ??= {};
  for (const [key, values] of Object.entries(metadata)) {
    part.metadata[key] = { ...part.metadata[key], ...(values as Record<string, unknown>) };
  }
}
