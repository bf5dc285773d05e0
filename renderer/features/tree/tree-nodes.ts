import type { Node } from '@xyflow/react';
import type { Card, Room, TreeLayout } from './layout-tree.ts';
import type { SetShape } from './tree-model.ts';

interface CardData extends Record<string, unknown> {
  readonly shape: SetShape;
  readonly card: Card;
}
export type CardNode = Node<CardData, 'card'>;
export type RootNode = Node<{ readonly conversationId: string }, 'root'>;
export type TreeNode = CardNode | RootNode;

/** A node takes the pointer although React Flow neither selects nor drags it, and is no thing of its own to a reader. */
const QUIET = {
  style: { pointerEvents: 'all' },
  domAttributes: { 'aria-roledescription': undefined },
} as const;

/** The title of the tree ends before the map in the corner, at the widths that the reference and the smallest window leave beside the inspector. */
const ROOT_WIDTH = { normal: 656, compact: 528, narrow: 480 } as const satisfies Record<Room, number>;

/** The nodes of the canvas: the root, and a card for each set. */
export function treeNodes(
  conversationId: string,
  layout: TreeLayout,
  shapes: ReadonlyMap<string, SetShape>,
  room: Room,
): TreeNode[] {
  const root: RootNode = {
    id: 'root',
    type: 'root',
    position: { x: 20, y: 10 },
    width: ROOT_WIDTH[room],
    height: 46,
    data: { conversationId },
    ...QUIET,
  };
  const cards = layout.cards.flatMap((card): CardNode[] => {
    const shape = shapes.get(card.id);
    if (shape === undefined) return [];
    const { id, x, y, width, height } = card;
    return [{ id, type: 'card', position: { x, y }, width, height, data: { shape, card }, ...QUIET }];
  });
  return [root, ...cards];
}
