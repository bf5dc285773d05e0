/** One item of the tree for keyboard and readers, in the order in which it is read. */
export interface TreeItem {
  readonly id: string;
  readonly type: 'lead' | 'set' | 'run';
  readonly level: number;
  readonly parent: string | null;
  readonly place: number;
  readonly siblings: number;
  /** A set: whether its rows are shown. A run or lead: whether something hangs off it; null if nothing does. */
  readonly expanded: boolean | null;
}

/** What a key does in the tree. */
export type TreeMove =
  | { readonly type: 'focus'; readonly id: string }
  | { readonly type: 'fold'; readonly id: string }
  | { readonly type: 'open' | 'peek' | 'stop'; readonly id: string };

const focus = (item: TreeItem | undefined): TreeMove | null =>
  item === undefined ? null : { type: 'focus', id: item.id };

type Folds = (item: TreeItem) => boolean;

/** In the tree only sets fold: what hangs off a run has its own card. */
const setsFold: Folds = ({ type }) => type === 'set';

function arrowRight(items: readonly TreeItem[], at: number, item: TreeItem, folds: Folds): TreeMove | null {
  if (folds(item) && item.expanded === false) return { type: 'fold', id: item.id };
  const next = items[at + 1];
  return next?.parent === item.id ? focus(next) : null;
}

function arrowLeft(items: readonly TreeItem[], item: TreeItem, folds: Folds): TreeMove | null {
  if (folds(item) && item.expanded === true) return { type: 'fold', id: item.id };
  return focus(items.find(({ id }) => id === item.parent));
}

/** What `key` does on the item `current` (WAI-ARIA tree pattern); null if it means nothing. */
export function treeMove(
  items: readonly TreeItem[],
  current: string | null,
  key: string,
  folds: Folds = setsFold,
): TreeMove | null {
  const at = items.findIndex(({ id }) => id === current);
  const item = items[at];
  if (item === undefined) return focus(items[0]);
  switch (key) {
    case 'ArrowDown':
      return focus(items[at + 1]);
    case 'ArrowUp':
      return focus(items[at - 1]);
    case 'Home':
      return focus(items[0]);
    case 'End':
      return focus(items.at(-1));
    case 'ArrowRight':
      return arrowRight(items, at, item, folds);
    case 'ArrowLeft':
      return arrowLeft(items, item, folds);
    case 'Enter':
      return { type: 'open', id: item.id };
    case ' ':
      return { type: 'peek', id: item.id };
    case 'Delete':
    case 'Backspace':
      return { type: 'stop', id: item.id };
    default:
      return null;
  }
}

/** Typed characters belong together while no longer than this passes between them. */
const TYPEAHEAD_MS = 700;

/** What is typed so far, with this key; null for a key that is no text: a digit is a shortcut, and `?` shows all of them. */
export function typedText(
  before: { readonly text: string; readonly at: number },
  { key, timeStamp }: { readonly key: string; readonly timeStamp: number },
): string | null {
  const typing = before.text !== '' && timeStamp - before.at < TYPEAHEAD_MS;
  // Within what is being typed a space is a part of it, not a peek.
  if (!/^[^\s\d?]$/u.test(key) && !(typing && key === ' ')) return null;
  return typing ? before.text + key : key;
}

/** The next item after `current` whose name begins with what was typed; one character repeated steps through them. */
export function typeahead(
  items: readonly TreeItem[],
  nameOf: (item: TreeItem) => string,
  current: string | null,
  typed: string,
): string | null {
  const wanted = (/^(.)\1*$/.test(typed) ? typed.charAt(0) : typed).toLowerCase();
  const at = items.findIndex(({ id }) => id === current);
  const step = wanted.length === 1 ? 1 : 0;
  const order = [...items.slice(at + step), ...items.slice(0, at + step)];
  return order.find((item) => nameOf(item).toLowerCase().startsWith(wanted))?.id ?? null;
}
