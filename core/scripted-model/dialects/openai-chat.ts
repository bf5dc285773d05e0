import type { Tokens } from '../../protocol/usage.ts';
import type { StopReason } from '../compiled-script.ts';
import { asObject, asObjects, asString, asText } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { RequestTexts } from '../model-request.ts';
import type { Block, Dialect, FullBlock, ReplyEvent, ReplyHead, SseFrame } from './dialect.ts';
import { jsonFrame } from './dialect.ts';
import { openaiError, openaiErrorWords } from './openai-error.ts';

const FINISH_REASONS: Record<StopReason, string> = {
  end: 'stop',
  tool: 'tool_calls',
  max_tokens: 'length',
  content_filter: 'content_filter',
};

const textsOf = (content: unknown): string[] =>
  typeof content === 'string' ? [content] : asObjects(content).map((part) => asString(part['text']) ?? '');

function addMessage(texts: RequestTexts, message: JsonObject): void {
  switch (message['role']) {
    case 'assistant': {
      const calls = asObjects(message['tool_calls']).map((call) => asObject(call['function']));
      texts.add('assistant', textsOf(message['content']).join('\n'));
      for (const call of calls) texts.add('assistant', `${asText(call['name'])} ${asText(call['arguments'])}`);
      break;
    }
    case 'tool':
      texts.add('tool', textsOf(message['content']).join('\n'));
      break;
    default:
      for (const text of textsOf(message['content'])) texts.add('user', text);
  }
}

const isSystem = (message: JsonObject): boolean => message['role'] === 'system' || message['role'] === 'developer';

/** Prompt and completion counts hold the cached and the reasoning tokens in them. */
function usageOf(usage: Tokens): JsonObject {
  const prompt = usage.input + usage.cached_input + usage.cache_write;
  const completion = usage.output + usage.reasoning;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_tokens: usage.cached_input,
      ...(usage.cache_write > 0 && { cache_write_tokens: usage.cache_write }),
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}

const base = (head: ReplyHead, object: string): JsonObject => ({
  id: `chatcmpl-${head.id}`,
  object,
  created: head.created,
  model: head.model,
});

function deltaOf(block: Block, call: number, delta: string): JsonObject {
  switch (block.kind) {
    case 'text':
      return { content: delta };
    case 'reasoning':
      return { reasoning_content: delta };
    case 'tool_call':
      return { tool_calls: [{ index: call, function: { arguments: delta } }] };
  }
}

function streamEncoder(head: ReplyHead): (event: ReplyEvent) => SseFrame[] {
  let call = -1;
  let open: Block = { kind: 'text' };
  const chunk = (delta: JsonObject, finishReason: string | null = null): SseFrame =>
    jsonFrame({
      ...base(head, 'chat.completion.chunk'),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    });
  return (event) => {
    switch (event.type) {
      case 'begin':
        return [chunk({ role: 'assistant', content: '' })];
      case 'block_start': {
        open = event.block;
        if (open.kind !== 'tool_call') return [];
        call += 1;
        const start = {
          index: call,
          id: `call_${open.id}`,
          type: 'function',
          function: { name: open.name, arguments: '' },
        };
        return [chunk({ tool_calls: [start] })];
      }
      case 'block_delta':
        return [chunk(deltaOf(open, call, event.delta))];
      case 'block_end':
        return [];
      case 'finish':
        return [
          chunk({}, FINISH_REASONS[head.stop]),
          ...(head.usageInStream
            ? [jsonFrame({ ...base(head, 'chat.completion.chunk'), choices: [], usage: usageOf(head.usage) })]
            : []),
          { data: '[DONE]' },
        ];
      case 'error':
        return [jsonFrame(openaiError(event.error))];
    }
  };
}

function message(head: ReplyHead, blocks: readonly FullBlock[]): JsonObject {
  const join = (kind: Block['kind']): string =>
    blocks
      .filter((block) => block.kind === kind)
      .map((block) => block.text)
      .join('');
  const calls = blocks.flatMap((block) =>
    block.kind === 'tool_call'
      ? [{ id: `call_${block.id}`, type: 'function', function: { name: block.name, arguments: block.text } }]
      : [],
  );
  return {
    ...base(head, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: join('text') || null,
          ...(join('reasoning') !== '' && { reasoning_content: join('reasoning') }),
          ...(calls.length > 0 && { tool_calls: calls }),
        },
        logprobs: null,
        finish_reason: FINISH_REASONS[head.stop],
      },
    ],
    usage: usageOf(head.usage),
  };
}

/** OpenAI Chat Completions (`POST /v1/chat/completions`), also what compatible servers speak. */
export const openaiChat: Dialect = {
  parse(body) {
    const texts = new RequestTexts();
    const messages = asObjects(body['messages']);
    for (const entry of messages) if (!isSystem(entry)) addMessage(texts, entry);
    return {
      dialect: 'openai-chat',
      model: asText(body['model']),
      stream: body['stream'] === true,
      usageInStream: asObject(body['stream_options'])['include_usage'] === true,
      system: messages
        .filter(isSystem)
        .flatMap((entry) => textsOf(entry['content']))
        .join('\n'),
      texts: texts.texts,
      assistantTurns: texts.assistantTurns,
      body,
    };
  },
  streamEncoder,
  message,
  error: openaiError,
  errorWords: openaiErrorWords,
};
