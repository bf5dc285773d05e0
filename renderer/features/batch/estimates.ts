import { afterOf } from './after.ts';
import type { Draft } from './draft.ts';
import { numberIn, objectOf } from './task-fields.ts';
import { effective, type World } from './world.ts';

export interface Places {
  /** Tasks that wait for no other. */
  readonly ready: number;
  /** Tasks that wait for others. */
  readonly waiting: number;
  /** How many of them may be at work at once. */
  readonly atOnce: number;
  readonly taken: number;
  readonly places: number;
}

/** How the tasks of the batch get to work. */
export function placesOf(draft: Draft, world: World): Places {
  const ready = afterOf(draft).filter(({ places }) => places.length === 0).length;
  const own = numberIn(draft.head, 'max_concurrent') ?? world.perSet;
  return {
    ready,
    waiting: draft.rows.length - ready,
    atOnce: Math.max(1, Math.min(own, world.perSet, world.places)),
    taken: world.atWork,
    places: world.places,
  };
}

export interface Money {
  /** USD at most for the tasks that have a limit of their own, with their retries; capped by the limit of the batch. */
  readonly atMost: number;
  /** Tasks that could cost something and have no limit. */
  readonly open: number;
  /** Nothing can exceed `atMost`: every task has a limit, or the batch as a whole. */
  readonly bounded: boolean;
  readonly left: number | null;
}

/** What the batch may cost. A program without a model costs nothing. */
export function moneyOf(draft: Draft, world: World): Money {
  const cap = numberIn(objectOf(draft.head, 'tree_limits'), 'max_cost_usd');
  let sum = 0;
  let open = 0;
  for (const { task } of draft.rows) {
    const { command, limits, retry } = effective(task, draft.head, world);
    if (command) continue;
    const limit = numberIn(limits, 'max_cost_usd');
    if (limit === null) open += 1;
    else sum += limit * (1 + Math.max(0, retry));
  }
  const bounded = open === 0 || cap !== null;
  return {
    atMost: cap === null ? sum : open > 0 ? cap : Math.min(cap, sum),
    open: cap === null ? open : 0,
    bounded,
    left: world.leftUsd,
  };
}
