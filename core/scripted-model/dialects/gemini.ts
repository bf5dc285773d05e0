import type { Tokens } from '../../protocol/usage.ts';
import type { StopReason } from '../compiled-script.ts';
import { asObject, asObjects, asString, asText, parseJson } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { RequestTexts } from '../model-request.ts';
import type { Block, Dialect, FullBlock, ModelError, ReplyEvent, ReplyHead, SseFrame } from './dialect.ts';
import { jsonFrame, wordsFor } from './dialect.ts';

/** Gemini has no finish reason of its own for tool calls. */
const FINISH_REASONS: Record<StopReason, string> = {
  end: 'STOP',
  tool: 'STOP',
  max_tokens: 'MAX_TOKENS',
  content_filter: 'SAFETY',
};

const STATUSES = [
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'ABORTED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [500, 'INTERNAL'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
] as const;

function addContent(texts: RequestTexts, content: JsonObject): void {
  const role = content['role'] === 'model' ? 'assistant' : 'user';
  for (const part of asObjects(content['parts'])) {
    const call = asObject(part['functionCall']);
    if ('functionResponse' in part) {
      const { response } = asObject(part['functionResponse']);
      texts.add('tool', asText(asObject(response)['content'] ?? response));
    } else if ('functionCall' in part) texts.add('assistant', `${asText(call['name'])} ${asText(call['args'])}`);
    else texts.add(role, asString(part['text']) ?? '');
  }
}

/** The prompt count holds the cached tokens in it; thoughts are counted beside the candidates. */
function usageOf(usage: Tokens): JsonObject {
  const prompt = usage.input + usage.cached_input + usage.cache_write;
  return {
    promptTokenCount: prompt,
    ...(usage.cached_input > 0 && { cachedContentTokenCount: usage.cached_input }),
    candidatesTokenCount: usage.output,
    ...(usage.reasoning > 0 && { thoughtsTokenCount: usage.reasoning }),
    totalTokenCount: prompt + usage.output + usage.reasoning,
  };
}

const SIGNATURE = Buffer.from('scripted').toString('base64');

/** Undefined: arguments that are no JSON object, which Gemini reports as a finish reason, never as a call. */
function callPart(block: FullBlock, first: boolean): JsonObject | undefined {
  if (block.kind !== 'tool_call') return undefined;
  const args = block.text === '' ? {} : parseJson(block.text);
  if (typeof args !== 'object' || args === null) return undefined;
  return {
    functionCall: { id: `call_${block.id}`, name: block.name, args },
    ...(first && { thoughtSignature: SIGNATURE }),
  };
}

function partsOf(blocks: readonly FullBlock[]): { parts: JsonObject[]; malformed: boolean } {
  const parts: JsonObject[] = [];
  let calls = 0;
  let malformed = false;
  for (const block of blocks) {
    const part = block.kind === 'tool_call' ? callPart(block, calls++ === 0) : textPart(block, block.text);
    if (part === undefined) malformed = true;
    else parts.push(part);
  }
  return { parts, malformed };
}

const textPart = (block: Block, text: string): JsonObject =>
  block.kind === 'reasoning' ? { text, thought: true } : { text };

function reply(head: ReplyHead, parts: readonly JsonObject[], finishReason?: string): JsonObject {
  return {
    candidates: [{ content: { role: 'model', parts }, index: 0, ...(finishReason !== undefined && { finishReason }) }],
    ...(finishReason !== undefined && { usageMetadata: usageOf(head.usage) }),
    modelVersion: head.model,
    responseId: head.id,
  };
}

const finishReason = (head: ReplyHead, malformed: boolean): string =>
  malformed ? 'MALFORMED_FUNCTION_CALL' : FINISH_REASONS[head.stop];

const errorBody = (error: ModelError): JsonObject => ({
  error: { code: error.status, message: error.message, status: error.type },
});

function streamEncoder(head: ReplyHead): (event: ReplyEvent) => SseFrame[] {
  let open: Block = { kind: 'text' };
  let calls = 0;
  return (event) => {
    switch (event.type) {
      case 'begin':
        return [];
      case 'block_start':
        open = event.block;
        return [];
      case 'block_delta':
        // This API sends a call whole.
        return open.kind === 'tool_call' ? [] : [jsonFrame(reply(head, [textPart(open, event.delta)]))];
      case 'block_end': {
        const part = event.block.kind === 'tool_call' ? callPart(event.block, calls++ === 0) : undefined;
        return part === undefined ? [] : [jsonFrame(reply(head, [part]))];
      }
      case 'finish':
        return [jsonFrame(reply(head, [{ text: '' }], finishReason(head, partsOf(event.blocks).malformed)))];
      case 'error':
        return [jsonFrame(errorBody(event.error))];
    }
  };
}

/** Gemini (`POST /v1beta/models/<model>:generateContent` and `:streamGenerateContent?alt=sse`). */
export const gemini: Dialect = {
  parse(body, route) {
    const texts = new RequestTexts();
    for (const content of asObjects(body['contents'])) addContent(texts, content);
    const system = asObjects(asObject(body['systemInstruction'])['parts']);
    return {
      dialect: 'gemini',
      model: route.model,
      stream: route.stream,
      usageInStream: true,
      system: system.map((part) => asText(part['text'])).join('\n'),
      texts: texts.texts,
      assistantTurns: texts.assistantTurns,
      body,
    };
  },
  streamEncoder,
  message(head, blocks) {
    const { parts, malformed } = partsOf(blocks);
    return reply(head, parts, finishReason(head, malformed));
  },
  error: errorBody,
  errorWords: (status) => ({
    type: wordsFor<string>(STATUSES, status, status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT'),
    code: null,
  }),
};
