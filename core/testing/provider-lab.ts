import type { ServerResponse } from 'node:http';
import { systemClock } from '../kit/clock.ts';
import type { ModelFailure } from '../providers/failures/failure.ts';
import type { ProviderKind } from '../providers/models/bundle.ts';
import { loopbackBundle } from '../providers/stream/dialects.ts';
import type { ModelEvent } from '../providers/stream/events.ts';
import { startRawServer } from '../providers/stream/raw-server.ts';
import type { RawServer } from '../providers/stream/raw-server.ts';
import { streamModel } from '../providers/stream/stream-model.ts';

const REQUEST = {
  system: 's',
  messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'hi' }] }],
  tools: [],
};

type Answer = (response: ServerResponse) => void;

/** One request after the other to a real server that answers as it is told. Dispose it after the test. */
export class ProviderLab {
  #server: RawServer | null = null;

  /** Everything that a request to a provider of this kind gives, when its server answers so. */
  async run(kind: ProviderKind, answer: Answer, key?: string): Promise<ModelEvent[]> {
    const events: ModelEvent[] = [];
    for await (const event of await this.stream(kind, answer, { key })) events.push(event);
    return events;
  }

  /** The same, event by event; an earlier server is closed. */
  async stream(
    kind: ProviderKind,
    answer: Answer,
    { key, signal }: { key?: string | undefined; signal?: AbortSignal } = {},
  ): Promise<AsyncIterable<ModelEvent>> {
    await this.dispose();
    this.#server = await startRawServer((response) => answer(response));
    const options = { signal: signal ?? new AbortController().signal, clock: systemClock };
    return streamModel(loopbackBundle(kind, this.#server.url, key), REQUEST, options);
  }

  /** How many requests the server has had. */
  get requests(): number {
    return this.#server?.requests.length ?? 0;
  }

  async dispose(): Promise<void> {
    await this.#server?.close();
    this.#server = null;
  }
}

/** The failure at the end of the events; throws when they end otherwise. */
export function failureOf(events: readonly ModelEvent[]): ModelFailure {
  const last = events.at(-1);
  if (last?.type !== 'failure') throw new Error(`no failure at the end: ${JSON.stringify(last)}`);
  return last.failure;
}

/** An error body as Anthropic's servers write it. */
export const claude = (type: string, message: string): unknown => ({ type: 'error', error: { type, message } });

/** An error body as OpenAI's servers write it. */
export const gpt = (type: string, code: string | null, message: string): unknown => ({
  error: { message, type, param: null, code },
});
