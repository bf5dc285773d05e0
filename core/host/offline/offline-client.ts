import { ok, type Result } from '../../kit/result.ts';
import { silentLogger } from '../../kit/logger.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { ExpectedFailure, toWireError } from '../api/wire-error.ts';
import type { ApiClient } from '../serve/local-connection.ts';
import type { Caller } from '../service.ts';
import { openOffline } from './offline-service.ts';

/** The part of the API that only reads what is stored; every client of a core is one too. */
export interface ReadingClient {
  readonly conversations: Pick<ApiClient['conversations'], 'list' | 'show'>;
  readonly sets: Pick<ApiClient['sets'], 'show'>;
  readonly runs: Pick<ApiClient['runs'], 'show'>;
  readonly asks: Pick<ApiClient['asks'], 'list'>;
  readonly transcript: Pick<ApiClient['transcript'], 'page'>;
  readonly settings: Pick<ApiClient['settings'], 'get'>;
}

const CALLER: Caller = { client: 'offline' };

/** A client of the data folder itself, for when no core has it. Its failures look like those of a core. */
export function openOfflineClient(
  home: string,
  packageRoot: string,
): Result<{ readonly client: ReadingClient; close(): void }, ApiError> {
  const opened = openOffline(home, packageRoot);
  if (!opened.ok) return opened;
  const { conversations, sets, runs, asks, transcript, settings } = opened.value.service;
  const client: ReadingClient = {
    conversations: { list: called(conversations.list), show: called(conversations.show) },
    sets: { show: called(sets.show) },
    runs: { show: called(runs.show) },
    asks: { list: async () => called(asks.list)(undefined) },
    transcript: { page: called(transcript.page) },
    settings: { get: async () => called(settings.get)(undefined) },
  };
  return ok({ client, close: () => opened.value.close() });
}

function called<I, O>(method: (input: I, caller: Caller) => Promise<Result<O, ApiError>>): (input: I) => Promise<O> {
  return async (input) => {
    const result = await method(input, CALLER);
    if (result.ok) return result.value;
    throw toWireError(new ExpectedFailure(result.error), 'offline', silentLogger);
  };
}
