import type { JsonObject } from './json.ts';

export type DialectName = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini';

/** One text of a request: dialects put several into one message, here each stands alone, in order. */
export interface RequestText {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
}

/** A request in any dialect, reduced to what scripts look at. */
export interface ModelRequest {
  readonly dialect: DialectName;
  readonly model: string;
  readonly stream: boolean;
  /** Whether the client asked for a usage record in the stream (only a question in `openai-chat`). */
  readonly usageInStream: boolean;
  readonly system: string;
  readonly texts: readonly RequestText[];
  /** Assistant turns already in the request: one for all consecutive assistant texts and tool calls. */
  readonly assistantTurns: number;
  readonly body: JsonObject;
}

/** Collects the texts of a request and counts its assistant turns. */
export class RequestTexts {
  readonly texts: RequestText[] = [];
  assistantTurns = 0;
  #assistantSpoke = false;

  add(role: RequestText['role'], text: string): void {
    if (role === 'assistant' && !this.#assistantSpoke) this.assistantTurns += 1;
    this.#assistantSpoke = role === 'assistant';
    this.texts.push({ role, text });
  }
}

/** All user texts before the first assistant text: the goal with what came along. */
export function firstUserText(request: ModelRequest): string {
  const end = request.texts.findIndex((entry) => entry.role === 'assistant');
  const opening = end === -1 ? request.texts : request.texts.slice(0, end);
  return textsOf(opening, 'user').join('\n');
}

/** The last user text, anywhere. */
export function lastUserText(request: ModelRequest): string {
  return textsOf(request.texts, 'user').at(-1) ?? '';
}

/** The last tool result, anywhere. */
export function lastToolResult(request: ModelRequest): string {
  return textsOf(request.texts, 'tool').at(-1) ?? '';
}

/** What users said since the last assistant turn; in the first request what follows the goal, its first user text. */
export function steeringText(request: ModelRequest): string {
  const last = request.texts.findLastIndex((entry) => entry.role === 'assistant');
  const said = textsOf(request.texts.slice(last + 1), 'user');
  return (last === -1 ? said.slice(1) : said).join('\n');
}

/** System, user, assistant and tool texts together. */
export function wholeText(request: ModelRequest): string {
  return [request.system, ...request.texts.map((entry) => entry.text)].join('\n');
}

function textsOf(texts: readonly RequestText[], role: RequestText['role']): string[] {
  return texts.filter((entry) => entry.role === role).map((entry) => entry.text);
}
