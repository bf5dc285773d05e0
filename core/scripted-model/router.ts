import type { CompiledScript, Condition, Conversation, Step } from './compiled-script.ts';
import { firstUserText, lastToolResult, steeringText, wholeText } from './model-request.ts';
import type { ModelRequest } from './model-request.ts';

/** Which steps answer a request. */
export interface Route {
  readonly conversation: Conversation;
  /** 0-based; at or past the number of turns when `otherwise` or the repeated last turn answers. */
  readonly turn: number;
  /** The steps whose conditions hold. */
  readonly steps: readonly Step[];
  /** Whether this is one of the first `times` uses of a step in this turn. */
  readonly claim: (step: Step, times: number) => boolean;
}

/** Why nothing answers a request. */
export interface NoRoute {
  readonly conversation: string | undefined;
  readonly turn: number | undefined;
  readonly problem: string;
}

/** Finds the turn of each request; holds the counters of one script. */
export class Router {
  readonly #script: CompiledScript;
  readonly #counters = new Map<string, number>();

  constructor(script: CompiledScript) {
    this.#script = script;
  }

  route(request: ModelRequest): Route | NoRoute {
    const index = this.#script.conversations.findIndex((conversation) => matches(conversation, request));
    const conversation = this.#script.conversations[index];
    if (conversation === undefined) {
      const opening = JSON.stringify(firstUserText(request).slice(0, 200));
      const problem = `no conversation of the script matches; the first user text begins ${opening}`;
      return { conversation: undefined, turn: undefined, problem };
    }
    const key = `${index}:${conversation.per === 'first_user' ? firstUserText(request) : ''}`;
    const turn = conversation.by === 'requests' ? this.#next(key) : request.assistantTurns;
    const steps = conversation.turns[turn] ?? conversation.beyond;
    if (steps === undefined) {
      const problem = `${conversation.name} has ${conversation.turns.length} turns; this request asks for turn ${turn + 1}`;
      return { conversation: conversation.name, turn, problem };
    }
    const active = steps.filter((step) => isActive(step, request));
    const broken = active.find((step) => step.action.type === 'expect' && !wholeMatch(step.action.pattern, request));
    if (broken?.action.type === 'expect') {
      const problem = `${conversation.name}, turn ${turn + 1}: the request does not match ${String(broken.action.pattern)}`;
      return { conversation: conversation.name, turn, problem };
    }
    return {
      conversation,
      turn,
      steps: active,
      claim: (step, times) => this.#next(`${key}:${turn}:${steps.indexOf(step)}`) < times,
    };
  }

  /** 0 at the first call with this key. */
  #next(key: string): number {
    const value = this.#counters.get(key) ?? 0;
    this.#counters.set(key, value + 1);
    return value;
  }
}

/** An expectation is met by the texts or by the JSON of the body, whichever a pattern is written for. */
function wholeMatch(pattern: RegExp, request: ModelRequest): boolean {
  return pattern.test(wholeText(request)) || pattern.test(JSON.stringify(request.body));
}

function matches({ match }: Conversation, request: ModelRequest): boolean {
  const parts: [RegExp | undefined, () => string][] = [
    [match.model, () => request.model],
    [match.system, () => request.system],
    [match.user, () => firstUserText(request)],
    [match.any, () => wholeText(request)],
  ];
  return parts.every(([pattern, text]) => pattern === undefined || pattern.test(text()));
}

function isActive(step: Step, request: ModelRequest): boolean {
  const holds = step.when === undefined || conditionHolds(step.when, request);
  return holds && !(step.unless !== undefined && conditionHolds(step.unless, request));
}

function conditionHolds(condition: Condition, request: ModelRequest): boolean {
  const { steered, lastToolResult: result, request: body } = condition;
  return (
    (steered === undefined || steered === (steeringText(request) !== '')) &&
    (result === undefined || result.test(lastToolResult(request))) &&
    (body === undefined || body.test(JSON.stringify(request.body)))
  );
}
