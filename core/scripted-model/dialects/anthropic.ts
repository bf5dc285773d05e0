import type { Tokens } from '../../protocol/usage.ts';
import { asObject, asObjects, asString, asText, parseJson } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { RequestTexts } from '../model-request.ts';
import type { StopReason } from '../compiled-script.ts';
import type { Block, Dialect, FullBlock, ModelError, ReplyEvent, ReplyHead, SseFrame } from './dialect.ts';
import { jsonFrame, wordsFor } from './dialect.ts';

const STOP_REASONS: Record<StopReason, string> = {
  end: 'end_turn',
  tool: 'tool_use',
  max_tokens: 'max_tokens',
  content_filter: 'refusal',
};

const ERROR_TYPES = [
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
] as const;

const blocksOf = (content: unknown): JsonObject[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : asObjects(content);

const plainText = (content: unknown): string =>
  blocksOf(content)
    .map((block) => asString(block['text']) ?? '')
    .join('\n');

function addMessage(texts: RequestTexts, message: JsonObject): void {
  const role = message['role'] === 'assistant' ? 'assistant' : 'user';
  for (const block of blocksOf(message['content'])) {
    if (block['type'] === 'tool_result') texts.add('tool', plainText(block['content']));
    else if (block['type'] === 'tool_use') texts.add('assistant', `${asText(block['name'])} ${asText(block['input'])}`);
    else texts.add(role, asString(block['text']) ?? asString(block['thinking']) ?? '');
  }
}

function usageOf(usage: Tokens): JsonObject {
  return {
    input_tokens: usage.input,
    cache_read_input_tokens: usage.cached_input,
    cache_creation_input_tokens: usage.cache_write,
    output_tokens: usage.output + usage.reasoning,
    ...(usage.reasoning > 0 && { output_tokens_details: { thinking_tokens: usage.reasoning } }),
  };
}

const SIGNATURE = Buffer.from('scripted').toString('base64');

function contentBlock(block: Block): JsonObject {
  switch (block.kind) {
    case 'text':
      return { type: 'text', text: '' };
    case 'reasoning':
      return { type: 'thinking', thinking: '', signature: '' };
    case 'tool_call':
      return { type: 'tool_use', id: `toolu_${block.id}`, name: block.name, input: {} };
  }
}

function deltaOf(block: Block, delta: string): JsonObject {
  switch (block.kind) {
    case 'text':
      return { type: 'text_delta', text: delta };
    case 'reasoning':
      return { type: 'thinking_delta', thinking: delta };
    case 'tool_call':
      return { type: 'input_json_delta', partial_json: delta };
  }
}

function fullBlock(block: FullBlock): JsonObject {
  switch (block.kind) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'reasoning':
      return { type: 'thinking', thinking: block.text, signature: SIGNATURE };
    case 'tool_call':
      return {
        type: 'tool_use',
        id: `toolu_${block.id}`,
        name: block.name,
        input: parseJson(block.text) ?? block.text,
      };
  }
}

const errorBody = (error: ModelError): JsonObject => ({
  type: 'error',
  error: { type: error.type, message: error.message },
});

function begin(head: ReplyHead): SseFrame[] {
  const message = {
    id: `msg_${head.id}`,
    type: 'message',
    role: 'assistant',
    model: head.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usageOf(head.usage), output_tokens: 1 },
  };
  return [jsonFrame({ type: 'message_start', message }, 'message_start'), jsonFrame({ type: 'ping' }, 'ping')];
}

function finish(head: ReplyHead): SseFrame[] {
  const delta = { stop_reason: STOP_REASONS[head.stop], stop_sequence: null };
  return [
    jsonFrame({ type: 'message_delta', delta, usage: usageOf(head.usage) }, 'message_delta'),
    jsonFrame({ type: 'message_stop' }, 'message_stop'),
  ];
}

function streamEncoder(head: ReplyHead): (event: ReplyEvent) => SseFrame[] {
  let index = -1;
  let open: Block = { kind: 'text' };
  const delta = (value: JsonObject): SseFrame =>
    jsonFrame({ type: 'content_block_delta', index, delta: value }, 'content_block_delta');
  return (event) => {
    switch (event.type) {
      case 'begin':
        return begin(head);
      case 'block_start':
        index += 1;
        open = event.block;
        return [
          jsonFrame({ type: 'content_block_start', index, content_block: contentBlock(open) }, 'content_block_start'),
        ];
      case 'block_delta':
        return [delta(deltaOf(open, event.delta))];
      case 'block_end': {
        const signed = open.kind === 'reasoning' ? [delta({ type: 'signature_delta', signature: SIGNATURE })] : [];
        return [...signed, jsonFrame({ type: 'content_block_stop', index }, 'content_block_stop')];
      }
      case 'finish':
        return finish(head);
      case 'error':
        return [jsonFrame(errorBody(event.error), 'error')];
    }
  };
}

/** Anthropic Messages (`POST /v1/messages`). */
export const anthropic: Dialect = {
  parse(body) {
    const texts = new RequestTexts();
    for (const message of asObjects(body['messages'])) addMessage(texts, message);
    return {
      dialect: 'anthropic',
      model: asText(body['model']),
      stream: body['stream'] === true,
      usageInStream: true,
      system: plainText(body['system']),
      texts: texts.texts,
      assistantTurns: texts.assistantTurns,
      body,
    };
  },
  streamEncoder,
  message: (head, blocks) => ({
    id: `msg_${head.id}`,
    type: 'message',
    role: 'assistant',
    model: head.model,
    content: blocks.map(fullBlock),
    stop_reason: STOP_REASONS[head.stop],
    stop_sequence: null,
    usage: asObject(usageOf(head.usage)),
  }),
  error: errorBody,
  errorWords: (status) => ({ type: wordsFor<string>(ERROR_TYPES, status, 'api_error'), code: null }),
};
