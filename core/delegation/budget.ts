import { roundUsd } from '../runs/money.ts';
import type { DayUsage } from './tree.ts';

/**
 * Limits of money and tokens (R5), as arithmetic. A run has a limit of its own; it is within *scopes*, which it shares with others: the sets
 * around it that have one, its conversation, the day. While it is at work it holds `min(own limit, what is left in each scope)`; what is left
 * is the ceiling less what was spent and what others hold. A hold ends with the attempt, and while the run only waits.
 *
 * | at admission                                     | others hold some of the scope | nobody does                     |
 * |--------------------------------------------------|-------------------------------|---------------------------------|
 * | something is left in each scope                  | admitted                      | admitted                        |
 * | nothing is left in one                           | waits: budget                 | refused, with the figures       |
 * | its own limit is used up                         | refused                       | refused                         |
 *
 * | event of a run                                   | its hold                                                             |
 * |--------------------------------------------------|----------------------------------------------------------------------|
 * | an attempt starts; it goes on after it waited    | taken, and told to its worker                                        |
 * | it uses something                                | shrinks by that: held + spent stays                                  |
 * | waits for children, its user, the end of a pause | released                                                             |
 * | waits for a person, a key, storage               | stays: it goes on by itself                                          |
 * | its attempt ends, however                        | released in the same transaction; an open request counts at its worst |
 * | the core restarts                                | read from the rows: the sum over attempts that have not ended        |
 *
 * A run that waits for budget stays in the queue for places and is looked at whenever anybody gives a place back, in order: so none is
 * forgotten, whatever it was that ended.
 */
export type BudgetVerdict =
  | { readonly type: 'admitted'; readonly left: Ceiling }
  | { readonly type: 'wait'; readonly why: string }
  | { readonly type: 'refused'; readonly why: string };

/** Most of money and tokens; null is no limit. */
export interface Ceiling {
  readonly cost_usd: number | null;
  readonly tokens: number | null;
}

/** Some money and tokens. */
export interface Amount {
  readonly cost_usd: number;
  readonly tokens: number;
}

/** What all projects have used on a day, and what their runs at work hold. */
export interface DayFigures {
  readonly spent: DayUsage;
  readonly held: Amount;
}

/** A limit that several runs share. */
export interface LimitScope {
  /** `set 2`, `this conversation`, `today`. */
  readonly name: string;
  /** Where each limit comes from, for whoever wants to raise it. */
  readonly from: { readonly cost_usd: string; readonly tokens: string };
  readonly ceiling: Ceiling;
  readonly spent: DayUsage;
  /** By others than the run that asks. */
  readonly held: Amount;
}

/** No limit at all. */
export const UNLIMITED: Ceiling = { cost_usd: null, tokens: null };

type Kind = keyof Ceiling;

/** Decides on the admission of a run: `own` is what is left of its own limit. */
export function judgeBudget(own: Ceiling, scopes: readonly LimitScope[]): BudgetVerdict {
  const verdicts = (['cost_usd', 'tokens'] as const).map((kind) => judge(kind, own[kind], scopes));
  const refused = verdicts.find(({ refused: why }) => why !== null)?.refused;
  if (refused != null) return { type: 'refused', why: refused };
  const wait = verdicts.find(({ wait: why }) => why !== null)?.wait;
  if (wait != null) return { type: 'wait', why: wait };
  return { type: 'admitted', left: { cost_usd: verdicts[0]?.left ?? null, tokens: verdicts[1]?.left ?? null } };
}

interface KindVerdict {
  readonly left: number | null;
  readonly wait: string | null;
  readonly refused: string | null;
}

function judge(kind: Kind, own: number | null, scopes: readonly LimitScope[]): KindVerdict {
  let left = own;
  let wait: string | null = null;
  if (own !== null && own <= 0) {
    return { left, wait, refused: `Its own limit of ${kind === 'tokens' ? 'tokens' : 'money'} is used up.` };
  }
  for (const scope of scopes) {
    const most = scope.ceiling[kind];
    if (most === null) continue;
    const here = roundUsd(most - scope.spent[kind] - scope.held[kind]);
    if (here > 0) left = left === null ? here : Math.min(left, here);
    else if (scope.held[kind] <= 0) return { left, wait, refused: figures(scope, kind, most) };
    else wait ??= figures(scope, kind, most);
  }
  return { left, wait, refused: null };
}

/** The limit with what was spent and held (R5). */
function figures({ name, from, spent, held }: LimitScope, kind: Kind, most: number): string {
  const unknown = kind === 'cost_usd' && spent.unknown ? ', and more at unknown prices' : '';
  return (
    `Nothing is left of the limit of ${amountWords(kind, most)} of ${name} (${from[kind]}): ` +
    `${amountWords(kind, spent[kind])} spent${unknown}, ${amountWords(kind, held[kind])} held by runs at work.`
  );
}

/** `$2.99`, `$0.0123`, `1,200 tokens`. */
export function amountWords(kind: Kind, amount: number): string {
  if (kind === 'tokens') return `${amount.toLocaleString('en-US')} tokens`;
  const cents = Math.round(amount * 100) / 100;
  return `$${cents === roundUsd(amount) ? amount.toFixed(2) : String(roundUsd(amount))}`;
}

/** What of a hold is not spent yet; a limit that there is none of holds nothing. */
export function unspent(hold: Ceiling, spent: Amount): Amount {
  return {
    cost_usd: hold.cost_usd === null ? 0 : Math.max(0, roundUsd(hold.cost_usd - spent.cost_usd)),
    tokens: hold.tokens === null ? 0 : Math.max(0, hold.tokens - spent.tokens),
  };
}

/** The sum of two amounts. */
export function addAmounts(a: Amount, b: Amount): Amount {
  return { cost_usd: roundUsd(a.cost_usd + b.cost_usd), tokens: a.tokens + b.tokens };
}

/** The lower of two limits, each by itself. */
export function lowerCeiling(a: Ceiling, b: Ceiling): Ceiling {
  return { cost_usd: lower(a.cost_usd, b.cost_usd), tokens: lower(a.tokens, b.tokens) };
}

function lower(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.min(a, b);
}
