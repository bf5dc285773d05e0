import { assertNever } from '../../../kit/assert-never.ts';
import type { ModelFailure } from '../../../providers/failures/failure.ts';
import type { AssistantMessage, ModelRequest } from '../../../providers/messages/message.ts';
import type { ModelBundle } from '../../../providers/models/bundle.ts';
import type { KeyHolds } from '../../../providers/retry/key-holds.ts';
import { requestWithRetries, type RequestEvent } from '../../../providers/retry/request.ts';
import type { FinishReason, ToolCallEvent } from '../../../providers/stream/events.ts';
import type { RunnerPort } from '../../contract.ts';
import { MessageWriter } from './message-writer.ts';
import type { Spending } from './spending.ts';

/** What came of one request. `partial` is what the model had said when it was cut. */
export type TurnOutcome =
  | {
      readonly type: 'message';
      readonly message: AssistantMessage;
      readonly text: string;
      readonly calls: readonly ToolCallEvent[];
      readonly reason: FinishReason;
    }
  | { readonly type: 'failed'; readonly failure: ModelFailure; readonly partial: string }
  | { readonly type: 'stopped'; readonly partial: string }
  | { readonly type: 'over_limit'; readonly limit: 'max_tokens' | 'budget'; readonly partial: string };

interface TurnOptions {
  readonly port: RunnerPort;
  readonly spending: Spending;
  /** Names the model in the accounts. */
  readonly ref: string;
  readonly maxTries: number;
  /** About how many tokens the request has. */
  readonly inputTokens: number;
  /** Keys on which this run waits with others (R8). */
  readonly holds: KeyHolds;
  /** A request is about to be sent. */
  onOpen(): void;
  /** The request has reached the provider. */
  onSent(): void;
}

/** The rule of thumb for text in most languages and code. */
const CHARACTERS_PER_TOKEN = 4;

/** One request with its retries, streamed into the transcript; waits are told as the run's state and as a notice. */
export async function modelTurn(
  bundle: ModelBundle,
  request: ModelRequest,
  options: TurnOptions,
): Promise<TurnOutcome> {
  const turn = new Turn(options, bundle);
  const { port, holds } = options;
  options.onOpen();
  port.requestOpen(true);
  const events = requestWithRetries(bundle, request, {
    signal: port.stop,
    clock: port.clock,
    random: port.random,
    maxTries: options.maxTries,
    holds,
    onActivity: () => {
      options.onSent();
      port.alive();
    },
  });
  try {
    for await (const event of events) {
      const outcome = turn.take(event);
      if (outcome) return outcome;
    }
  } finally {
    port.requestOpen(false);
  }
  throw new Error('A model request ended without a last event');
}

class Turn {
  readonly #options: TurnOptions;
  readonly #writer: MessageWriter;
  readonly #calls: ToolCallEvent[] = [];
  /** Characters of the current try. */
  #streamed = 0;

  constructor(options: TurnOptions, bundle: ModelBundle) {
    this.#options = options;
    this.#writer = new MessageWriter(options.port);
    options.spending.begin(options.ref, bundle.price);
  }

  take(event: RequestEvent): TurnOutcome | null {
    switch (event.type) {
      case 'text_delta':
        this.#writer.addText(event.text);
        return this.#grow(event.text);
      case 'reasoning_delta':
        this.#writer.addReasoning(event.text);
        return this.#grow(event.text);
      case 'tool_call_start':
        this.#writer.callBegins(event.name);
        return null;
      case 'tool_call_delta':
        return this.#grow(event.text);
      case 'tool_call':
        this.#calls.push(event);
        return null;
      case 'usage':
        this.#options.spending.count(event.tokens);
        return null;
      case 'attempt_broken':
        this.#streamed = 0;
        this.#writer.broken(event.keep);
        return null;
      case 'retry_wait':
        return this.#wait(event);
      case 'retry_start':
        this.#options.port.state('running');
        return null;
      case 'finish':
      case 'failure':
      case 'aborted':
        return this.#end(event);
      default:
        return assertNever(event);
    }
  }

  /** More was streamed. At a limit of money or tokens the answer is cut (R5): who leaves the events ends the request. */
  #grow(text: string): TurnOutcome | null {
    this.#streamed += text.length;
    const limit = this.#options.spending.exceeded(this.#streamed / CHARACTERS_PER_TOKEN);
    return limit === null ? null : { type: 'over_limit', limit, partial: this.#cut() };
  }

  #wait({ until, attempt, failure }: Extract<RequestEvent, { type: 'retry_wait' }>): null {
    const { port } = this.#options;
    const seconds = Math.max(1, Math.round((until - port.clock.now()) / 1000));
    const why = failure?.message ?? 'The provider asked to wait';
    port.transcript.add({ type: 'notice', level: 'warning' }, `${why}. Try ${attempt} in ${seconds} s.`);
    port.state('waiting', 'rate_limit', until);
    return null;
  }

  #end(event: Extract<RequestEvent, { type: 'finish' | 'failure' | 'aborted' }>): TurnOutcome {
    const { spending } = this.#options;
    switch (event.type) {
      case 'finish': {
        spending.close();
        this.#writer.finish();
        const { message, reason } = event;
        return { type: 'message', message, text: textOf(message), calls: this.#calls, reason };
      }
      case 'failure':
        spending.close();
        this.#writer.cut();
        return { type: 'failed', failure: event.failure, partial: this.#writer.text };
      case 'aborted':
        return { type: 'stopped', partial: this.#cut() };
      default:
        return assertNever(event);
    }
  }

  /** Cuts the message from our side; its text. What was streamed is paid for, though nobody counted it for us. */
  #cut(): string {
    const output = this.#streamed / CHARACTERS_PER_TOKEN;
    this.#options.spending.close(output > 0 ? { input: this.#options.inputTokens, output } : undefined);
    this.#writer.cut();
    return this.#writer.text;
  }
}

function textOf(message: AssistantMessage): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
