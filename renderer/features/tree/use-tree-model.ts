import { createContext, useContext, useState } from 'react';
import type { Filter } from '../../app/filter.ts';
import { useFilter } from '../../app/filter-state.ts';
import { currentOf } from '../../app/current-runs.ts';
import { useLive } from '../../app/live.ts';
import type { LiveState } from '../../app/live-state.ts';
import { useShown } from '../../app/replay.ts';
import { useUi } from '../../app/ui-store.ts';
import { heldRow, useTreeFocus } from './tree-focus.ts';
import type { TreeItem } from '../../shared/tree-moves.ts';
import { treeModel, type SetShape, type TreeView } from './tree-model.ts';

type View = Pick<TreeView, 'folded' | 'expanded'> & { readonly filter: Filter };

function sameRows<T extends { readonly id: string; readonly mark: string; readonly height?: number }>(
  a: readonly T[],
  b: readonly T[],
): boolean {
  return (
    a.length === b.length &&
    a.every((row, at) => row.id === b[at]?.id && row.mark === b[at].mark && row.height === b[at].height)
  );
}

function sameShape(a: SetShape, b: SetShape): boolean {
  return (
    a.id === b.id &&
    a.parent === b.parent &&
    a.large === b.large &&
    a.folded === b.folded &&
    a.live === b.live &&
    a.paused === b.paused &&
    a.retryable === b.retryable &&
    a.hidden === b.hidden &&
    sameRows(a.rows, b.rows) &&
    sameRows(a.marks, b.marks)
  );
}

/** A selector of the model that keeps the identity of what did not change, so that only changed cards are drawn. */
export function createModelSelector(): (
  state: LiveState,
  conversationId: string,
  leadId: string | null,
  view: View,
  releases: number,
) => readonly SetShape[] {
  let inputs: readonly unknown[] = [];
  let shapes: readonly SetShape[] = [];
  return (state, conversationId, leadId, view, releases) => {
    const now = [
      state.sets,
      state.runs,
      state.setsOf,
      state.runsOf,
      conversationId,
      leadId,
      view.folded,
      view.expanded,
      view.filter,
      releases,
    ];
    if (now.every((input, at) => input === inputs[at])) return shapes;
    inputs = now;
    const before = new Map(shapes.map((shape) => [shape.id, shape]));
    const next = treeModel(state, conversationId, leadId, { ...view, held: heldRow() }).map((shape) => {
      const old = before.get(shape.id);
      return old !== undefined && sameShape(old, shape) ? old : shape;
    });
    const same = next.length === shapes.length && next.every((shape, at) => shape === shapes[at]);
    if (!same) shapes = next;
    return shapes;
  };
}

/** The cards of a conversation; a new list only when their structure, order or marks change. */
export function useTreeModel(conversationId: string, leadId: string | null): readonly SetShape[] {
  const [select] = useState(createModelSelector);
  const folded = useUi((state) => state.folded);
  const expanded = useTreeFocus((state) => state.expanded);
  const releases = useTreeFocus((state) => state.releases);
  const filter = useFilter(conversationId);
  return useShown((state) => select(state, conversationId, leadId, { folded, expanded, filter }, releases));
}

/** The tree's items by id, for the ARIA attributes of each. */
export const TreeItems = createContext<ReadonlyMap<string, TreeItem>>(new Map());

/** The item that stands for one of before: itself, or the run that has its slot now; null without any. */
function itemOf(items: ReadonlyMap<string, unknown>, id: string | null): string | null {
  if (id === null || items.has(id)) return id;
  const now = currentOf(useLive.getState(), id);
  return items.has(now) ? now : null;
}

/** ARIA and focus attributes of an item of the tree. */
export function useItemProps(id: string): {
  readonly role: 'treeitem';
  readonly 'data-item': string;
  readonly 'aria-level': number;
  readonly 'aria-posinset': number;
  readonly 'aria-setsize': number;
  readonly 'aria-selected': boolean;
  readonly 'aria-expanded': boolean | undefined;
  readonly tabIndex: number;
} {
  const items = useContext(TreeItems);
  const item = items.get(id);
  const selected = useUi((state) => state.node?.id === id);
  const first = items.keys().next().value === id;
  const current = useTreeFocus(({ focused }) => {
    const place = itemOf(items, focused);
    return place === null ? first : place === id;
  });
  return {
    role: 'treeitem',
    'data-item': id,
    'aria-level': item?.level ?? 1,
    'aria-posinset': item?.place ?? 1,
    'aria-setsize': item?.siblings ?? 1,
    'aria-selected': selected,
    'aria-expanded': item?.expanded ?? undefined,
    tabIndex: current ? 0 : -1,
  };
}
