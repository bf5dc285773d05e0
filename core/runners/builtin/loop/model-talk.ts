import { assertNever } from '../../../kit/assert-never.ts';
import type { Assignment } from '../../../protocol/frames.ts';
import type { ProviderFailure } from '../../../protocol/outcome.ts';
import type { ModelFailure } from '../../../providers/failures/failure.ts';
import type { InFlight } from '../../../protocol/report.ts';
import type { ModelBundle } from '../../../providers/models/bundle.ts';
import { KeyHolds } from '../../../providers/retry/key-holds.ts';
import type { Message, ModelRequest } from '../../../providers/messages/message.ts';
import type { SentPrompt } from '../../../protocol/sent-prompt.ts';
import type { RunnerPort } from '../../contract.ts';
import { SentPrompts } from '../../sent-prompts.ts';
import type { Conversation, Shrinkage } from './conversation.ts';
import { modelTurn, type TurnOutcome } from './model-turn.ts';
import type { Spending } from './spending.ts';

/** Tokens of a window that nobody told us, for what has to be bounded beforehand. */
const USUAL_WINDOW = 128_000;

/** Times that a request refused as too long is made smaller and sent again (B15). */
const MOST_SHRINKS = 3;

/** After these a declared fallback model may do better; a request that is wrong in itself stays wrong (R8). */
const FALLS_BACK: ReadonlySet<ProviderFailure> = new Set([
  'auth',
  'billing',
  'rate_limit',
  'overloaded',
  'model_not_found',
  'network',
  'server_error',
]);

/** Who is told of a request. */
export interface RequestListener {
  /** It is about to be sent, and costs so much at worst. */
  onOpen(worst: InFlight): void;
  /** It has reached a provider. */
  onSent(): void;
}

/** Talks to the model of a run: shrinks a conversation that is too long, and goes on with declared fallback models. */
export class ModelTalk {
  readonly #assignment: Assignment;
  readonly #port: RunnerPort;
  readonly #conversation: Conversation;
  readonly #spending: Spending;
  readonly #candidates: readonly ModelBundle[];
  readonly #holds: KeyHolds;
  readonly #prompts: SentPrompts;
  #current = 0;

  constructor(assignment: Assignment, port: RunnerPort, conversation: Conversation, spending: Spending) {
    this.#assignment = assignment;
    this.#port = port;
    this.#conversation = conversation;
    this.#spending = spending;
    this.#candidates = assignment.models;
    this.#prompts = new SentPrompts(assignment.spill_folder);
    this.#holds = new KeyHolds(port.clock, (key_id, until) => port.keyHeld({ key_id, until }));
    port.onKeyHold(({ key_id, until }) => this.#holds.hold(key_id, until));
  }

  /** The model that is asked now, when a declared fallback took the place of the first one (R8); else null. */
  get fallback(): string | null {
    return this.#current === 0 ? null : refOf(this.#candidate);
  }

  /** Tokens of the current model's window, or of a usual one. */
  get window(): number {
    return this.#candidate.contextWindow ?? USUAL_WINDOW;
  }

  /** Asks the model for its next message. */
  async ask(told: RequestListener): Promise<TurnOutcome> {
    for (let shrinks = 0; ;) {
      const { contextWindow, maxOutput } = this.#candidate;
      if (contextWindow !== null) this.#tell(this.#conversation.fit(contextWindow, maxOutput));
      const outcome = await this.#once(told);
      if (outcome.type !== 'failed') return outcome;
      const { failure } = outcome;
      if (failure.reason === 'context_overflow') {
        shrinks += 1;
        const shrinkage = shrinks > MOST_SHRINKS ? null : this.#conversation.shrink(this.window);
        if (shrinkage === null) return outcome;
        this.#tell(shrinkage);
      } else if (!this.#fallBack(failure)) return outcome;
    }
  }

  async #once({ onOpen, onSent }: RequestListener): Promise<TurnOutcome> {
    const bundle = this.#candidate;
    const { agent, effort, limits } = this.#assignment;
    const chosen = effort ?? agent.effort;
    const request = { ...this.#conversation.request, ...(chosen ? { effort: chosen } : {}) };
    const kept = this.#prompts.keep({ ...request, model: refOf(bundle) }, () =>
      sentPrompt(refOf(bundle), request, this.#port.clock.now()),
    );
    const outcome = await modelTurn(bundle, request, {
      port: this.#port,
      spending: this.#spending,
      ref: refOf(bundle),
      maxTries: Math.max(1, limits.retries),
      inputTokens: this.#conversation.tokens,
      holds: this.#holds,
      onOpen: () => {
        const worst = this.#spending.worst(this.#conversation.tokens, bundle.maxOutput);
        if (worst !== null) onOpen(worst);
      },
      onSent,
    });
    const fault = await kept;
    if (fault !== null) this.#warn(`What was sent could not be kept for reading: ${fault}`);
    if (outcome.type === 'message') {
      const { input, cached_input, cache_write } = this.#spending.lastTokens;
      this.#conversation.counted(input + cached_input + cache_write);
    }
    return outcome;
  }

  get #candidate(): ModelBundle {
    const candidate = this.#candidates[this.#current];
    if (candidate === undefined) throw new Error('The assignment names no model');
    return candidate;
  }

  #fallBack(failure: ModelFailure): boolean {
    const next = this.#candidates[this.#current + 1];
    if (next === undefined || !FALLS_BACK.has(failure.reason)) return false;
    const text = `The model ${refOf(this.#candidate)} failed: ${failure.message}. Going on with ${refOf(next)}.`;
    this.#port.transcript.add({ type: 'notice', level: 'warning' }, text);
    this.#current += 1;
    return true;
  }

  #warn(text: string): void {
    this.#port.transcript.add({ type: 'notice', level: 'warning' }, text);
  }

  #tell(shrinkage: Shrinkage | null): void {
    if (shrinkage === null) return;
    const { before, after } = shrinkage;
    const text = `The context was full: earlier steps were shortened from ${before} to ${after} characters.`;
    this.#port.transcript.add({ type: 'notice', level: 'info' }, text);
  }
}

/** A request as people read it. */
function sentPrompt(model: string, { system, messages, tools }: ModelRequest, at: number): Omit<SentPrompt, 'cut'> {
  return {
    ...{ at, model, system },
    messages: messages.map((message) => ({ role: message.role, text: textOf(message) })),
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, schema: inputSchema })),
  };
}

function textOf(message: Message): string {
  if (message.role === 'tool') return message.results.map(({ text }) => text).join('\n');
  const parts = message.parts.map((part) => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return part.text;
      case 'image':
        return `[${part.mediaType}]`;
      case 'tool_call':
        return `${part.name} ${part.raw_arguments}`;
      default:
        return assertNever(part);
    }
  });
  return parts.join('\n');
}

function refOf({ provider, model }: ModelBundle): string {
  return `${provider}/${model}`;
}
