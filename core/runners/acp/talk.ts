import type { AgentProfile } from '../../protocol/profiles/profile.ts';
import type { RunReport } from '../../protocol/report.ts';
import { failureInAnswer } from '../agent-failure.ts';
import type { RunnerPort, Steer } from '../contract.ts';
import { neutralise } from '../../workspace/fences/fence.ts';
import type { Agent } from './agent.ts';
import { failureOf, type Failure } from './agent-session.ts';
import type { Client } from './client.ts';
import { joins, TurnWatch } from './turn-watch.ts';
import type { AgentUsage } from './usage.ts';
import { textOf, type Fields } from './wire.ts';

type Limit = NonNullable<RunReport['limit']>;

/** How a turn of the agent came to its end. */
export type TurnEnd =
  | { readonly type: 'done'; readonly limit: Limit | null }
  /** Cancelled by us at a safe boundary, to go on with a text or after a pause. */
  | { readonly type: 'interrupted' }
  | { readonly type: 'failed'; readonly failure: Failure };

/** What is said in a turn. */
export interface TurnInput {
  readonly text: string;
  readonly ids: readonly string[];
  /** No tool is to be used any more. */
  readonly isLast: boolean;
}

/** What a talk needs. */
export interface TalkParts {
  readonly agent: Agent;
  readonly profile: AgentProfile;
  readonly port: RunnerPort;
  readonly client: Client;
  readonly usage: () => AgentUsage;
}

/** The conversation with an agent: one turn after the other, each with its true end (T3). */
export class Talk {
  readonly #parts: TalkParts;
  readonly #sessionId: string;
  /** Steering texts for the next turn. */
  readonly #waiting: Steer[] = [];
  /** Prompts without an answer. */
  readonly #open = new Set<Promise<unknown>>();
  #cut: 'interrupt' | Limit | null = null;
  #unreachable: Failure | null = null;
  #watch: TurnWatch | null = null;
  /** Texts of the turn that nothing proves to have arrived yet. */
  #unproved: string[] = [];

  constructor(parts: TalkParts) {
    this.#parts = parts;
    this.#sessionId = parts.agent.session.sessionId;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  takeWaiting(): Steer[] {
    return this.#waiting.splice(0);
  }

  /** Keeps texts for the next turn. */
  hold(steers: readonly Steer[]): void {
    this.#waiting.push(...steers);
  }

  /** Ends the turn that runs, as a limit is reached. */
  cut(limit: Limit): void {
    if (this.#cut !== null || this.#open.size === 0) return;
    this.#cut = limit;
    this.#notifyCancel();
  }

  /** Asks the agent to leave its turn; resolves when it has, or when it is gone. */
  async cancel(): Promise<void> {
    if (this.#open.size === 0) return;
    this.#notifyCancel();
    await Promise.allSettled([...this.#open]);
  }

  /** One turn. Never rejects. */
  async turn(input: TurnInput): Promise<TurnEnd> {
    const { client, port } = this.#parts;
    this.#cut = null;
    this.#unproved = [...input.ids];
    client.log.beginTurn();
    client.permissions.beginTurn();
    client.onUpdate = () => this.#heard();
    if (input.isLast) client.permissions.close('The run has reached its limit.');
    this.#watch = new TurnWatch(port, client.endpoint, this.#waiting, this.#actions());
    const results: Fields[] = [];
    try {
      await this.#prompt(input.text, results);
      // Texts that joined the turn have answers of their own; the turn is over with the last of them.
      while (this.#open.size > 0) await Promise.all([...this.#open]);
    } catch (cause) {
      client.log.endTurn(true);
      return { type: 'failed', failure: this.#unreachable ?? failureOf(cause, this.#parts.profile) };
    } finally {
      this.#watch.close();
      this.#watch = null;
    }
    const end = this.#judge(results);
    client.log.endTurn(end.type === 'interrupted');
    return end;
  }

  #actions(): ConstructorParameters<typeof TurnWatch>[3] {
    const { agent, client, profile } = this.#parts;
    const way = joins(profile, agent.session.steers);
    return {
      isAtBoundary: () => !client.log.calls.isBusy && !client.permissions.isOpen && this.#cut === null,
      join: way === null ? null : (steer) => void this.#join(steer, way),
      interrupt: () => {
        this.#cut = 'interrupt';
        this.#notifyCancel();
      },
      unreachable: (why) => {
        const message = `The model endpoint of ${profile.name} cannot be reached any more: ${why}.`;
        this.#unreachable = { reason: 'network', message };
        agent.connection.close(new Error(message));
      },
    };
  }

  async #prompt(text: string, results: Fields[]): Promise<void> {
    const { connection } = this.#parts.agent;
    const params = { sessionId: this.#sessionId, prompt: [{ type: 'text', text }] };
    const answer = connection.request('session/prompt', params);
    this.#open.add(answer);
    try {
      results.push(await answer);
    } finally {
      this.#open.delete(answer);
    }
  }

  /** Puts a text into the turn that runs; what the agent does not take waits for the next turn. */
  async #join(steer: Steer, way: 'prompt' | 'extension'): Promise<void> {
    const { agent, port } = this.#parts;
    const { steer_id, mode, text } = steer;
    const prompt = [{ type: 'text', text: neutralise(text) }];
    const show = (): void => port.transcript.add({ type: 'user', origin: mode, steer_id }, text);
    if (way === 'extension') {
      const params = { sessionId: this.#sessionId, prompt };
      const answer = await agent.connection.request('_session/steering', params).catch(() => null);
      if (answer === null || answer['outcome'] !== 'injected') return void this.#waiting.push(steer);
      show();
      return port.steerDelivered(steer_id);
    }
    show();
    port.steerHandedOver(steer_id);
    const results: Fields[] = [];
    // Its failure is that of the turn; an answer to it proves that it was read.
    await this.#prompt(neutralise(text), results).catch(() => undefined);
    if (results.some(({ stopReason }) => stopReason !== 'cancelled')) port.steerDelivered(steer_id);
  }

  #notifyCancel(): void {
    this.#parts.agent.connection.notify('session/cancel', { sessionId: this.#sessionId });
  }

  /** The agent works on what it was told. */
  #heard(): void {
    this.#watch?.heard();
    this.#prove();
  }

  #prove(): void {
    for (const id of this.#unproved.splice(0)) this.#parts.port.steerDelivered(id);
  }

  /** The outcome is made from everything that came, not from the word at the end (T3). */
  #judge(results: readonly Fields[]): TurnEnd {
    const { client, usage } = this.#parts;
    const counted = results.map((result) => usage().turn(result)).some(Boolean);
    const reasons = results.map(({ stopReason }) => textOf(stopReason));
    const cut = this.#cut;
    if (cut !== null && reasons.includes('cancelled')) {
      return cut === 'interrupt' ? { type: 'interrupted' } : { type: 'done', limit: cut };
    }
    this.#prove();
    const failure = failureOfReason(reasons.at(-1) ?? null) ?? this.#failureOfWords(client.log.answer, counted);
    if (failure !== null) return { type: 'failed', failure };
    if (cut !== null && cut !== 'interrupt') return { type: 'done', limit: cut };
    return { type: 'done', limit: limitOf(reasons.at(-1) ?? null) };
  }

  /** Errors that an agent tells as its answer, or only on stderr, while it claims that all is well. */
  #failureOfWords(answer: string, counted: boolean): Failure | null {
    const { agent, client } = this.#parts;
    const said = failureInAnswer(answer, counted || client.log.spokeAfterTools);
    if (said !== null) return said;
    if (answer.trim() !== '' || client.log.didAnything || counted) return null;
    const line = agent.process.stderr.split('\n').findLast((one) => one.trim() !== '') ?? '';
    return line === '' ? null : failureInAnswer(`[API Error: ${line}]`, false);
  }
}

function limitOf(reason: string | null): Limit | null {
  if (reason === 'max_tokens') return 'max_tokens';
  return reason === 'max_turn_requests' ? 'max_turns' : null;
}

function failureOfReason(reason: string | null): Failure | null {
  if (reason === 'refusal') return { reason: 'content_filter', message: 'The agent refused to go on (refusal).' };
  if (reason === 'cancelled') {
    return { reason: 'server_error', message: 'The agent broke its turn off, although nobody had asked it to.' };
  }
  return null;
}
