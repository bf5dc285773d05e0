import type { Tokens } from '../../protocol/usage.ts';
import { asObjects, asString, asText } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { RequestTexts } from '../model-request.ts';
import type { Block, Dialect, FullBlock, ReplyEvent, ReplyHead, SseFrame } from './dialect.ts';
import { jsonFrame } from './dialect.ts';
import { openaiError, openaiErrorWords } from './openai-error.ts';

const textsOf = (content: unknown): string[] =>
  typeof content === 'string' ? [content] : asObjects(content).map((part) => asString(part['text']) ?? '');

const isSystem = (item: JsonObject): boolean => item['role'] === 'system' || item['role'] === 'developer';

function addItem(texts: RequestTexts, item: JsonObject): void {
  if (item['role'] === 'user') {
    for (const text of textsOf(item['content'])) texts.add('user', text);
  } else if (item['type'] === 'function_call_output') {
    texts.add('tool', textsOf(item['output']).join('\n'));
  } else if (item['type'] === 'function_call') {
    texts.add('assistant', `${asText(item['name'])} ${asText(item['arguments'])}`);
  } else {
    // Messages, reasoning and references to stored items: all from earlier replies.
    texts.add('assistant', textsOf(item['content'] ?? item['summary']).join('\n'));
  }
}

function usageOf(usage: Tokens): JsonObject {
  const input = usage.input + usage.cached_input + usage.cache_write;
  const output = usage.output + usage.reasoning;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cached_input,
      ...(usage.cache_write > 0 && { cache_write_tokens: usage.cache_write }),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + output,
  };
}

const textPart = (text: string): JsonObject => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const summaryPart = (text: string): JsonObject => ({ type: 'summary_text', text });

/** An output item; `text` undefined: as it is announced, empty. */
function itemOf(block: Block, id: string, text?: string): JsonObject {
  const status = text === undefined ? 'in_progress' : 'completed';
  switch (block.kind) {
    case 'text':
      return { type: 'message', id, status, role: 'assistant', content: text === undefined ? [] : [textPart(text)] };
    case 'reasoning':
      return { type: 'reasoning', id, summary: text === undefined ? [] : [summaryPart(text)], encrypted_content: null };
    case 'tool_call':
      return {
        type: 'function_call',
        id,
        status,
        call_id: `call_${block.id}`,
        name: block.name,
        ...(block.namespace !== null && { namespace: block.namespace }),
        arguments: text ?? '',
      };
  }
}

const PREFIX: Record<Block['kind'], string> = { text: 'msg', reasoning: 'rs', tool_call: 'fc' };
const itemId = (head: ReplyHead, block: Block, index: number): string => `${PREFIX[block.kind]}_${head.id}${index}`;

function responseOf(head: ReplyHead, blocks: readonly FullBlock[], ended: boolean): JsonObject {
  const cut =
    head.stop === 'max_tokens' ? 'max_output_tokens' : head.stop === 'content_filter' ? 'content_filter' : null;
  const status = cut === null ? 'completed' : 'incomplete';
  return {
    id: `resp_${head.id}`,
    object: 'response',
    created_at: head.created,
    status: ended ? status : 'in_progress',
    error: null,
    incomplete_details: ended && cut !== null ? { reason: cut } : null,
    model: head.model,
    output: blocks.map((block, index) => itemOf(block, itemId(head, block, index), block.text)),
    usage: ended ? usageOf(head.usage) : null,
  };
}

/** The events around the text of a block, in the API's order. */
interface Sides {
  readonly before: readonly JsonObject[];
  readonly delta: string;
  readonly after: (text: string) => readonly JsonObject[];
}

function sidesOf(block: Block): Sides {
  switch (block.kind) {
    case 'text':
      return {
        before: [{ type: 'response.content_part.added', content_index: 0, part: textPart('') }],
        delta: 'response.output_text.delta',
        after: (text) => [
          { type: 'response.output_text.done', content_index: 0, text, logprobs: [] },
          { type: 'response.content_part.done', content_index: 0, part: textPart(text) },
        ],
      };
    case 'reasoning':
      return {
        before: [{ type: 'response.reasoning_summary_part.added', summary_index: 0, part: summaryPart('') }],
        delta: 'response.reasoning_summary_text.delta',
        after: (text) => [
          { type: 'response.reasoning_summary_text.done', summary_index: 0, text },
          { type: 'response.reasoning_summary_part.done', summary_index: 0, part: summaryPart(text) },
        ],
      };
    case 'tool_call':
      return {
        before: [],
        delta: 'response.function_call_arguments.delta',
        after: (text) => [{ type: 'response.function_call_arguments.done', arguments: text }],
      };
  }
}

const DELTA_INDEX: Record<Block['kind'], JsonObject> = {
  text: { content_index: 0, logprobs: [] },
  reasoning: { summary_index: 0 },
  tool_call: {},
};

function streamEncoder(head: ReplyHead): (event: ReplyEvent) => SseFrame[] {
  let sequence = 0;
  let index = -1;
  let open: Block = { kind: 'text' };
  const frames = (events: readonly JsonObject[]): SseFrame[] =>
    events.map((event) => jsonFrame({ ...event, sequence_number: sequence++ }, asString(event['type'])));
  const within = (event: JsonObject): JsonObject => ({
    ...event,
    item_id: itemId(head, open, index),
    output_index: index,
  });
  return (event) => {
    switch (event.type) {
      case 'begin': {
        const response = responseOf(head, [], false);
        return frames([
          { type: 'response.created', response },
          { type: 'response.in_progress', response },
        ]);
      }
      case 'block_start': {
        index += 1;
        open = event.block;
        const item = itemOf(open, itemId(head, open, index));
        const added = { type: 'response.output_item.added', output_index: index, item };
        return frames([added, ...sidesOf(open).before.map(within)]);
      }
      case 'block_delta':
        return frames([within({ type: sidesOf(open).delta, delta: event.delta, ...DELTA_INDEX[open.kind] })]);
      case 'block_end': {
        const item = itemOf(open, itemId(head, open, index), event.block.text);
        const done = { type: 'response.output_item.done', output_index: index, item };
        return frames([...sidesOf(open).after(event.block.text).map(within), done]);
      }
      case 'finish': {
        const response = responseOf(head, event.blocks, true);
        return frames([{ type: `response.${asText(response['status'])}`, response }]);
      }
      case 'error': {
        const { type, code, message } = event.error;
        return frames([{ type: 'error', error: { type, code, message, param: null } }]);
      }
    }
  };
}

/** OpenAI Responses (`POST /v1/responses`). */
export const openaiResponses: Dialect = {
  parse(body) {
    const texts = new RequestTexts();
    const input = body['input'];
    const items = typeof input === 'string' ? [{ role: 'user', content: input }] : asObjects(input);
    for (const item of items) if (!isSystem(item)) addItem(texts, item);
    const system = items.filter(isSystem).flatMap((item) => textsOf(item['content']));
    return {
      dialect: 'openai-responses',
      model: asText(body['model']),
      stream: body['stream'] === true,
      usageInStream: true,
      system: [asText(body['instructions']), ...system].filter((text) => text !== '').join('\n'),
      texts: texts.texts,
      assistantTurns: texts.assistantTurns,
      body,
    };
  },
  streamEncoder,
  message: (head, blocks) => responseOf(head, blocks, true),
  error: openaiError,
  errorWords: openaiErrorWords,
};
