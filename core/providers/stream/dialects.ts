import type { ModelBundle, ProviderKind } from '../models/bundle.ts';
import { resolveModel } from '../models/resolve.ts';

/** One event of a stream in its plainest form. */
export function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** A bundle for a server on loopback, for the tests of this folder. */
export function loopbackBundle(kind: ProviderKind, url: string, key = 'test-key-1'): ModelBundle {
  const provider = { kind, baseUrl: url, apiKeyEnv: 'KEY', models: { m: { maxOutput: 1000 } } };
  const resolved = resolveModel({ providers: { p: provider } }, 'p/m', { KEY: key });
  if (!resolved.ok) throw new Error(resolved.error.message);
  return resolved.value;
}

/** The text pieces as an answer in each dialect: the events before the last one, and the last, with usage 3 in and 5 out. */
export const ANSWERS: Readonly<Record<ProviderKind, (pieces: readonly string[]) => { begin: string; end: string }>> = {
  anthropic: (pieces) => ({
    begin:
      event({
        type: 'message_start',
        message: {
          id: 'msg',
          model: 'm',
          role: 'assistant',
          content: [],
          usage: { input_tokens: 3, output_tokens: 1 },
        },
      }) +
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) +
      pieces
        .map((text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }))
        .join(''),
    end:
      event({ type: 'content_block_stop', index: 0 }) +
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } }) +
      event({ type: 'message_stop' }),
  }),
  'openai-compatible': (pieces) => ({
    begin: pieces.map((content) => event({ choices: [{ index: 0, delta: { content } }] })).join(''),
    end:
      event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
      event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 5 } }) +
      'data: [DONE]\n\n',
  }),
  openai: (pieces) => ({
    begin:
      event({ type: 'response.created', response: { id: 'r', created_at: 1, model: 'm' } }) +
      event({
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'message', id: 'msg', role: 'assistant', content: [] },
      }) +
      pieces
        .map((delta) =>
          event({ type: 'response.output_text.delta', item_id: 'msg', output_index: 0, content_index: 0, delta }),
        )
        .join(''),
    end:
      event({ type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'msg' } }) +
      event({ type: 'response.completed', response: { usage: { input_tokens: 3, output_tokens: 5 } } }),
  }),
  google: (pieces) => ({
    begin: pieces.map((text) => event({ candidates: [{ content: { parts: [{ text }] } }] })).join(''),
    end: event({
      candidates: [{ content: { parts: [] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 5 },
    }),
  }),
};

export const KINDS = Object.keys(ANSWERS) as ProviderKind[];
