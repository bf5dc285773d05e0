import { err, ok, type Result } from '../kit/result.ts';
import { systemClock } from '../kit/clock.ts';
import { systemRandom } from '../kit/random.ts';
import { contract } from '../protocol/contract.ts';
import type { ApiError } from '../protocol/errors.ts';
import type { Snapshot } from '../protocol/feed.ts';
import type { AppRow } from '../protocol/rows.ts';
import { PROTOCOL_VERSION } from '../protocol/version.ts';
import { FeedHub } from '../host/live/feed-hub.ts';
import type { Caller, CoreService } from '../host/service.ts';

/** A call that reached the core. */
export interface FakeCall {
  readonly procedure: string;
  readonly input: unknown;
  readonly caller: Caller;
}

/** Answers of a fake core by procedure, such as `runs.stop`; a function is called with the input. */
export type FakeAnswers = { readonly [procedure: string]: (input: never) => unknown };

/** What a fake core says of itself. */
export const FAKE_APP: AppRow = {
  version: '0.0.0',
  boot: 'boot_fake',
  home: '/nowhere',
  at_work: 0,
  places: 10,
  paused: false,
  cost_today_usd: null,
  storage_banner: null,
  default_model: null,
  default_agent: 'general',
};

/** A core that keeps nothing: it notes the calls and answers as told. For tests of the API, of listeners and clients. */
export function createFakeCore(answers: FakeAnswers = {}): {
  service: CoreService;
  hub: FeedHub;
  calls: FakeCall[];
} {
  const calls: FakeCall[] = [];
  const known: FakeAnswers = {
    'app.info': () => FAKE_APP,
    'app.hello': () => ({
      protocol: PROTOCOL_VERSION,
      version: '0.0.0',
      boot: FAKE_APP.boot,
      home: FAKE_APP.home,
      pid: 1,
    }),
    'projects.list': () => [],
    'asks.list': () => [],
    ...answers,
  };
  const method =
    (procedure: string) =>
    async (input: unknown, caller: Caller): Promise<Result<unknown, ApiError>> => {
      calls.push({ procedure, input, caller });
      const answer = known[procedure];
      if (answer === undefined) return err({ code: 'not_found', message: `No answer to ${procedure}.` });
      const value = await answer(input as never);
      return isFailure(value) ? err(value.failure) : ok(value);
    };
  const areas = Object.entries(contract).filter(([area]) => area !== 'live');
  const service = Object.fromEntries(
    areas.map(([area, names]) => [
      area,
      Object.fromEntries(Object.keys(names).map((name) => [name, method(`${area}.${name}`)])),
    ]),
  ) as unknown as CoreService;
  const hub = new FeedHub({
    clock: systemClock,
    random: systemRandom,
    boot: FAKE_APP.boot,
    snapshot: (scope): Snapshot => ({
      scope,
      app: scope.type === 'app' ? FAKE_APP : null,
      projects: [],
      conversations: [],
      sets: [],
      runs: [],
      asks: [],
      steers: [],
      entries: [],
      entry_count: 0,
    }),
  });
  return { service, hub, calls };
}

/** What an answer gives to refuse. */
export function refusal(failure: ApiError): { readonly failure: ApiError } {
  return { failure };
}

function isFailure(value: unknown): value is { readonly failure: ApiError } {
  return typeof value === 'object' && value !== null && 'failure' in value;
}
