import { isDraft, isEmpty, isRecord, type Draft } from './draft.ts';

/** A draft that made way for another one. */
export interface PutAside {
  /** Names it among those of its project. */
  readonly key: number;
  /** When it made way, epoch ms. */
  readonly at: number;
  readonly draft: Draft;
}

/** So many are put aside by new drops; what is dropped then is added to the draft that is there. None is ever let go for another. */
export const MOST_ASIDE = 10;

/** The list with one more draft, the newest first. One with nothing in it is not kept. */
export function putAside(list: readonly PutAside[], draft: Draft, at: number): readonly PutAside[] {
  if (isEmpty(draft)) return list;
  return [{ key: Math.max(0, ...list.map(({ key }) => key)) + 1, at, draft }, ...list];
}

/** Both lists as one, the newest first. */
export function joined(list: readonly PutAside[], more: readonly PutAside[]): readonly PutAside[] {
  const all = [...list, ...more].sort((a, b) => b.at - a.at);
  return all.map((one, place) => ({ ...one, key: all.length - place }));
}

/** The list without one of them. */
export const without = (list: readonly PutAside[], key: number): readonly PutAside[] =>
  list.filter((one) => one.key !== key);

/** Those of what was kept that can be read; the one of an older build has no time of its own and gets `now`. */
export function readAside(kept: Readonly<Record<string, unknown>>, now: number): readonly PutAside[] {
  const list: unknown = kept['aside'];
  const read = Array.isArray(list) ? list.flatMap((one: unknown) => (isPutAside(one) ? [one] : [])) : [];
  const { earlier } = kept;
  return isDraft(earlier) ? [...read, ...putAside([], earlier, now)] : read;
}

function isPutAside(value: unknown): value is PutAside {
  return (
    isRecord(value) && typeof value['key'] === 'number' && typeof value['at'] === 'number' && isDraft(value['draft'])
  );
}
