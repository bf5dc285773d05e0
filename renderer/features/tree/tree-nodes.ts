import type { Node } from '@xyflow/react';
import { SAID, type Card, type Room, type TreeLayout } from './layout-tree.ts';
import { SAID_LINES } from './lead-said.ts';
import type { SetShape } from './tree-model.ts';

interface CardData extends Record<string, unknown> {
  readonly shape: SetShape;
  readonly card: Card;
}
export type CardNode = Node<CardData, 'card'>;
export type RootNode = Node<{ readonly conversationId: string; readonly alone: boolean }, 'root'>;
export type TreeNode = CardNode | RootNode;

/** A node takes the pointer although React Flow neither selects nor drags it, and is no thing of its own to a reader. */
const QUIET = {
  style: { pointerEvents: 'all' },
  domAttributes: { 'aria-roledescription': undefined },
} as const;

/** The title of the tree ends before the map in the corner, at the widths that the reference and the smallest window leave beside the inspector. */
const ROOT_WIDTH = { normal: 656, compact: 528, narrow: 480 } as const satisfies Record<Room, number>;

/** Its two lines, and below them what a lead has said: one line above sets, more while it is alone. */
const ROOT = 46;
const ALONE = 8 + SAID_LINES * 20;

/** The nodes of the canvas: the root, and a card for each set. */
export function treeNodes(
  conversationId: string,
  layout: TreeLayout,
  shapes: ReadonlyMap<string, SetShape>,
  { room, lead }: { readonly room: Room; readonly lead: boolean },
): TreeNode[] {
  const alone = layout.cards.length === 0;
  const root: RootNode = {
    id: 'root',
    type: 'root',
    position: { x: 20, y: 10 },
    width: ROOT_WIDTH[room],
    height: ROOT + (!lead ? 0 : alone ? ALONE : SAID),
    data: { conversationId, alone },
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
