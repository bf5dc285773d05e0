import type { TreeItem } from '../../shared/tree-moves.ts';
import type { SetShape } from './tree-model.ts';

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
