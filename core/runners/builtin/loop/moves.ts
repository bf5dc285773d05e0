import type { RunReport } from '../../../protocol/report.ts';

/** The limit that ends a run early (T2). */
export type Limit = NonNullable<RunReport['limit']>;

/**
 * What a request to the model is for. `repair` is the one turn after an output that missed its schema (P8), `wind_down` the one after a
 * limit (R4, R5). In both no tool is run but `report_result`.
 */
export type TurnKind = 'normal' | 'repair' | 'wind_down';

/** What is left under the limits of money and tokens, in requests like the last one: many, exactly one more, or none. */
export type Room = 'plenty' | 'one_more' | 'none';

/** Where a run stands at a safe boundary: a model message has ended, and every call in it has its result. */
export interface Standing {
  /** `asked`: a message waits for its answer. `called`: results of calls wait. `spoke`: the last message leaves nothing to answer. */
  readonly phase: 'asked' | 'called' | 'spoke';
  /** What the last message answered. */
  readonly turn: TurnKind;
  readonly lead: boolean;
  /** The limit of turns or calls that is used up; null if neither is. */
  readonly usedUp: 'max_turns' | 'max_tool_calls' | null;
  readonly room: Room;
  /** The limit that `room` speaks of. */
  readonly roomLimit: 'max_tokens' | 'budget';
  /** The limit for which the wind-down turn was made. */
  readonly windDownFor: Limit | null;
  /** `none` was asked for; `missing`: not sent yet; `invalid`: the last message sent one that misses its schema. */
  readonly output: 'none' | 'missing' | 'invalid' | 'valid';
  readonly repaired: boolean;
  /** Steering messages wait. */
  readonly steered: boolean;
  /** Delegations in the background have not come back yet. */
  readonly delegationsOpen: boolean;
}

/** What the loop does next. */
export type Move =
  | { readonly type: 'request'; readonly kind: TurnKind; readonly limit: Limit | null }
  /** Wait for the next message; a lead tells its answer first. */
  | { readonly type: 'await_message' }
  | { readonly type: 'end'; readonly limit: Limit | null };

/**
 * The loop as a table; the first row that fits counts. "Another turn" is: no room → end with the limit; turns or calls used up, or room for
 * one more → wind-down; else a normal request.
 *
 * | the boundary comes after …                 | and …                                    | next                          |
 * | ------------------------------------------ | ---------------------------------------- | ----------------------------- |
 * | a message to the run                       |                                          | another turn                  |
 * | a wind-down                                | lead, for its turns (counted a message)  | await the next message        |
 * | a wind-down                                |                                          | end with that limit           |
 * | a message with calls                       | its output missed, not repaired yet      | repair (no room: end)         |
 * | a message with calls (not a repair)        |                                          | another turn                  |
 * | a message without calls, or a repair       | an output is owed, not repaired yet      | repair (no room: end)         |
 * | a message without calls, or a repair       | an output is owed still                  | end: the core calls it schema |
 * | a message without calls, or a repair       | steering messages wait (C2)              | another turn                  |
 * | a message without calls, or a repair       | lead, or delegations in the background   | await the next message        |
 * | a message without calls, or a repair       |                                          | end                           |
 *
 * Not in the table, because they end a run from anywhere: a stop or deadline, and a request that failed for good.
 */
export function nextMove(standing: Standing): Move {
  const { phase, turn, output, repaired } = standing;
  if (phase === 'asked') return anotherTurn(standing);
  if (turn === 'wind_down') return afterWindDown(standing);
  if (phase === 'spoke' || turn === 'repair') return afterSpeech(standing);
  return output === 'invalid' && !repaired ? repair(standing) : anotherTurn(standing);
}

function afterSpeech(standing: Standing): Move {
  const { output, repaired, steered, lead, delegationsOpen } = standing;
  if (output === 'missing' || output === 'invalid') return repaired ? end(null) : repair(standing);
  if (steered) return anotherTurn(standing);
  return lead || delegationsOpen ? { type: 'await_message' } : end(null);
}

function anotherTurn({ room, roomLimit, usedUp }: Standing): Move {
  if (room === 'none') return end(roomLimit);
  const limit = usedUp ?? (room === 'one_more' ? roomLimit : null);
  return { type: 'request', kind: limit === null ? 'normal' : 'wind_down', limit };
}

function afterWindDown({ lead, windDownFor }: Standing): Move {
  return lead && windDownFor === 'max_turns' ? { type: 'await_message' } : end(windDownFor);
}

function repair({ room, roomLimit }: Standing): Move {
  return room === 'none' ? end(roomLimit) : { type: 'request', kind: 'repair', limit: null };
}

function end(limit: Limit | null): Move {
  return { type: 'end', limit };
}
