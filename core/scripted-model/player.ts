import type { ServerResponse } from 'node:http';
import { delay } from '../kit/clock.ts';
import type { Clock } from '../kit/clock.ts';
import type { Random } from '../kit/random.ts';
import type { Action, ActionType, Pace, Step } from './compiled-script.ts';
import type { Block, Dialect, FullBlock } from './dialects/dialect.ts';
import type { Gates } from './gates.ts';
import { faultOf, modelError } from './model-error.ts';
import type { ModelRequest } from './model-request.ts';
import { offeredTool } from './offered-tools.ts';
import type { ReplySink } from './reply-sink.ts';
import { sendError } from './reply-sink.ts';
import type { Route } from './router.ts';
import { fillTemplate, fillTemplates } from './template.ts';

/** What a reply is played with. */
export interface Stage {
  readonly request: ModelRequest;
  readonly route: Route;
  readonly dialect: Dialect;
  readonly response: ServerResponse;
  readonly sink: ReplySink;
  readonly gates: Gates;
  readonly clock: Clock;
  readonly random: Random;
  /** Aborted when the client or the server closes. */
  readonly signal: AbortSignal;
  /** Factor on every delay; 0: none. */
  readonly timeScale: number;
}

/** `over`: the step has ended the reply itself. */
type Flow = 'next' | 'over';

/** Plays the steps of one turn; rejects with the signal's reason when it is aborted. */
export async function play(stage: Stage): Promise<void> {
  const turn = new TurnPlayer(stage);
  for (const step of stage.route.steps) {
    stage.signal.throwIfAborted();
    if ((await turn.step(step)) === 'over') return;
  }
  await turn.finish();
}

class TurnPlayer {
  readonly #stage: Stage;
  readonly #blocks: FullBlock[] = [];
  #open: { block: Block; text: string } | undefined;
  #begun = false;
  #rawOnly = false;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  async step(step: Step): Promise<Flow> {
    const { action } = step;
    if ('times' in action && !this.#stage.route.claim(step, action.times)) return 'next';
    const perform = this.#perform[action.type] as (action: Action) => Promise<Flow>;
    return perform(action);
  }

  /** The end that a provider gives to a whole reply. A turn of raw bytes alone brings its own. */
  async finish(): Promise<void> {
    if (!this.#rawOnly) {
      this.#begin();
      this.#close();
      this.#stage.sink.put({ type: 'finish', blocks: this.#blocks });
    }
    await this.#stage.sink.end();
  }

  readonly #perform: { readonly [T in ActionType]: (action: Extract<Action, { type: T }>) => Promise<Flow> } = {
    text: (action) => this.#say({ kind: 'text' }, fillTemplate(action.text, this.#stage.request), action.pace),
    reasoning: (action) =>
      this.#say({ kind: 'reasoning' }, fillTemplate(action.text, this.#stage.request), action.pace),
    tool_call: async (action) => {
      const { call, pace } = action;
      this.#close();
      const id = call.id ?? this.#stage.random.hex(24);
      const filled = JSON.stringify(fillTemplates(call.arguments ?? {}, this.#stage.request));
      const text = call.raw_arguments ?? filled;
      const { name, namespace } = offeredTool(this.#stage.request.body, call.name);
      const flow = await this.#say({ kind: 'tool_call', id, name, namespace }, text, pace);
      this.#close();
      return flow;
    },
    // Both are in the head of the reply already.
    usage: () => Promise.resolve('next'),
    stop: () => Promise.resolve('next'),
    expect: () => Promise.resolve('next'),
    delay: async (action) => {
      await this.#flush();
      return this.#wait(action.ms);
    },
    wait_for: async (action) => {
      await this.#flush();
      await this.#stage.gates.pass(action.gate, this.#stage.signal);
      return 'next';
    },
    fault: async ({ fault }) => {
      const { error, body } = faultOf(fault, this.#stage.dialect);
      await sendError(this.#stage.response, error, body, fault.headers);
      return 'over';
    },
    stream_error: async (action) => {
      this.#begin();
      this.#close();
      this.#stage.sink.put({ type: 'error', error: modelError(action.error, this.#stage.dialect) });
      await this.#stage.sink.end();
      return 'over';
    },
    reset: async () => {
      if (this.#begun || this.#rawOnly) await this.#stage.sink.flush();
      this.#stage.response.destroy();
      return 'over';
    },
    end_without_stop: async () => {
      await this.#stage.sink.end();
      return 'over';
    },
    silence: async () => {
      await this.#stage.sink.flush();
      return new Promise<Flow>((_, reject) => {
        const { signal } = this.#stage;
        if (signal.aborted) reject(signal.reason as Error);
        else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
    },
    raw: async (action) => {
      this.#rawOnly = !this.#begun;
      for (const chunk of action.chunks) {
        await this.#wait(chunk.delayMs);
        await this.#stage.sink.raw(chunk.bytes);
      }
      return 'next';
    },
  };

  async #say(block: Block, text: string, own: Partial<Pace>): Promise<Flow> {
    this.#begin();
    if (this.#open?.block.kind !== block.kind) {
      this.#close();
      this.#open = { block, text: '' };
      this.#stage.sink.put({ type: 'block_start', block });
    }
    const pace = { ...this.#stage.route.conversation.pace, ...own };
    const characters = Array.from(text);
    for (let from = 0; from < characters.length; from += pace.chunkSize) {
      const delta = characters.slice(from, from + pace.chunkSize).join('');
      this.#open.text += delta;
      this.#stage.sink.put({ type: 'block_delta', delta });
      if (pace.chunkDelayMs === 0) continue;
      await this.#stage.sink.flush();
      await this.#wait(pace.chunkDelayMs);
    }
    return 'next';
  }

  /** Before a fault nothing may be sent: its status is that of the whole reply. */
  async #flush(): Promise<void> {
    if (this.#begun || !this.#stage.route.steps.some(({ action }) => action.type === 'fault')) {
      await this.#stage.sink.flush();
    }
  }

  #begin(): void {
    if (!this.#begun) this.#stage.sink.put({ type: 'begin' });
    this.#begun = true;
    this.#rawOnly = false;
  }

  #close(): void {
    if (this.#open === undefined) return;
    const block: FullBlock = { ...this.#open.block, text: this.#open.text };
    this.#open = undefined;
    this.#blocks.push(block);
    this.#stage.sink.put({ type: 'block_end', block });
  }

  async #wait(ms: number): Promise<Flow> {
    const scaled = ms * this.#stage.timeScale;
    if (scaled > 0) await delay(this.#stage.clock, scaled, this.#stage.signal);
    return 'next';
  }
}
