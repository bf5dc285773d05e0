/** A task whose goal has this text is answered only when the gate is opened. */
export const HELD_GOAL = 'Wait at the gate';
export const GATE = 'work';

/** To the model's process. `count` replies. */
export type ToModel =
  { readonly type: 'release'; readonly count: number } | { readonly type: 'await'; readonly count: number };

/** From the model's process: it listens; as many replies as were awaited are held. */
export type ToParent = { readonly type: 'ready'; readonly url: string } | { readonly type: 'waiting' };
