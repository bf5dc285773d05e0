import type { Dialect } from './dialects/dialect.ts';
import { anthropic } from './dialects/anthropic.ts';
import { gemini } from './dialects/gemini.ts';
import { openaiChat } from './dialects/openai-chat.ts';
import { openaiResponses } from './dialects/openai-responses.ts';
import type { JsonObject } from './json.ts';

/** A model endpoint: the dialect, and what the path says of the request. */
export interface Endpoint {
  readonly dialect: Dialect;
  readonly model: string;
  readonly stream: boolean;
}

const IN_BODY: Record<string, Dialect> = {
  '/v1/messages': anthropic,
  '/v1/chat/completions': openaiChat,
  '/v1/responses': openaiResponses,
};

/** The endpoint of a POST, or undefined. */
export function endpointOf(path: string): Endpoint | undefined {
  const dialect = IN_BODY[path];
  if (dialect !== undefined) return { dialect, model: '', stream: false };
  const [, model, method] = /^\/v1(?:beta)?\/models\/([^:]+):(generateContent|streamGenerateContent)$/.exec(path) ?? [];
  if (model === undefined) return undefined;
  return { dialect: gemini, model: decodeURIComponent(model), stream: method === 'streamGenerateContent' };
}

/** The answer to a question how long a request is, by a rough rule: clients only plan with it. Undefined: no such question. */
export function countOf(path: string, body: string): JsonObject | undefined {
  const tokens = Math.ceil(body.length / 4);
  if (path === '/v1/messages/count_tokens') return { input_tokens: tokens };
  return /^\/v1(?:beta)?\/models\/[^:]+:countTokens$/.test(path) ? { totalTokens: tokens } : undefined;
}

/** The answer to a GET about the models, or undefined. */
export function listingOf(path: string, models: readonly string[]): JsonObject | undefined {
  switch (path) {
    case '/v1/models': {
      const data = models.map((id) => ({
        id,
        object: 'model',
        type: 'model',
        display_name: id,
        created: 0,
        owned_by: 'scripted',
      }));
      return { object: 'list', data, has_more: false, first_id: models[0], last_id: models.at(-1) };
    }
    case '/v1beta/models':
      return {
        models: models.map((id) => ({
          name: `models/${id}`,
          displayName: id,
          supportedGenerationMethods: ['generateContent', 'streamGenerateContent'],
        })),
      };
    case '/api/tags':
      return { models: models.map((name) => ({ name, model: name, size: 0, modified_at: '1970-01-01T00:00:00Z' })) };
    default:
      return undefined;
  }
}
