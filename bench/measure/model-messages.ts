/** A task whose goal has this text is answered only when the gate is opened. */
export const HELD_GOAL = 'Wait at the gate';
export const GATE = 'work';

/** To this the model answers with one call of the tool `subagent`: ten children at once, in the words of pi-subagents. */
export const FAN_OUT_GOAL = 'Have ten of them say that it is done';
export const FAN_OUT = 10;

/** To the model's process. `count` replies. */
export type ToModel =
  | { readonly type: 'release'; readonly count: number }
  | { readonly type: 'await'; readonly count: number }
  | { readonly type: 'count' };

/** From the model's process: it listens; as many replies as were awaited are held; it was asked so often. */
export type ToParent =
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'waiting' }
  | { readonly type: 'asked'; readonly count: number };
