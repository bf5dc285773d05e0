import type { ContractRouterClient } from '@orpc/contract';
import { createRouterClient, implement, type Router } from '@orpc/server';
import type { Logger } from '../../kit/logger.ts';
import { contract } from '../../protocol/contract.ts';
import type { DesktopWatches } from '../desktop/desktop-watches.ts';
import type { FeedHub } from '../live/feed-hub.ts';
import type { Caller, CoreService } from '../service.ts';
import { ExpectedFailure, toWireError } from './wire-error.ts';

/** What a transport knows of a connection. */
export interface ApiContext {
  readonly caller: Caller;
}

/** The core's API for any transport. */
export type ApiRouter = Router<typeof contract, ApiContext>;

/** Many more than a client has views; a bound all the same. */
const MAX_SCOPES = 256;
const MAX_SUBSCRIPTIONS = 512;

type Method = (input: unknown, caller: Caller) => Promise<{ ok: boolean; value?: unknown; error?: never }>;
interface Procedure {
  handler(handle: (call: { input: unknown; context: ApiContext; signal?: AbortSignal }) => Promise<unknown>): unknown;
}

/**
 * The API of a core: the service's areas as procedures, and the live feed. Every error that leaves it is `FAILED` with an
 * `ApiError`; what was not expected is logged without its message. Without `desktops` no desktop is told anything.
 */
export function createRouter(
  service: CoreService,
  hub: FeedHub,
  logger: Logger,
  desktops: DesktopWatches | null = null,
): ApiRouter {
  const os = implement(contract)
    .$context<ApiContext>()
    // Before the validation of the input, so that also what the schemas refuse passes here.
    .use(({ next, path }) => orWireError(() => next(), path, logger));
  const live = implementLive(logger);
  const areas: Record<string, Record<string, unknown>> = {
    live: { ...liveArea(live, hub, logger), ...desktopArea(live, desktops, logger) },
  };
  for (const [area, methods] of Object.entries(service)) {
    const procedures: Record<string, unknown> = {};
    for (const name of Object.keys(methods)) {
      // Service and contract have the same members: `CoreService` is made from the contract.
      const procedure = (os as unknown as Record<string, Record<string, Procedure>>)[area]?.[name];
      const method = (methods as Record<string, Method>)[name];
      if (procedure === undefined || method === undefined) continue;
      procedures[name] = procedure.handler(async ({ input, context, signal }) => {
        const result = await method.call(methods, input, { ...context.caller, signal });
        if (result.ok) return result.value;
        throw new ExpectedFailure(result.error as never);
      });
    }
    areas[area] = procedures;
  }
  return os.router(areas as never);
}

async function orWireError<T>(next: () => T, path: readonly string[], logger: Logger): Promise<Awaited<T>> {
  try {
    return await next();
  } catch (error) {
    throw toWireError(error, path.join('.'), logger);
  }
}

/** Rows of the feed were made by us from parsed events: to parse thousands of them again would hold up the loop. */
function implementLive(logger: Logger) {
  return implement(contract.live, { initialOutputValidationIndex: Number.NaN })
    .$context<ApiContext>()
    .use(({ next, path }) => orWireError(() => next(), path, logger));
}

function liveArea(live: ReturnType<typeof implementLive>, hub: FeedHub, logger: Logger): Record<string, unknown> {
  return {
    subscribe: live.subscribe.handler(({ input, signal }) => {
      checkScopes(input.scopes.length);
      if (hub.subscriptions >= MAX_SUBSCRIPTIONS) {
        throw new ExpectedFailure({ code: 'limit_reached', message: 'Too many clients are subscribed. Close some.' });
      }
      return withWireErrors(hub.subscribe(input, signal), 'live.subscribe', logger);
    }),
    scopes: live.scopes.handler(({ input }) => {
      checkScopes(input.scopes.length);
      if (!hub.setScopes(input.subscription_id, input.scopes)) throw noSubscription();
      return { done: true };
    }),
    ack: live.ack.handler(({ input }) => {
      if (!hub.ack(input.subscription_id, input.rev)) throw noSubscription();
      return { done: true };
    }),
  };
}

function desktopArea(
  live: ReturnType<typeof implementLive>,
  desktops: DesktopWatches | null,
  logger: Logger,
): Record<string, unknown> {
  const told = (): DesktopWatches => {
    if (desktops !== null) return desktops;
    throw new ExpectedFailure({ code: 'not_allowed', message: 'This core tells no desktop.' });
  };
  return {
    desktop: live.desktop.handler(({ signal }) => {
      const watch = told().open(signal);
      if (watch !== null) return withWireErrors(watch, 'live.desktop', logger);
      throw new ExpectedFailure({ code: 'limit_reached', message: 'Too many desktops show this core. Close some.' });
    }),
    looks: live.looks.handler(({ input }) => {
      if (!told().looks(input.watch_id, input.conversation_id)) throw noSubscription();
      return { done: true };
    }),
    work: live.work.handler(() => told().work()),
  };
}

function checkScopes(count: number): void {
  if (count <= MAX_SCOPES) return;
  throw new ExpectedFailure({ code: 'invalid_input', message: `At most ${MAX_SCOPES} scopes can be watched at once.` });
}

function noSubscription(): ExpectedFailure {
  return new ExpectedFailure({ code: 'not_found', message: 'This subscription has ended. Subscribe again.' });
}

/** The feed with its own errors as wire errors too; everything else of it untouched, so that its `return` ends a wait. */
function withWireErrors<T>(
  feed: AsyncGenerator<T, undefined, undefined>,
  name: string,
  logger: Logger,
): AsyncGenerator<T, undefined, undefined> {
  return {
    next: () =>
      feed.next().catch((error: unknown) => {
        throw toWireError(error, name, logger);
      }),
    return: () => feed.return(undefined),
    throw: (error) => feed.throw(error),
    [Symbol.asyncIterator]() {
      return this;
    },
    [Symbol.asyncDispose]: async () => {
      await feed.return(undefined);
    },
  };
}

/** A client of the router without any transport between; `client` is who it is to others. */
export function localClient(router: ApiRouter, client: string): ContractRouterClient<typeof contract> {
  return createRouterClient(router, { context: { caller: { client } } });
}
