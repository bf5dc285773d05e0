import type { SetShape } from './tree-model.ts';

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

/** Runs of a set in the order of reading: the rows, then what only a tile shows; of a folded card also what made sets. */
function readingOrder(set: SetShape, madeSets: (id: string) => boolean): readonly { readonly id: string }[] {
  const drawn = new Set(set.rows.map(({ id }) => id));
  if (set.large) return [...set.rows, ...set.marks.filter(({ id }) => !drawn.has(id))];
  return set.marks.filter(({ id }) => drawn.has(id) || madeSets(id));
}

/** The items of a tree, depth first: lead, its sets, their runs, the sets that those made. */
export function treeItems(sets: readonly SetShape[], leadId: string | null): readonly TreeItem[] {
  const items: TreeItem[] = [];
  const ofRun = Map.groupBy(sets, (set) => set.parent ?? '');
  const tiers = ofRun.get('') ?? [];
  if (leadId !== null) {
    const expanded = tiers.length > 0 ? true : null;
    items.push({ id: leadId, type: 'lead', level: 1, parent: null, place: 1, siblings: 1, expanded });
  }

  const addSets = (children: readonly SetShape[], level: number, parent: string | null): void => {
    children.forEach((set, index) => {
      const expanded = !set.folded;
      items.push({ id: set.id, type: 'set', level, parent, place: index + 1, siblings: children.length, expanded });
      const inOrder = readingOrder(set, (id) => ofRun.has(id));
      inOrder.forEach(({ id }, place) => {
        const nested = ofRun.get(id) ?? [];
        items.push({
          id,
          type: 'run',
          level: level + 1,
          parent: set.id,
          place: place + 1,
          siblings: inOrder.length,
          expanded: nested.length > 0 ? true : null,
        });
        addSets(nested, level + 2, id);
      });
    });
  };
  addSets(tiers, leadId === null ? 1 : 2, leadId);
  return items;
}

/** What a key does in the tree. */
export type TreeMove =
  | { readonly type: 'focus'; readonly id: string }
  | { readonly type: 'fold'; readonly id: string }
  | { readonly type: 'open' | 'peek' | 'stop'; readonly id: string };

const focus = (item: TreeItem | undefined): TreeMove | null =>
  item === undefined ? null : { type: 'focus', id: item.id };

function arrowRight(items: readonly TreeItem[], at: number, item: TreeItem): TreeMove | null {
  if (item.type === 'set' && item.expanded === false) return { type: 'fold', id: item.id };
  const next = items[at + 1];
  return next?.parent === item.id ? focus(next) : null;
}

function arrowLeft(items: readonly TreeItem[], item: TreeItem): TreeMove | null {
  if (item.type === 'set' && item.expanded === true) return { type: 'fold', id: item.id };
  return focus(items.find(({ id }) => id === item.parent));
}

/** What `key` does on the item `current` (WAI-ARIA tree pattern); null if it means nothing. */
export function treeMove(items: readonly TreeItem[], current: string | null, key: string): TreeMove | null {
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
      return arrowRight(items, at, item);
    case 'ArrowLeft':
      return arrowLeft(items, item);
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
