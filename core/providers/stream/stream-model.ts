import { assertNever } from '../../kit/assert-never.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Tokens } from '../../protocol/usage.ts';
import { modelFailure, presentable } from '../failures/failure.ts';
import type { ModelFailure } from '../failures/failure.ts';
import { MessageAssembler } from '../messages/assembler.ts';
import type { ModelRequest } from '../messages/message.ts';
import { toCall } from '../messages/to-call.ts';
import type { ModelBundle } from '../models/bundle.ts';
import { redactor, secretsOf } from '../secrets/redactor.ts';
import type { FinishReason, ModelEvent } from './events.ts';
import { openModel } from './language-model.ts';
import type { StreamPart } from './language-model.ts';
import { Wiretap } from './wiretap.ts';

export interface StreamOptions {
  /** Ends the request; the last event is then `aborted`. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Called at each byte that comes from the provider, keep-alives too (R7). */
  readonly onActivity?: () => void;
}

const BROKEN_OFF = 'The answer broke off: the stream ended without a finish reason';

/**
 * One request to a model, once: no retries. Nothing is executed, and no argument is repaired. Failures are events with all
 * secrets of the bundle taken out (case 51); it throws only for a bug. Leaving the loop early ends the request.
 */
export async function* streamModel(
  bundle: ModelBundle,
  request: ModelRequest,
  options: StreamOptions,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { abort, unlink } = linkedAbort(options.signal);
  const wire = new Wiretap(bundle, options.clock, options.onActivity);
  const answer = new AnswerReader();
  let thrown: unknown = null;
  let answering = false;
  let counted: Tokens | null = null;
  try {
    const model = await openModel(bundle, wire.fetch);
    const { stream } = await model.doStream(toCall(bundle, request, abort.signal));
    answering = true;
    for await (const part of stream) {
      yield* answer.read(part);
      const tokens = wire.tokens;
      if (isNews(tokens, counted)) yield { type: 'usage', tokens: (counted = tokens) };
    }
  } catch (error) {
    thrown = error;
  } finally {
    unlink();
    abort.abort();
  }
  const tokens = wire.tokens;
  if (isNews(tokens, counted)) yield { type: 'usage', tokens };
  if (options.signal.aborted) return yield { type: 'aborted' };
  const failure = wire.failure ?? (thrown === null ? answer.failure : thrownFailure(thrown, answering));
  if (failure) yield { type: 'failure', failure: presentable(failure, redactor(secretsOf(bundle))) };
  else yield* answer.finish();
}

/** Our own signal, which follows the caller's: it also ends the request when the caller leaves the loop. */
function linkedAbort(signal: AbortSignal): { abort: AbortController; unlink: () => void } {
  const abort = new AbortController();
  const onAbort = (): void => abort.abort();
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return { abort, unlink: () => signal.removeEventListener('abort', onAbort) };
}

/** Reads the parts of one answer as the SDK's package gives them. */
class AnswerReader {
  readonly #message = new MessageAssembler();
  #reason: FinishReason | null = null;
  #failure: ModelFailure | null = null;

  /** Null when the answer came to a proper end. */
  get failure(): ModelFailure | null {
    return this.#failure ?? (this.#reason === null ? modelFailure('network', BROKEN_OFF) : null);
  }

  *read(part: StreamPart): Generator<ModelEvent> {
    switch (part.type) {
      case 'text-start':
      case 'text-end':
        return this.#message.append('text', part.id, '', part.providerMetadata);
      case 'reasoning-start':
      case 'reasoning-end':
        return this.#message.append('reasoning', part.id, '', part.providerMetadata);
      case 'text-delta':
        this.#message.append('text', part.id, part.delta, part.providerMetadata);
        if (part.delta) yield { type: 'text_delta', text: part.delta };
        return;
      case 'reasoning-delta':
        this.#message.append('reasoning', part.id, part.delta, part.providerMetadata);
        if (part.delta) yield { type: 'reasoning_delta', text: part.delta };
        return;
      case 'tool-input-start':
        this.#message.startCall(part.id, part.toolName, part.providerMetadata);
        yield { type: 'tool_call_start', id: part.id, name: part.toolName };
        return;
      case 'tool-input-delta':
        this.#message.appendCall(part.id, part.delta);
        yield { type: 'tool_call_delta', id: part.id, text: part.delta };
        return;
      case 'tool-call':
        return this.#message.endCall(part.toolCallId, part.toolName, part.input, part.providerMetadata);
      case 'error':
        this.#failure ??= unreadable(part.error);
        return;
      case 'finish':
        return this.#end(part.finishReason);
      case 'stream-start':
      case 'response-metadata':
      case 'tool-input-end':
      case 'ping':
      case 'raw':
        return;
      case 'source':
      case 'file':
      case 'reasoning-file':
      case 'custom':
      case 'tool-result':
      case 'tool-approval-request':
        // What providers find, make or run themselves: we ask for none of it.
        return;
      default:
        return assertNever(part);
    }
  }

  *finish(): Generator<ModelEvent> {
    const { calls, message } = this.#message;
    for (const { id, name, raw_arguments, complete } of calls) {
      yield { type: 'tool_call', id, name, raw_arguments, complete };
    }
    yield { type: 'finish', reason: settled(this.#reason ?? 'other', calls.length > 0), message };
  }

  #end({ unified, raw }: Extract<StreamPart, { type: 'finish' }>['finishReason']): void {
    switch (unified) {
      case 'stop':
        this.#reason = 'end';
        return;
      case 'length':
        this.#reason = 'max_tokens';
        return;
      case 'tool-calls':
        this.#reason = 'tool_calls';
        return;
      case 'content-filter':
        this.#reason = 'content_filter';
        return;
      case 'error':
      case 'other':
        // A server's own word for a failure of its model; without any word the stream just ended.
        if (unified === 'other' && raw && raw !== 'error') this.#reason = 'other';
        else if (raw) this.#failure ??= modelFailure('server_error', `The provider ended the answer with "${raw}"`);
        return;
      case 'interrupted':
        return;
      default:
        return assertNever(unified);
    }
  }
}

/** Some servers say "stop" beside tool calls, and some "tool calls" beside none; what is there counts. */
function settled(reason: FinishReason, hasCalls: boolean): FinishReason {
  if (hasCalls && (reason === 'end' || reason === 'other')) return 'tool_calls';
  return !hasCalls && reason === 'tool_calls' ? 'end' : reason;
}

function unreadable(error: unknown): ModelFailure {
  // Not an event but the end of the stream, as one of the packages tells it.
  if (error instanceof Error && /without a finish reason/.test(error.message))
    return modelFailure('network', BROKEN_OFF);
  const name = error instanceof Error ? error.name.replace(/^AI_/, '') : 'unknown event';
  return modelFailure('server_error', `The provider sent an event that could not be read (${name})`);
}

/** The package threw without a word from the wire: the answer, or before it our request, is not of its dialect. */
function thrownFailure(error: unknown, answering: boolean): ModelFailure {
  if (answering) return unreadable(error);
  return modelFailure(
    'bad_request',
    `The request could not be made: ${error instanceof Error ? error.message : String(error)}`,
  );
}

function isNews(tokens: Tokens | null, before: Tokens | null): tokens is Tokens {
  if (tokens === null || before === null) return tokens !== null;
  return (Object.keys(tokens) as (keyof Tokens)[]).some((member) => tokens[member] !== before[member]);
}
