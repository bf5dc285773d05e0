import { METADATA_KEY } from '../stream/language-model.ts';
import type { CallOptions, Prompt } from '../stream/language-model.ts';
import type { ModelBundle, ProviderKind } from '../models/bundle.ts';
import { knownModel } from '../models/table.ts';
import type { AssistantMessage, ImagePart, Message, ModelRequest, PartMetadata, TextPart } from './message.ts';
import { toolSchema } from './tool-schema.ts';

type PromptMessage = Prompt[number];
type UserContent = Extract<PromptMessage, { role: 'user' }>['content'];
type AssistantContent = Extract<PromptMessage, { role: 'assistant' }>['content'];
type ProviderOptions = NonNullable<CallOptions['providerOptions']>;

/** Where Anthropic's cache may end: after the instructions and tools, and after the newest message. */
const CACHE_HERE: ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** The request as the AI SDK's packages take it. */
export function toCall(bundle: ModelBundle, request: ModelRequest, signal: AbortSignal): CallOptions {
  const maxOutput = request.maxOutput ?? defaultMaxOutput(bundle);
  return {
    prompt: toPrompt(bundle, request),
    abortSignal: signal,
    ...(maxOutput === null ? {} : { maxOutputTokens: maxOutput }),
    ...(request.effort ? { reasoning: request.effort } : {}),
    ...(request.tools.length ? { tools: tools(bundle, request) } : {}),
    // Nothing of a conversation is to be kept by the provider; reasoning comes back encrypted with each request instead.
    ...(bundle.kind === 'openai' ? { providerOptions: { openai: { store: false } } } : {}),
  };
}

/** Claude's dialect demands a limit; every model of the last years takes this one. */
const CLAUDE_MAX_OUTPUT = 32_000;

/** OpenAI counts the limit against the rate of tokens before it is used, so only one that settings state is sent there. */
function defaultMaxOutput(bundle: ModelBundle): number | null {
  if (bundle.kind === 'openai' && bundle.maxOutput === knownModel(bundle.kind, bundle.model)?.maxOutput) return null;
  return bundle.maxOutput ?? (bundle.kind === 'anthropic' ? CLAUDE_MAX_OUTPUT : null);
}

function tools({ kind }: ModelBundle, request: ModelRequest): CallOptions['tools'] {
  return request.tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    description,
    inputSchema: toolSchema(inputSchema, kind),
  }));
}

function toPrompt(bundle: ModelBundle, request: ModelRequest): Prompt {
  const { kind } = bundle;
  const prompt: Prompt = request.messages.flatMap((message) => toMessage(bundle, message));
  const newest = prompt.at(-1);
  const cached = kind === 'anthropic' ? { providerOptions: CACHE_HERE } : {};
  if (newest) Object.assign(newest, cached);
  return request.system ? [{ role: 'system', content: request.system.toWellFormed(), ...cached }, ...prompt] : prompt;
}

/**
 * One message; none when nothing of it is left to say, for providers refuse empty ones. Half a surrogate pair, which a text that was cut ends with,
 * makes them refuse the whole request and each later one, so it is shown as a replacement mark (B05).
 */
function toMessage(bundle: ModelBundle, message: Message): PromptMessage[] {
  switch (message.role) {
    case 'user': {
      const content = message.parts
        .filter((part) => part.type !== 'text' || part.text !== '')
        .map((part) => userPart(bundle, part));
      return content.length ? [{ role: 'user', content }] : [];
    }
    case 'assistant': {
      const content = message.parts.flatMap((part) => assistantPart(bundle.kind, part));
      return content.length ? [{ role: 'assistant', content }] : [];
    }
    case 'tool': {
      const content = message.results.map(({ id, name, text, isError }) => ({
        type: 'tool-result' as const,
        toolCallId: id,
        toolName: name,
        output: { type: isError ? ('error-text' as const) : ('text' as const), value: text.toWellFormed() },
      }));
      return content.length ? [{ role: 'tool', content }] : [];
    }
  }
}

/** A model that takes no images is told that there was one, so that it can say so or ask for it in words. */
function userPart({ images, model }: ModelBundle, part: TextPart | ImagePart): UserContent[number] {
  if (part.type === 'text') return { type: 'text', text: part.text.toWellFormed() };
  if (images === false) {
    const text = `[An image (${part.mediaType}) is here, but the model ${model} takes no images. Say so if the task needs it.]`;
    return { type: 'text', text };
  }
  return { type: 'file', mediaType: part.mediaType, data: { type: 'data', data: part.base64 } };
}

function assistantPart(kind: ProviderKind, part: AssistantMessage['parts'][number]): AssistantContent {
  const providerOptions = ownMetadata(kind, part.metadata);
  const metadata = providerOptions ? { providerOptions } : {};
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text.toWellFormed(), ...metadata }];
    case 'reasoning':
      // Another model's reasoning means nothing to this one. Compatible servers take plain text back, and need no proof.
      if (!providerOptions && kind !== 'openai-compatible') return [];
      return [{ type: 'reasoning', text: part.text.toWellFormed(), ...metadata }];
    case 'tool_call':
      return [
        {
          type: 'tool-call',
          toolCallId: part.id,
          toolName: part.name,
          input: sendable(part.raw_arguments),
          ...metadata,
        },
      ];
  }
}

/** Only what this dialect attached itself; a conversation may have begun with another model. */
function ownMetadata(kind: ProviderKind, metadata: PartMetadata | undefined): ProviderOptions | null {
  const own = metadata?.[METADATA_KEY[kind]];
  return own ? ({ [METADATA_KEY[kind]]: own } as ProviderOptions) : null;
}

/** Written as itself or as an escape. */
const HALF_PAIR = /\p{Surrogate}|\\u[dD][89a-fA-F]/u;

const wholePairs = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;

/**
 * Arguments in the history. Providers refuse a request whose history holds anything but an object there, so what the model
 * wrote wrongly is shown to it as text inside one. This is never executed.
 */
function sendable(raw: string): Record<string, unknown> {
  if (raw.trim() === '') return {};
  try {
    const value: unknown = HALF_PAIR.test(raw) ? JSON.parse(raw, wholePairs) : JSON.parse(raw);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Falls through: cut or broken JSON is as wrong as a value that is no object.
  }
  return { invalid_arguments: raw.toWellFormed() };
}
