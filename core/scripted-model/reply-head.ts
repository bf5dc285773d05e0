import { NO_TOKENS } from '../protocol/token-sums.ts';
import type { Tokens } from '../protocol/usage.ts';
import type { StopReason, Step } from './compiled-script.ts';
import type { ReplyHead } from './dialects/dialect.ts';
import type { ModelRequest } from './model-request.ts';

/** The usual rule of thumb for English text and code. */
const CHARACTERS_PER_TOKEN = 4;

const tokensOf = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

/** Counts that a script does not state: made from the lengths of request and reply, so that they grow as real ones do. */
function estimate(steps: readonly Step[], request: ModelRequest): Tokens {
  let output = 0;
  let reasoning = 0;
  for (const { action } of steps) {
    if (action.type === 'text') output += tokensOf(action.text);
    if (action.type === 'reasoning') reasoning += tokensOf(action.text);
    if (action.type === 'tool_call') output += tokensOf(JSON.stringify(action.call));
  }
  return { ...NO_TOKENS, input: tokensOf(JSON.stringify(request.body)), output, reasoning };
}

function stopOf(steps: readonly Step[]): StopReason {
  const stated = steps.findLast(({ action }) => action.type === 'stop');
  if (stated?.action.type === 'stop') return stated.action.stop;
  return steps.some(({ action }) => action.type === 'tool_call') ? 'tool' : 'end';
}

/** Usage and stop reason of a turn, which some dialects say before the content. A stated usage is whole: the rest is 0. */
export function replyHead(
  steps: readonly Step[],
  request: ModelRequest,
  made: { readonly id: string; readonly created: number },
): ReplyHead {
  const stated = steps.findLast(({ action }) => action.type === 'usage');
  const usage = stated?.action.type === 'usage' ? { ...NO_TOKENS, ...stated.action.usage } : estimate(steps, request);
  return { ...made, model: request.model, usage, usageInStream: request.usageInStream, stop: stopOf(steps) };
}
